-- Games against a robot whose opponent may ask for hints.
ALTER TABLE game ADD COLUMN hints boolean NOT NULL DEFAULT false;
