-- Finding people and counting their games without reading either.

-- Names by their beginning, in the order of their bytes, which every database can walk; members before guests.
CREATE INDEX person_prefix ON person (lower(name) COLLATE "C");
CREATE INDEX person_member_prefix ON person (lower(name) COLLATE "C") WHERE kind <> 'guest';

-- Won, drawn, lost: answered from these indexes alone. A game enters them once, when it ends.
CREATE INDEX game_white_result ON game (white, result) WHERE status = 'over' AND result <> '*' AND white <> black;
CREATE INDEX game_black_result ON game (black, result) WHERE status = 'over' AND result <> '*' AND white <> black;
