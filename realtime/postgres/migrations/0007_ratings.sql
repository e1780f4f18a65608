-- Ratings: what everybody has now, and what each rated game has made of them.

-- One rating a person and perf (lobby/ratings.py). A row with no games is as good as none.
-- listed: he belongs on the leaderboard: his deviation is small and he has played within a week. It is set with a game
-- and taken away by a sweep, so that a board is read from an index of those on it alone.
CREATE TABLE rating (
    person     text             NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    perf       text             NOT NULL,
    rating     double precision NOT NULL,
    deviation  double precision NOT NULL,
    volatility double precision NOT NULL,
    games      integer          NOT NULL,
    last_at    timestamptz,
    listed     boolean          NOT NULL DEFAULT false,
    PRIMARY KEY (person, perf),
    CHECK ((games = 0) = (last_at IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX rating_leaders ON rating (perf, rating DESC, person) WHERE listed;
CREATE INDEX rating_listed ON rating (last_at) WHERE listed;

-- A finished rated game that has been counted: two rows, one a player, written in the transaction that ended it. That
-- they are there says that it has been counted, and at is its ended_at. The games of one person have growing ones.
CREATE TABLE rated_game (
    game              text             NOT NULL REFERENCES game (id),
    person            text             NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    perf              text             NOT NULL,
    at                timestamptz      NOT NULL,
    rating_before     double precision NOT NULL,
    deviation_before  double precision NOT NULL,
    volatility_before double precision NOT NULL,
    rating            double precision NOT NULL,
    deviation         double precision NOT NULL,
    volatility        double precision NOT NULL,
    PRIMARY KEY (game, person)
);
CREATE INDEX rated_game_person ON rated_game (person, perf, at DESC) INCLUDE (rating);

-- What the players had when the game began; null for guests.
ALTER TABLE game
    ADD COLUMN white_rating      integer,
    ADD COLUMN white_provisional boolean,
    ADD COLUMN black_rating      integer,
    ADD COLUMN black_provisional boolean;
-- The rated games in the order in which they count, for whoever counts them again.
CREATE INDEX game_rated ON game (ended_at, id) WHERE rated AND status = 'over' AND result <> '*';
