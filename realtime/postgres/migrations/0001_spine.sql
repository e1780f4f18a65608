-- The spine: people, their sessions, nodes, games and their events.

CREATE TABLE person (
    id         text        PRIMARY KEY,
    name       text        NOT NULL,
    kind       text        NOT NULL CHECK (kind IN ('guest', 'member', 'bot')),
    title      text,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- A token is kept as its hash only: who reads this table can sign in as nobody.
CREATE TABLE session (
    token_hash bytea       PRIMARY KEY,
    person     text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE INDEX session_person ON session (person);

-- A server process. Its games may be taken over once expires_at has passed, by the database's clock.
CREATE TABLE node (
    id         text        PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);

-- Summary and ownership of a game; its events are the truth. Half of each page is left free so that an
-- append, which touches no indexed column, can update its row in place (HOT).
CREATE TABLE game (
    id         text        PRIMARY KEY,
    game       text        NOT NULL,
    variant    text        NOT NULL,
    profile    text        NOT NULL,
    rated      boolean     NOT NULL,
    speed      text        NOT NULL,
    tc         jsonb,
    fen        text,
    pausable   boolean     NOT NULL DEFAULT false,
    white      text        REFERENCES person (id),
    black      text        REFERENCES person (id),
    status     text        NOT NULL DEFAULT 'created' CHECK (status IN ('created', 'live', 'over')),
    result     text        NOT NULL DEFAULT '*' CHECK (result IN ('1-0', '0-1', '1/2-1/2', '*')),
    reason     text,
    -- The node that may append, and the fencing token it must show: it grows with every change of owner.
    owner      text,
    epoch      bigint      NOT NULL DEFAULT 0,
    last_seq   bigint      NOT NULL DEFAULT 0,
    plies      integer     NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at   timestamptz,
    rematch_of text        REFERENCES game (id)
) WITH (fillfactor = 50);
CREATE INDEX game_white ON game (white, created_at DESC);
CREATE INDEX game_black ON game (black, created_at DESC);
CREATE INDEX game_unfinished ON game (status) WHERE status <> 'over';

-- The journal: what happened, in order, for ever. cause is who asked for it with which key, so that a
-- repeated command is answered from here.
CREATE TABLE event (
    game    text        NOT NULL REFERENCES game (id),
    seq     bigint      NOT NULL CHECK (seq > 0),
    kind    text        NOT NULL,
    payload jsonb       NOT NULL,
    cause   jsonb,
    at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game, seq)
);

-- Replies of changing requests that are no game's events, by the client's key.
CREATE TABLE request (
    person text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    key    text        NOT NULL,
    reply  jsonb       NOT NULL,
    at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (person, key)
);

CREATE TABLE seek (
    id         text        PRIMARY KEY,
    person     text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    spec       jsonb       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX seek_person ON seek (person);

CREATE TABLE challenge (
    id         text        PRIMARY KEY,
    person     text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    spec       jsonb       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE INDEX challenge_person ON challenge (person);
