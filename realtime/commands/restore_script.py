"""The SQL before and after a backup's own script, in the same transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.commands.restore_target import Target

LOCK_WAIT_S = 10
"""Timeout for locks on the old tables, held by an open `psql` for instance."""

_BEGIN = """
SET statement_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_min_messages = warning;
BEGIN;
SET LOCAL lock_timeout = '{wait}s';
"""

# A server that started after the check has a row here, or waits for us.
_NOBODY = """
LOCK TABLE {schema}.node IN ACCESS EXCLUSIVE MODE;
DO $$ BEGIN
    IF EXISTS (SELECT FROM {schema}.node WHERE expires_at > clock_timestamp()) THEN
        RAISE 'a server has started meanwhile: stop it first';
    END IF;
END $$;
"""

# Objects without dependents go first, until nothing is left. Nothing of others is dropped.
_DROP = """
DO $$
DECLARE
    things text[] := ARRAY[{things}];
    kept   text[];
    thing  text;
    said   text;
    why    text;
BEGIN
    WHILE cardinality(things) > 0 LOOP
        kept := '{{}}';
        why := '';
        FOREACH thing IN ARRAY things LOOP
            BEGIN
                EXECUTE 'DROP ' || thing;
            EXCEPTION WHEN dependent_objects_still_exist THEN
                GET STACKED DIAGNOSTICS said = PG_EXCEPTION_DETAIL;
                why := why || said || E'\n';
                kept := kept || thing;
            END;
        END LOOP;
        IF cardinality(kept) = cardinality(things) THEN
            -- What is in another schema is named with it, our own without.
            SELECT coalesce(string_agg(DISTINCT line, '; ') FILTER (WHERE line LIKE '%.%'), why) INTO why
            FROM regexp_split_to_table(why, '\n') AS line;
            RAISE 'objects of other programs depend on Zeitnot''s tables: %', why;
        END IF;
        things := kept;
    END LOOP;
END $$;
"""

# Epochs are set to the second of the restore, which no count reaches: a node that owned a game at the time of the
# backup, or owns it in a database restored earlier from the same backup, can append nothing here. Owners become a node
# that does not exist. And the cluster id changes, so that servers of this database are no cluster with those of the
# original one, which may use the same bus.
_AFTERWARDS = """
SET search_path = {schema};
DO $$
BEGIN
    UPDATE game SET stopped_at = coalesce(game.stopped_at, node.ran_until)
        FROM node WHERE node.id = game.owner AND game.status <> 'over';
EXCEPTION WHEN undefined_column THEN
    NULL;  -- of a version that did not store it
END $$;
DELETE FROM node;
DO $$
DECLARE
    fenced record;
BEGIN
    FOR fenced IN
        SELECT e.attrelid::regclass AS place,
            CASE WHEN o.attnotnull THEN '' ELSE ', owner = NULL' END AS freed
        FROM pg_attribute e JOIN pg_class c ON c.oid = e.attrelid JOIN pg_attribute o ON o.attrelid = e.attrelid
        WHERE c.relnamespace = {literal}::regnamespace AND c.relkind = 'r'
            AND e.attname = 'epoch' AND NOT e.attisdropped AND o.attname = 'owner' AND NOT o.attisdropped
    LOOP
        EXECUTE format('UPDATE %s SET epoch = greatest(epoch + 1, extract(epoch FROM now())::bigint)%s',
            fenced.place, fenced.freed);
    END LOOP;
    IF to_regclass('cluster') IS NOT NULL THEN
        EXECUTE $set$ UPDATE cluster SET id = replace(gen_random_uuid()::text, '-', '') $set$;
    END IF;
END $$;
COMMIT;
"""


def before(target: Target, *, alone: bool) -> str:
    """Begin, and drop what ``target`` holds. Unless ``alone``, no server may be alive."""
    script = _BEGIN.format(wait=LOCK_WAIT_S)
    if any(thing.key == ("TABLE", "node") for thing in target.objects) and not alone:
        script += _NOBODY.format(schema=_name(target.schema or ""))
    if target.objects:
        script += _DROP.format(things=", ".join(_literal(thing.address) for thing in target.objects))
    return script


def afterwards(schema: str) -> str:
    """Release all games, and commit."""
    return _AFTERWARDS.format(schema=_name(schema), literal=_literal(_name(schema)))


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
