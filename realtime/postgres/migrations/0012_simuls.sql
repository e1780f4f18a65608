-- Exhibitions: one host, many boards. The games of the boards are games like any others, with rows and events of their
-- own; what is here is the rest, and is put together again from its events.

-- Summary and ownership, as of a game. Lists read nothing else.
CREATE TABLE simul (
    id         text        PRIMARY KEY,
    host       text        NOT NULL REFERENCES person (id),
    name       text        NOT NULL,
    status     text        NOT NULL DEFAULT 'created'
                           CHECK (status IN ('created', 'running', 'finished', 'cancelled')),
    setup      jsonb       NOT NULL,
    -- The node that may append, and the fencing token it must show: it grows with every change of owner.
    owner      text,
    epoch      bigint      NOT NULL DEFAULT 0,
    last_n     bigint      NOT NULL DEFAULT 0,
    applicants integer     NOT NULL DEFAULT 0,
    players    integer     NOT NULL DEFAULT 0,
    boards     integer     NOT NULL DEFAULT 0,
    score      jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    start_at   timestamptz,
    started_at timestamptz,
    ended_at   timestamptz
) WITH (fillfactor = 50);
CREATE INDEX simul_status ON simul (status, created_at DESC, id DESC);
CREATE INDEX simul_host ON simul (host, created_at DESC, id DESC);

-- What happened, in order, but for what happens at the boards. cause is who asked for it with which key.
CREATE TABLE simul_event (
    simul   text        NOT NULL REFERENCES simul (id),
    n       bigint      NOT NULL CHECK (n > 0),
    kind    text        NOT NULL,
    payload jsonb       NOT NULL,
    cause   jsonb,
    at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (simul, n)
);

-- Who has asked to play, has been accepted or plays.
CREATE TABLE simul_player (
    simul  text NOT NULL REFERENCES simul (id),
    person text NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    PRIMARY KEY (simul, person)
);
CREATE INDEX simul_player_person ON simul_player (person, simul);

-- A game's place in its exhibition: which side is the host's, and what else its rules need to know.
ALTER TABLE game
    ADD COLUMN simul      text REFERENCES simul (id),
    ADD COLUMN board      integer CHECK (board > 0),
    ADD COLUMN exhibition jsonb,
    ADD CHECK ((simul IS NULL) = (board IS NULL) AND (simul IS NULL) = (exhibition IS NULL));
CREATE UNIQUE INDEX game_simul ON game (simul, board) WHERE simul IS NOT NULL;

-- So much later the public sees a game. Those that ended lately are looked for whenever results are counted.
ALTER TABLE game
    ADD COLUMN delay_s integer NOT NULL GENERATED ALWAYS AS (coalesce((exhibition ->> 'delay_s')::integer, 0)) STORED;
CREATE INDEX game_delayed ON game (ended_at) WHERE delay_s > 0;

-- How long nobody outside is told what is stored at an instant: ten seconds more than the delay, for the commit that
-- made it visible may have come so much later (realtime/told_late.py).
CREATE FUNCTION hidden_for(delay_s integer) RETURNS interval LANGUAGE sql IMMUTABLE
    RETURN make_interval(secs => delay_s + 10);

-- The first rated game of a person that the public does not know the end of; infinity where it knows of all.
CREATE FUNCTION rated_until(person text, perf text) RETURNS timestamptz LANGUAGE sql STABLE
    RETURN (
        SELECT coalesce(min(m.at), 'infinity') FROM rated_game m JOIN game g ON g.id = m.game
        WHERE m.person = $1 AND m.perf = $2 AND m.at > now() - hidden_for(900)
            AND g.delay_s > 0 AND m.at > now() - hidden_for(g.delay_s)
    );

-- Ratings as they are shown: what the games have made of them that the public knows.
CREATE VIEW shown_rating AS
SELECT r.person, r.perf, r.listed,
    coalesce(first.rating_before, r.rating) AS rating,
    coalesce(first.deviation_before, r.deviation) AS deviation,
    coalesce(first.volatility_before, r.volatility) AS volatility,
    CASE WHEN first.game IS NULL THEN r.games ELSE r.games - (
        SELECT count(*)::integer FROM rated_game m WHERE m.person = r.person AND m.perf = r.perf AND m.at >= first.at
    ) END AS games,
    CASE WHEN first.game IS NULL THEN r.last_at ELSE (
        SELECT max(m.at) FROM rated_game m WHERE m.person = r.person AND m.perf = r.perf AND m.at < first.at
    ) END AS last_at
FROM rating r LEFT JOIN rated_game first
    ON r.last_at > now() - hidden_for(900)
    AND first.person = r.person AND first.perf = r.perf AND first.at = rated_until(r.person, r.perf);

-- A player's move for when the host comes, for half-move number ply of his game. Nobody else sees it.
CREATE TABLE simul_prepared (
    game text    PRIMARY KEY REFERENCES game (id),
    ply  integer NOT NULL CHECK (ply >= 0),
    move text    NOT NULL
);

-- How people behave is judged where they were paired to play at once: at a board one waits, and the host has many.
DROP TRIGGER game_over ON game;
CREATE TRIGGER game_over AFTER UPDATE OF status ON game FOR EACH ROW
    WHEN (NEW.status = 'over' AND OLD.status <> 'over' AND NEW.white <> NEW.black AND NEW.simul IS NULL
          AND NEW.speed NOT IN ('correspondence', 'unlimited'))
    EXECUTE FUNCTION note_unjudged();
