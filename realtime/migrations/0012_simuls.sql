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
