-- When `zeitnot backup` has last written a whole backup, for the metrics: a row at most.
CREATE TABLE backup (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    at timestamptz NOT NULL
);
