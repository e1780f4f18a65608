"""The command ``zeitnot restore``: restore a backup completely, or change nothing.

    pg_restore ──► psql ──► one transaction: [drop old tables] ─ tables and rows ─ release ownership ─ commit

Then missing migrations are applied. Servers that start meanwhile wait for the migration lock; a live server keeps the
database from being changed.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from realtime.commands.backup import hold, refusing_unanswered, tools_for, visited
from realtime.commands.backup_archive import Archive, check_migrations, read_archive
from realtime.commands.restore_script import afterwards, before
from realtime.commands.restore_target import Target, look_at
from realtime.postgres.database import FAILURES
from realtime.postgres.embedded import EmbeddedPostgres
from realtime.postgres.migrate import apply, bundled, check_server
from realtime.postgres.tools import Tools, check, end, find_tools
from realtime.protocol.errors import BackupError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from realtime.commands.settings import Settings
    from realtime.postgres.database import Connection

STANDARD_INPUT = "-"

PIECE = 256 * 1024
"""Bytes of the script passed on at a time."""

_HEADER_ENDS = b"SELECT pg_catalog.set_config("
"""The session settings are above this line; servers before 17 do not know one of them."""

_NEWER_SETTING = b"SET transaction_timeout"


class BackupSource(msgspec.Struct, frozen=True):
    """An open backup that can be read more than once."""

    descriptor: int
    name: str


@contextmanager
def opened(file: str) -> Iterator[BackupSource]:
    """Open the backup ``file``; ``-`` is standard input. Raises ``OSError``."""
    if file != STANDARD_INPUT:
        with Path(file).open("rb") as backup:
            yield BackupSource(backup.fileno(), file)
        return
    with tempfile.TemporaryFile() as spool:
        shutil.copyfileobj(sys.stdin.buffer, spool)
        spool.flush()
        yield BackupSource(spool.fileno(), "standard input")


async def restore(settings: Settings, write: Callable[[str], None], source: BackupSource, *, replace: bool) -> int:
    """Restore a backup; return the exit status. ``replace``: drop what the database holds.

    Raises:
        BackupError: it was not restored; unless the message says otherwise the database is unchanged.
        MigrationError: the database's server is too old, or its encoding is not UTF-8.
        AlreadyRunning: a server owns the data directory.
        EmbeddedError: the embedded PostgreSQL cannot be started.
    """
    known = bundled()
    reader = await find_tools(settings.postgres_bin, at_least=None, environment=os.environ)
    archive = await read_archive(reader, source.descriptor, source.name)
    check_migrations(archive, known, source.name)
    async with _opened_database(settings) as (url, alone), visited(url, name="zeitnot restore") as connection:
        tools = await tools_for(settings, url, connection)
        with refusing_unanswered():
            await check_server(connection)
            await hold(connection, shared=False)
            target = await look_at(connection)
        target.check(archive.schema, known=known, replace=replace, alone=alone)
        await _deliver(tools, source, archive, target, alone=alone)
        try:
            await apply(connection, known)
            await connection.execute("ANALYZE")
            found = await _count(connection)
        except FAILURES as error:
            raise BackupError(f"{source.name} is restored, but the database has gone since: {error}") from error
    write(f"{source.name} is restored: {found}")
    return 0


@asynccontextmanager
async def _opened_database(settings: Settings) -> AsyncIterator[tuple[str, bool]]:
    """Yield the database's URL, and whether no server can be using it because we own its directory."""
    if settings.database is not None:
        yield settings.database, False
        return
    async with EmbeddedPostgres(settings.data, settings.postgres_bin) as postgres:
        yield postgres.url, True


async def _count(connection: Connection) -> str:
    row = await connection.fetchrow(
        "SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM game WHERE status <> 'over'), "
        "(SELECT count(*) FROM person)"
    )
    assert row is not None
    games, unfinished, people = row
    return f"{games} games, {unfinished} of them unfinished, and {people} people"


async def _deliver(tools: Tools, source: BackupSource, archive: Archive, target: Target, *, alone: bool) -> None:
    """Let psql execute in one transaction what pg_restore reads. On cancellation or failure nothing has changed."""
    os.lseek(source.descriptor, 0, os.SEEK_SET)
    psql = await tools.start(
        "psql",
        "--no-psqlrc",
        "--no-password",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        reader = await tools.start(
            "pg_restore",
            f"--schema={archive.schema}",
            "--no-owner",
            "--no-privileges",
            "--file=-",
            stdin=source.descriptor,
        )
        try:
            assert psql.stderr is not None
            assert reader.stderr is not None
            async with asyncio.TaskGroup() as group:
                psql_said = group.create_task(psql.stderr.read(), name="what psql says")
                reader_said = group.create_task(reader.stderr.read(), name="what pg_restore says")
                await _feed(psql, reader, before(target, alone=alone), afterwards(archive.schema))
                await end(reader)  # it has ended, unless psql ended first
                await psql.wait()
        finally:
            await end(reader)
    finally:
        await end(psql)
    try:
        if reader.returncode and reader.returncode > 0:
            check("pg_restore", reader, reader_said.result())
        check("psql", psql, psql_said.result())
        check("pg_restore", reader, reader_said.result())
    except BackupError as error:
        raise BackupError(f"{source.name} cannot be restored, and the database is as it was: {error}") from error


async def _feed(psql: asyncio.subprocess.Process, reader: asyncio.subprocess.Process, begin: str, commit: str) -> None:
    """Feed psql. It commits only if pg_restore has read the backup to its end."""
    assert psql.stdin is not None
    assert reader.stdout is not None
    try:
        psql.stdin.write(begin.encode())
        async for line in reader.stdout:
            if not line.startswith(_NEWER_SETTING):
                psql.stdin.write(line)
            if line.startswith(_HEADER_ENDS):
                break
        while piece := await reader.stdout.read(PIECE):
            psql.stdin.write(piece)
            await psql.stdin.drain()
        if await reader.wait() == 0:
            psql.stdin.write(commit.encode())
            await psql.stdin.drain()
        psql.stdin.close()
        await psql.stdin.wait_closed()
    except ConnectionError:
        pass  # psql has stopped at an error, which it reports
