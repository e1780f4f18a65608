-- The lobby's first slice: names that can be challenged, challenges that are remembered, keys that are forgotten.

-- Anna and anna are one name: people are found by it.
CREATE UNIQUE INDEX person_name ON person (lower(name));

-- A challenge that was answered stays for a while, so that its link leads to the game and who comes third
-- hears that it is taken. closed says why: accepted, declined, cancelled, expired.
ALTER TABLE challenge
    ADD COLUMN recipient text REFERENCES person (id) ON DELETE CASCADE,
    ADD COLUMN closed    text CHECK (closed IN ('accepted', 'declined', 'cancelled', 'expired')),
    ADD COLUMN game      text REFERENCES game (id),
    ADD CHECK (closed = 'accepted' OR game IS NULL);
CREATE INDEX challenge_recipient ON challenge (recipient) WHERE closed IS NULL;
CREATE INDEX challenge_expires ON challenge (expires_at);

-- A game has one rematch, however often its accepting is tried.
CREATE UNIQUE INDEX game_rematch ON game (rematch_of) WHERE rematch_of IS NOT NULL;

-- Sweeps go by age.
CREATE INDEX request_at ON request (at);
CREATE INDEX session_expires ON session (expires_at);
