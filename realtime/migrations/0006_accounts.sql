-- Members: names that look alike are one name, passwords, sessions with where they come from, API tokens, roles.

-- skeleton is what a member's name looks like (lobby/names.py); guests' names are drawn and have none. closed_at:
-- nobody can log in any more. changed_at: when something changed that servers keep in memory of him. Who is there already
-- has not changed: with now() the first server to start would look at everybody.
ALTER TABLE person
    ADD COLUMN skeleton   text,
    ADD COLUMN closed_at  timestamptz,
    ADD COLUMN changed_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE person ALTER COLUMN changed_at SET DEFAULT now();
CREATE UNIQUE INDEX person_skeleton ON person (skeleton) WHERE skeleton IS NOT NULL;
CREATE INDEX person_changed ON person (changed_at, id) WHERE changed_at > created_at;

-- What only the person himself may see. password is an encoded Argon2id hash with its parameters.
CREATE TABLE account (
    person     text        PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
    password   text        NOT NULL,
    email      text,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE role (
    person     text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    role       text        NOT NULL CHECK (role IN ('arbiter', 'host', 'moderator', 'admin')),
    granted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (person, role)
);

-- A row with scopes is an API token, one without a session. id names it to its owner; it is a part of the hash, which
-- says nothing of the token.
ALTER TABLE session
    ADD COLUMN id      text GENERATED ALWAYS AS (encode(substr(token_hash, 1, 8), 'hex')) STORED,
    ADD COLUMN used_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN agent   text,
    ADD COLUMN label   text,
    ADD COLUMN scopes  text[],
    ADD CHECK ((scopes IS NULL) = (label IS NULL)),
    ADD CHECK (scopes <@ ARRAY['read', 'play', 'host', 'arbiter']);

-- Codes by which a password is set anew: one a person, good for an hour and five tries, kept as hashes.
CREATE TABLE reset (
    person     text        PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
    code_hash  bytea       NOT NULL,
    tries      integer     NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE INDEX reset_expires ON reset (expires_at);
