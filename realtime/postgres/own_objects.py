"""The database objects that belong to Zeitnot: those that its migrations have created."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.postgres.database import Connection

HISTORY = "schema_migration"
"""The migration table."""

_CHANGED = re.compile(
    r"^(?P<verb>CREATE|DROP) (?:OR REPLACE )?(?P<kind>TABLE|VIEW|SEQUENCE|FUNCTION|TYPE) (?:IF (?:NOT )?EXISTS )?"
    r"(?P<name>\w+)",
    re.MULTILINE,
)

# Without objects of extensions, and without the sequence of an identity column, which goes with its table.
_OBJECTS = """
WITH object AS (
    SELECT 'pg_class'::regclass AS class, oid, relname AS name, relnamespace AS schema,
        CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
            WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END AS kind,
        format('%I.%I', $1::text, relname) AS address
    FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
    UNION ALL
    SELECT 'pg_proc'::regclass, oid, proname, pronamespace, 'ROUTINE',
        format('%I.%I(%s)', $1::text, proname, pg_get_function_identity_arguments(oid))
    FROM pg_proc
    UNION ALL
    SELECT 'pg_type'::regclass, oid, typname, typnamespace, 'TYPE', format('%I.%I', $1::text, typname)
    FROM pg_type WHERE typtype IN ('e', 'd')
)
SELECT name, kind, kind || ' ' || address AS address FROM object
WHERE schema = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND NOT EXISTS (
    SELECT FROM pg_depend
    WHERE classid = class AND objid = object.oid AND (deptype = 'e' OR kind = 'SEQUENCE' AND deptype IN ('a', 'i'))
)
ORDER BY name
"""

NAMED = 5
"""Objects named in a message."""


class DatabaseObject(msgspec.Struct, frozen=True):
    """A table, view, sequence, routine or type of one schema."""

    kind: str
    name: str
    address: str
    """The object as an argument of ``DROP``."""

    @property
    def key(self) -> tuple[str, str]:
        """Kind and name, as in ``own_names``."""
        return self.kind, self.name


async def objects_of(connection: Connection, schema: str | None) -> list[DatabaseObject]:
    """Return everything in ``schema``, by name. Raises database errors."""
    rows = await connection.fetch(_OBJECTS, schema)
    return [DatabaseObject(row["kind"], row["name"], row["address"]) for row in rows]


async def history_table(connection: Connection) -> int | None:
    """Return the object identifier of ``HISTORY`` in the first schema of the search path, where new tables are created;
    None if it is not there. Raises database errors."""
    found: int | None = await connection.fetchval(
        "SELECT oid FROM pg_class WHERE relname = $1 AND relkind = 'r' AND relnamespace = "
        "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())",
        HISTORY,
    )
    return found


def own_names(scripts: Iterable[str]) -> set[tuple[str, str]]:
    """Return kinds and names of everything these migrations create, without ``HISTORY``."""
    names: set[tuple[str, str]] = set()
    for script in scripts:
        for match in _CHANGED.finditer(script):
            kind = "ROUTINE" if match["kind"] == "FUNCTION" else match["kind"]
            (names.add if match["verb"] == "CREATE" else names.discard)((kind, match["name"]))
    return names


def listed(names: Iterable[str]) -> str:
    """Return the first few names, and the number of the others."""
    names = sorted(set(names))
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
