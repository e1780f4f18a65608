-- What clocks show after their node has ended.

-- Correspondence: when the flag falls. Such a clock runs although the table may not be in memory. Games that are being
-- played have from now on what their last event left.
ALTER TABLE game ADD COLUMN deadline timestamptz;
UPDATE game SET deadline = now() + make_interval(secs => (clock ->> (clock ->> 'run'))::bigint / 1000.0)
FROM (
    SELECT DISTINCT ON (event.game) event.game AS id, event.payload -> 'clock' AS clock
    FROM event JOIN game ON game.id = event.game
    WHERE game.status <> 'over' AND game.tc ? 'days' AND event.payload ? 'clock'
    ORDER BY event.game, event.seq DESC
) AS last
WHERE game.id = last.id AND clock ? 'run' AND NOT clock ? 'held';
CREATE INDEX game_deadline ON game (deadline) WHERE deadline IS NOT NULL AND status <> 'over';

-- Up to when the side to move is charged, while the clocks stand because no node has the game or the one that has it
-- waits for the player. Null: a node lets them run. It counts from the last event with a clock.
ALTER TABLE game ADD COLUMN stopped_at timestamptz;
UPDATE game SET stopped_at = created_at WHERE status <> 'over' AND deadline IS NULL;

-- The last instant at which the node is known to have let clocks run. Last: renewals of leases wait for this.
ALTER TABLE node ADD COLUMN ran_until timestamptz NOT NULL DEFAULT now();
