"""The database a backup is restored into: empty, or one of ours that is replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg
import msgspec

from realtime.postgres.own_objects import HISTORY, DatabaseObject, listed, objects_of, own_names
from realtime.protocol.errors import BackupError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from realtime.postgres.database import Connection
    from realtime.postgres.migrate import Migration


class Target(msgspec.Struct, frozen=True):
    """The state of a database before the restore."""

    schema: str | None
    """Schema in which tables are created."""
    objects: list[DatabaseObject]
    """Its contents."""
    migrations: dict[int, str]
    """Checksums of its migrations by number; empty if it is not Zeitnot's."""
    nodes: dict[str, int]
    """Live servers, and the seconds until their leases end."""

    def check(self, schema: str, *, known: Sequence[Migration], replace: bool, alone: bool) -> None:
        """Raise ``BackupError`` unless a backup of ``schema`` may be restored into it; see ``restore``."""
        if self.schema != schema:
            raise BackupError(
                f"the backup's tables are in the schema {schema}, and this database makes them in {self.schema}: "
                "set the account's search_path"
            )
        if not self.objects:
            return
        if not replace:
            raise BackupError(
                f"the database is not empty ({listed(thing.name for thing in self.objects)}): restore into a new one, "
                "or delete what it holds with --replace"
            )
        version = max(self.migrations, default=0)
        if version > len(known):
            raise BackupError(
                f"the database is of a later version (migration {version:04}; this program knows those up to "
                f"{len(known):04}): restore into a new one, or with a program of that version"
            )
        others = self._not_made_by(known[:version])
        if others:
            raise BackupError(
                f"the database contains objects of other programs ({listed(others)}): restore into another database"
            )
        if self.nodes and not alone:
            living = ", ".join(f"{node} (for {left} s at least)" for node, left in self.nodes.items())
            raise BackupError(f"servers are alive on this database: {living}. Stop them first")

    def _not_made_by(self, applied: Sequence[Migration]) -> list[str]:
        """Return names of objects that the database's recorded migrations have not created."""
        if not applied or self.migrations != {migration.number: migration.checksum for migration in applied}:
            return [thing.name for thing in self.objects]
        own = own_names(migration.sql for migration in applied) | {("TABLE", HISTORY)}
        keys = [thing.key for thing in self.objects]
        return [thing.name for thing in self.objects if thing.key not in own or keys.count(thing.key) > 1]


async def look_at(connection: Connection) -> Target:
    """Return the state of the database of ``connection``. Raises database errors."""
    schema = await connection.fetchval("SELECT current_schema()")
    objects = await objects_of(connection, schema)
    names = {thing.name for thing in objects if thing.kind == "TABLE"}
    migrations, nodes = {}, {}
    if HISTORY in names:
        try:
            rows = await connection.fetch(f"SELECT number, checksum FROM {HISTORY}")  # noqa: S608  a constant
            migrations = {row["number"]: row["checksum"] for row in rows}
        except asyncpg.UndefinedColumnError:  # another program's table of the same name
            migrations = {}
    if migrations and "node" in names:
        rows = await connection.fetch(
            "SELECT id, ceil(extract(epoch FROM expires_at - now()))::integer AS left_s FROM node "
            "WHERE expires_at > now() ORDER BY id"
        )
        nodes = {row["id"]: row["left_s"] for row in rows}
    return Target(schema, objects, migrations, nodes)
