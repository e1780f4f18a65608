-- When a rated game counts, and why one does not.

-- When it counted: the order in which ratings follow from each other. Null: it has not, or not yet. Games of before
-- counted when they ended; programs of before know nothing of this column, and look at shown_rating and rated_until, which
-- stay for them.
ALTER TABLE game ADD COLUMN rated_at timestamptz;
UPDATE game SET rated_at = ended_at WHERE rated AND status = 'over' AND result <> '*';
CREATE FUNCTION note_rated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE game SET rated_at = NEW.at
    WHERE id = NEW.game AND rated_at IS NULL AND rated AND status = 'over' AND result <> '*';
    RETURN NULL;
END
$$;
CREATE TRIGGER rated AFTER INSERT ON rated_game FOR EACH ROW EXECUTE FUNCTION note_rated();
DROP INDEX game_rated;
CREATE INDEX game_rated ON game (rated_at, id) WHERE rated_at IS NOT NULL;

-- Why a game does not count that the players agreed to rate (game_core/events.py). With rated = false: known when it
-- began.
ALTER TABLE game ADD COLUMN unrated text CHECK (unrated IN ('limit', 'short'));

-- Rated games that are over and count when the public may see the end.
CREATE TABLE rating_later (
    game   text        PRIMARY KEY REFERENCES game (id),
    due_at timestamptz NOT NULL
);
CREATE INDEX rating_later_due ON rating_later (due_at);
