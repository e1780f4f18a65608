-- The newest games of all, read by everybody who looks at the list.
CREATE INDEX game_created ON game (created_at DESC);
