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

-- What only the person himself may see. password is an encoded Argon2id hash with its parameters. email gets mail; an
-- address is unconfirmed until the code that was mailed to it (code_hash, good until code_until) is entered. reset_at:
-- when a code for a new password was last mailed.
CREATE TABLE account (
    person      text        PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
    password    text        NOT NULL,
    email       text,
    unconfirmed text,
    code_hash   bytea,
    code_until  timestamptz,
    reset_at    timestamptz,
    created_at  timestamptz NOT NULL DEFAULT now()
);

-- How many codes for unconfirmed addresses went to an address, or were asked for by a person, since then: rows are a day
-- old at most, and who it is a hash.
CREATE TABLE mailed (
    who   bytea       PRIMARY KEY,
    count integer     NOT NULL,
    since timestamptz NOT NULL DEFAULT now()
);

-- Names of those who left, which nobody may have for a while; whose they were is not kept.
CREATE TABLE kept_name (
    skeleton text        PRIMARY KEY,
    until    timestamptz NOT NULL
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

-- Codes by which a password is set anew, good for an hour and once, kept as hashes. A person may have several: one that
-- somebody else asks for takes nothing from the one that its owner holds.
CREATE TABLE reset (
    code_hash  bytea       PRIMARY KEY,
    person     text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);
CREATE INDEX reset_person ON reset (person);
CREATE INDEX reset_expires ON reset (expires_at);
