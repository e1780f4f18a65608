-- Quick pairing, challenges that are declined with a reason, handicaps, and matches of several games.

-- Who waits in which pool. n grows with every change of a row, so that a server that hears of two changes of one person
-- in the wrong order keeps the later one.
CREATE SEQUENCE waiting_n;
CREATE TABLE waiting (
    person text        PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
    n      bigint      NOT NULL DEFAULT nextval('waiting_n'),
    pool   text        NOT NULL,
    rated  boolean     NOT NULL,
    rating integer,
    since  timestamptz NOT NULL
);

-- Who has not begun a game with whom lately: quick pairing does not try these two again for an hour.
CREATE INDEX game_aborted ON game (white, ended_at) WHERE reason = 'aborted';

-- Who plays now: asked whenever somebody sits down.
CREATE INDEX game_white_now ON game (white) WHERE status <> 'over';
CREATE INDEX game_black_now ON game (black) WHERE status <> 'over';

ALTER TABLE challenge
    ADD COLUMN reason text
        CHECK (reason IN ('later', 'too_fast', 'too_slow', 'variant', 'rated', 'casual', 'generic')),
    ADD CHECK (closed = 'declined' OR reason IS NULL);
-- Somebody's challenges, and those for him: also the answered ones, in the order in which he is told of all of them.
DROP INDEX challenge_person;
DROP INDEX challenge_recipient;
CREATE INDEX challenge_person ON challenge (person, id);
CREATE INDEX challenge_recipient ON challenge (recipient, id) WHERE recipient IS NOT NULL;

-- black_tc: where Black's control is another than White's. The match so far, this game not counted: how many games, and
-- the half points of those who are White and Black in this one.
ALTER TABLE game
    ADD COLUMN black_tc    jsonb,
    ADD COLUMN match_games smallint NOT NULL DEFAULT 0,
    ADD COLUMN match_white smallint NOT NULL DEFAULT 0,
    ADD COLUMN match_black smallint NOT NULL DEFAULT 0;
