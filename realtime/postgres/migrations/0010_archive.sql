-- The archive: games by person, by pair and by kind, newest first, read from an index whatever is asked for.

-- Games that began together, as those of an exhibition do, are told apart by their ids. The columns behind the order are
-- compared within the index: of a person's many games only those that fit are read.
DROP INDEX game_white;
DROP INDEX game_black;
DROP INDEX game_created;
CREATE INDEX game_white ON game (white, created_at DESC, id DESC, variant, speed, rated, result);
CREATE INDEX game_black ON game (black, created_at DESC, id DESC, variant, speed, rated, result);
CREATE INDEX game_pair ON game (white, black, created_at DESC, id DESC, variant, speed, rated, result);
CREATE INDEX game_created ON game (created_at DESC, id DESC);
-- Of everybody's games: there may be millions and none of the kind asked for. Each kind is a range of its own.
CREATE INDEX game_kind ON game (variant, speed, rated, created_at DESC, id DESC);
