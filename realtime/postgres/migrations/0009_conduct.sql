-- Conduct: who wants to hear nothing of whom, reports, what players did in their games, bans, and moderators' acts.

-- person does not want to read or to play blocked.
CREATE TABLE block (
    person     text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    blocked    text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (person, blocked),
    CHECK (person <> blocked)
);
CREATE INDEX block_blocked ON block (blocked);

-- What somebody says of somebody else; lines is what was said in his room of the game at that time. The same said
-- again, while it is open, is the same report.
CREATE TABLE report (
    id         text        PRIMARY KEY,
    person     text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    subject    text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    game       text        REFERENCES game (id),
    what       text        NOT NULL CHECK (what IN ('cheating', 'chat', 'stalling', 'other')),
    text       text        NOT NULL,
    lines      jsonb       NOT NULL DEFAULT '[]',
    created_at timestamptz NOT NULL DEFAULT now(),
    verdict    text        CHECK (verdict IN ('upheld', 'dismissed')),
    note       text,
    judge      text        REFERENCES person (id) ON DELETE SET NULL,
    judged_at  timestamptz,
    CHECK ((verdict IS NULL) = (judged_at IS NULL))
);
CREATE UNIQUE INDEX report_same ON report (person, subject, what, coalesce(game, '')) WHERE verdict IS NULL;
CREATE INDEX report_open ON report (created_at, id) WHERE verdict IS NULL;
CREATE INDEX report_judged ON report (judged_at, id) WHERE verdict IS NOT NULL;
CREATE INDEX report_person ON report (person, created_at);
CREATE INDEX report_subject ON report (subject);
-- Whose lines are kept with whatever report.
CREATE INDEX report_lines ON report USING gin (lines jsonb_path_ops);

-- Games that have ended and whose players' conduct has not been looked at. Written in the transaction that ends the
-- game, whoever that is, so that none is missed and none counts twice; the row goes with the deeds that come of it.
-- Nobody is expected to sit through days of a move, or a game without a clock, or one against himself.
CREATE TABLE unjudged (
    game text        PRIMARY KEY REFERENCES game (id),
    at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX unjudged_at ON unjudged (at);
CREATE FUNCTION note_unjudged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO unjudged (game) VALUES (NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER game_over AFTER UPDATE OF status ON game FOR EACH ROW
    WHEN (NEW.status = 'over' AND OLD.status <> 'over' AND NEW.white <> NEW.black
          AND NEW.speed NOT IN ('correspondence', 'unlimited'))
    EXECUTE FUNCTION note_unjudged();

-- What each did in each of his games; level is that of the ban it brought, or 0.
CREATE TABLE deed (
    game     text        NOT NULL REFERENCES game (id),
    person   text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    what     text        NOT NULL CHECK (what IN ('ok', 'aborted', 'no_show', 'let_run', 'left')),
    level    integer     NOT NULL DEFAULT 0,
    ended_at timestamptz NOT NULL,
    PRIMARY KEY (game, person)
);
CREATE INDEX deed_person ON deed (person, ended_at DESC);

-- Who may not play until when. The server's own are for what was done in game; a moderator's take away chat as well.
-- A ban that is lifted ends now. changed_at is for servers, which keep the bans of the moment in memory.
CREATE TABLE ban (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    person     text        NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    what       text        NOT NULL CHECK (what IN ('aborted', 'no_show', 'let_run', 'left', 'moderator')),
    why        text        NOT NULL,
    game       text        REFERENCES game (id),
    began_at   timestamptz NOT NULL DEFAULT now(),
    until      timestamptz NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (game, person)
);
CREATE INDEX ban_person ON ban (person, until, id);
CREATE INDEX ban_until ON ban (until);
CREATE INDEX ban_changed ON ban (changed_at);

-- What moderators and admins did to others.
CREATE TABLE audit (
    id      bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at      timestamptz NOT NULL DEFAULT now(),
    actor   text        REFERENCES person (id) ON DELETE SET NULL,
    act     text        NOT NULL,
    subject text        REFERENCES person (id) ON DELETE CASCADE,
    detail  jsonb       NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_subject ON audit (subject, id);
