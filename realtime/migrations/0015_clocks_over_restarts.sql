-- What clocks show after their node has ended.

-- The last instant at which the node is known to have let clocks run.
ALTER TABLE node ADD COLUMN ran_until timestamptz NOT NULL DEFAULT now();

-- Up to when the side to move is charged, while the clocks stand because no node has the game or the one that has it
-- waits for the player. Null: a node lets them run. It counts from the last event with a clock.
ALTER TABLE game ADD COLUMN stopped_at timestamptz;
UPDATE game SET stopped_at = created_at WHERE status <> 'over';

-- Correspondence: when the flag falls. Such a clock runs although the table may not be in memory.
ALTER TABLE game ADD COLUMN deadline timestamptz;
CREATE INDEX game_deadline ON game (deadline) WHERE deadline IS NOT NULL AND status <> 'over';
