-- How the Laws as played over a board are applied in a game; null: they are not.
ALTER TABLE game ADD COLUMN laws jsonb;
