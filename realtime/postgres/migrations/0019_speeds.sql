-- The limits between speeds have moved (game_core/time_control.py). A row asks the next server that starts to store the
-- speed of every game again and to recompute the ratings from the games (realtime/commands/ratings.py).
CREATE TABLE recompute_due (
    one boolean PRIMARY KEY DEFAULT true CHECK (one)
);
INSERT INTO recompute_due SELECT WHERE EXISTS (SELECT FROM game);
