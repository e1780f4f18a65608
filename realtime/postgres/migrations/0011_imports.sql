-- Games that people bring from elsewhere, as PGN. They are nobody's games here and count for nothing.

-- Games that came together. Until finished_at is set they still come and nobody sees them; a person has one such import
-- at a time. touched_at tells one that goes on from one whose server has died.
CREATE TABLE import (
    id          text        PRIMARY KEY,
    person      text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    name        text        NOT NULL,
    public      boolean     NOT NULL DEFAULT false,
    games       integer     NOT NULL DEFAULT 0,
    bytes       bigint      NOT NULL DEFAULT 0,
    created_at  timestamptz NOT NULL DEFAULT now(),
    touched_at  timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz
);
CREATE INDEX import_person ON import (person, created_at DESC, id);
CREATE UNIQUE INDEX import_unfinished ON import (person) WHERE finished_at IS NULL;

-- What lists tell of each game, numbered from 1 without gaps.
CREATE TABLE imported_game (
    import    text    NOT NULL REFERENCES import (id) ON DELETE CASCADE,
    n         integer NOT NULL,
    white     text    NOT NULL,
    black     text    NOT NULL,
    white_elo integer,
    black_elo integer,
    result    text    NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2', '*')),
    date      text    NOT NULL,
    event     text    NOT NULL,
    plies     integer NOT NULL,
    variant   text    NOT NULL,
    PRIMARY KEY (import, n)
);

-- The whole games, twice: as the export writes them and as JSON for the page, so that nobody has to play their moves
-- again. Apart from the lists, which read none of it.
CREATE TABLE imported_score (
    import text    NOT NULL REFERENCES import (id) ON DELETE CASCADE,
    n      integer NOT NULL,
    pgn    text    NOT NULL,
    score  text    NOT NULL,
    PRIMARY KEY (import, n)
);
