"""PGN imports of members: read in a separate process, stored, and listed."""
