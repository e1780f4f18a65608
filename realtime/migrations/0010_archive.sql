-- To be filled within this change.
SELECT 1;
