-- Any game may be seen later by the public, not only the boards of exhibitions: so many seconds, or so many moves of both
-- sides. Until now the column followed from the exhibition; what it says of those games stays.
ALTER TABLE game ALTER COLUMN delay_s DROP EXPRESSION;
ALTER TABLE game
    ALTER COLUMN delay_s SET DEFAULT 0,
    ADD COLUMN delay_moves integer NOT NULL DEFAULT 0 CHECK (delay_moves BETWEEN 0 AND 30),
    -- ``hidden_for(900)`` is how far back those that ended lately are looked for.
    ADD CHECK (delay_s BETWEEN 0 AND 900),
    ADD CHECK (delay_s = 0 OR delay_moves = 0);
