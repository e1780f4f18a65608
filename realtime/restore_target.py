"""What a backup is to be restored into: an empty database, or one of ours that it takes the place of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from realtime.backup_archive import HISTORY
from realtime.errors import BackupError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from realtime.database import Connection
    from realtime.migrate import Migration

_MADE = re.compile(r"^CREATE (?:OR REPLACE )?(?:TABLE|VIEW|SEQUENCE|FUNCTION|TYPE) (?:IF NOT EXISTS )?(\w+)", re.M)

# Not what belongs to an extension, nor the sequence of an identity column, which goes with its table.
_THINGS = """
WITH thing AS (
    SELECT 'pg_class'::regclass AS class, oid, relname AS name, relnamespace AS schema,
        CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
            WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END AS kind,
        format('%I.%I', $1::text, relname) AS said
    FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
    UNION ALL
    SELECT 'pg_proc'::regclass, oid, proname, pronamespace, 'ROUTINE',
        format('%I.%I(%s)', $1::text, proname, pg_get_function_identity_arguments(oid))
    FROM pg_proc
    UNION ALL
    SELECT 'pg_type'::regclass, oid, typname, typnamespace, 'TYPE', format('%I.%I', $1::text, typname)
    FROM pg_type WHERE typtype IN ('e', 'd')
)
SELECT name, kind || ' ' || said AS thing FROM thing
WHERE schema = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND NOT EXISTS (
    SELECT FROM pg_depend
    WHERE classid = class AND objid = thing.oid AND (deptype = 'e' OR kind = 'SEQUENCE' AND deptype IN ('a', 'i'))
)
ORDER BY name
"""

NAMED = 5
"""Of what is in the way."""


class Target(msgspec.Struct, frozen=True):
    """A database as it is before the restore."""

    schema: str | None
    """Where tables are made."""
    things: dict[str, str]
    """What is in it: ``DROP`` and this takes it away; by name."""
    version: int
    """Its last migration; 0 for none."""
    nodes: dict[str, int]
    """Servers that are alive, and for how many seconds more unless they give another sign."""

    def check(self, schema: str, *, known: Sequence[Migration], replace: bool, alone: bool) -> None:
        """Raise ``BackupError`` unless a backup of ``schema`` may be restored into it; see ``restore``."""
        if self.schema != schema:
            raise BackupError(
                f"the backup's tables are in the schema {schema}, and this database makes them in {self.schema}: "
                "set the account's search_path"
            )
        if not self.things:
            return
        if not replace:
            raise BackupError(
                f"the database is not empty ({_some(list(self.things))}): restore into a new one, or throw away what "
                "it holds with --replace"
            )
        strange = sorted(self.things.keys() - names_of(known))
        if strange and self.version <= len(known):
            raise BackupError(
                f"the database holds what is not Zeitnot's ({_some(strange)}): restore into a database of its own"
            )
        if self.version > len(known):
            raise BackupError(
                f"the database is of a later version (migration {self.version:04}; this program knows those up to "
                f"{len(known):04}): restore into a new one, or with a program of that version"
            )
        if self.nodes and not alone:
            living = ", ".join(f"{node} (for {left} s at least)" for node, left in self.nodes.items())
            raise BackupError(f"servers are alive on this database: {living}. Stop them first")


def _some(names: list[str]) -> str:
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


def names_of(migrations: Sequence[Migration]) -> set[str]:
    """Names of all tables, views, functions … that ``migrations`` have ever made, and of what counts them."""
    return {HISTORY} | {match[1] for migration in migrations for match in _MADE.finditer(migration.sql)}


async def look_at(connection: Connection) -> Target:
    """The database that ``connection`` leads to. Raises what a query raises."""
    schema = await connection.fetchval("SELECT current_schema()")
    things = {row["name"]: row["thing"] for row in await connection.fetch(_THINGS, schema)}
    version, nodes = 0, {}
    if HISTORY in things:
        version = await connection.fetchval(f"SELECT coalesce(max(number), 0) FROM {HISTORY}")  # noqa: S608  a constant
    if "node" in things:
        rows = await connection.fetch(
            "SELECT id, ceil(extract(epoch FROM expires_at - now()))::integer AS left_s FROM node "
            "WHERE expires_at > now() ORDER BY id"
        )
        nodes = {row["id"]: row["left_s"] for row in rows}
    return Target(schema, things, version, nodes)
