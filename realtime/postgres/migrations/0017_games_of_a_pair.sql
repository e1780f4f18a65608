-- The rated games of two people, whoever had White: the limit of a pair is looked up at every pairing and every rated end.
CREATE INDEX game_pair_rated ON game (least(white, black), greatest(white, black), rated_at) WHERE rated_at IS NOT NULL;
