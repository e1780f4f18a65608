-- The simuls of which a person is the stand-in, until they end.
CREATE INDEX simul_stand_in ON simul ((setup ->> 'stand_in')) WHERE status IN ('created', 'running');
