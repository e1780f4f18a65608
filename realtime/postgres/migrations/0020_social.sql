-- Whom people follow, what they say of themselves, and who does not want to be seen online.

CREATE TABLE follow (
    person     text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    followed   text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (person, followed),
    CHECK (person <> followed)
);
CREATE INDEX follow_followed ON follow (followed);

-- about is as it was written; the word filter is applied when it is shown.
CREATE TABLE profile (
    person     text        PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
    about      text        NOT NULL,
    country    text,
    changed_at timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE person ADD COLUMN is_invisible boolean NOT NULL DEFAULT false;

ALTER TABLE report DROP CONSTRAINT report_what_check;
ALTER TABLE report ADD CONSTRAINT report_what_check
    CHECK (what IN ('cheating', 'chat', 'stalling', 'profile', 'other'));
