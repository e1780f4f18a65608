-- Several nodes that serve one database.

-- What tells this cluster's messages from those of others on the same bus. One row.
CREATE TABLE cluster (
    is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
    id     text    NOT NULL
);
INSERT INTO cluster (id) VALUES (replace(gen_random_uuid()::text, '-', ''));

-- A node that is about to stop is given nothing new.
ALTER TABLE node ADD COLUMN is_draining boolean NOT NULL DEFAULT false;

-- What only one node may do at a time, as a game has one owner: the epoch grows whenever it changes hands.
CREATE TABLE cluster_role (
    name  text   PRIMARY KEY,
    owner text   NOT NULL,
    epoch bigint NOT NULL
);
