"""Schema migrations: numbered SQL files, applied once each, in order.

All missing ones are applied in one transaction under one advisory lock, so servers that start together take turns and a
failure leaves nothing half done.
"""

from __future__ import annotations

import hashlib
import logging
import re
from importlib import resources
from typing import TYPE_CHECKING

import asyncpg
import msgspec

from realtime.postgres.database import connect
from realtime.postgres.own_objects import HISTORY, history_table, listed, objects_of, own_names
from realtime.protocol.errors import MigrationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from realtime.postgres.database import Connection

log = logging.getLogger(__name__)

LOCK = 0x7A656974  # "zeit": the advisory lock of all who migrate this database

OLDEST_POSTGRES = 15
"""Oldest supported major version of PostgreSQL."""

_TAKEN = (asyncpg.DuplicateTableError, asyncpg.DuplicateObjectError, asyncpg.DuplicateFunctionError)

_NAME = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")


class Migration(msgspec.Struct, frozen=True):
    """One file: ``0001_spine.sql`` has number 1 and name ``spine``."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the text; a file must never change after a release."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def bundled() -> list[Migration]:
    """Return the migrations of this program, in order."""
    found = []
    for file in resources.files("realtime.postgres").joinpath("migrations").iterdir():
        match = _NAME.fullmatch(file.name)
        if match:
            found.append(Migration(number=int(match[1]), name=match[2], sql=file.read_text(encoding="utf-8")))
    found.sort(key=lambda migration: migration.number)
    if [m.number for m in found] != list(range(1, len(found) + 1)):
        raise MigrationError(f"migrations must be numbered 1, 2, 3 … without gaps: {[m.number for m in found]}")
    return found


async def migrate(url: str, migrations: Sequence[Migration] | None = None) -> list[Migration]:
    """Apply missing migrations and return them. Safe to call from many processes at once.

    Raises ``MigrationError`` if an applied file has changed or is missing here, if the database holds other programs'
    tables of the same names, or if its server is too old. A database that knows *more* is left alone: an older program
    must be able to start again after a rollback.
    """
    connection = await connect(url, name="zeitnot migrate")
    try:
        return await apply(connection, bundled() if migrations is None else migrations)
    finally:
        await connection.close()


async def check_server(connection: Connection) -> None:
    """Raise ``MigrationError`` unless the database's server and encoding are supported."""
    version = connection.get_server_version()
    if version.major < OLDEST_POSTGRES:
        raise MigrationError(
            f"the database runs on PostgreSQL {version.major}.{version.minor}; {OLDEST_POSTGRES} or later is needed"
        )
    encoding = await connection.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        raise MigrationError(
            f"the database has the encoding {encoding}, and UTF8 is needed: make another one with "
            "createdb --encoding=UTF8 --template=template0 NAME"
        )


async def check_history(connection: Connection) -> None:
    """Raise ``MigrationError`` if the migration table is not ours."""
    columns = await connection.fetch(
        "SELECT attname FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped",
        await history_table(connection),
    )
    if columns and not {"number", "name", "checksum"} <= {row["attname"] for row in columns}:
        raise _not_ours([HISTORY])


async def _check_names(connection: Connection, applied: Sequence[Migration], missing: Sequence[Migration]) -> None:
    """Raise ``MigrationError`` if other programs' tables have names that are about to be created."""
    new = own_names(m.sql for m in missing) - own_names(m.sql for m in applied)
    names = {name for _, name in new}
    schema = await connection.fetchval("SELECT current_schema()")
    taken = [thing.name for thing in await objects_of(connection, schema) if thing.name in names]
    if taken:
        raise _not_ours(taken)


def _not_ours(names: Sequence[str]) -> MigrationError:
    return MigrationError(
        f"the database contains objects of other programs under names that Zeitnot needs ({listed(names)}): "
        "give Zeitnot a database, or an account with a schema, of its own"
    )


async def _is_up_to_date(connection: Connection, migrations: Sequence[Migration]) -> bool:
    """Return whether the database has exactly these migrations; any other state needs a message."""
    if await history_table(connection) is None:
        return False
    await check_history(connection)
    rows = await connection.fetch("SELECT number, checksum FROM schema_migration ORDER BY number")
    return [tuple(row) for row in rows] == [(migration.number, migration.checksum) for migration in migrations]


async def apply(connection: Connection, migrations: Sequence[Migration]) -> list[Migration]:
    """Apply missing migrations on an open connection.

    If none is missing no lock is taken: a backup, which blocks migrations, does not keep a server from starting.
    """
    await check_server(connection)
    if await _is_up_to_date(connection, migrations):
        return []
    async with connection.transaction():
        if not await connection.fetchval("SELECT pg_try_advisory_xact_lock($1)", LOCK):
            log.info("waiting for a migration, a backup or a restore of this database to end")
            await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        await connection.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migration (
                number     integer     PRIMARY KEY,
                name       text        NOT NULL,
                checksum   text        NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now()
            )
            """
        )
        rows = await connection.fetch("SELECT number, name, checksum FROM schema_migration ORDER BY number")
        applied = {row["number"]: row for row in rows}
        newer = [row["name"] for row in rows if row["number"] > len(migrations)]
        if newer:
            log.warning("the database has migrations that this program does not know: %s", ", ".join(newer))
        missing = []
        for migration in migrations:
            row = applied.get(migration.number)
            if row is None:
                missing.append(migration)
            elif row["checksum"] != migration.checksum:
                raise MigrationError(
                    f"migration {migration.number:04}_{migration.name} was applied with another content: "
                    f"the database says {row['checksum'][:12]}, the file {migration.checksum[:12]}; "
                    "restore the file and put the change into a new migration"
                )
        if missing and missing[0].number <= max(applied, default=0):
            raise MigrationError(
                f"migration {missing[0].number:04}_{missing[0].name} is missing in a database that has later ones"
            )
        await _check_names(connection, [m for m in migrations if m not in missing], missing)
        for migration in missing:
            try:
                await connection.execute(migration.sql)
            except _TAKEN as error:  # an index, or a type that belongs to a table
                raise MigrationError(f"{_not_ours([f'{migration.number:04}_{migration.name}'])}: {error}") from error
            await connection.execute(
                "INSERT INTO schema_migration (number, name, checksum) VALUES ($1, $2, $3)",
                migration.number,
                migration.name,
                migration.checksum,
            )
            log.info("applied migration %04d_%s", migration.number, migration.name)
        return missing
