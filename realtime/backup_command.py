"""The command ``zeitnot backup``: one instant of the database in a file, while games go on.

    pg_dump ──► file beside FILE ──► fsync ──► read again ──► FILE

``pg_dump`` reads in one REPEATABLE READ transaction: what was committed when it began, and nothing else. Rows of
``node`` are left out: who led games then does not lead those that are restored.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg

from realtime.backup_archive import HISTORY, read_archive, read_through
from realtime.backup_file import BackupFile, no_room, unfinished
from realtime.database import FAILURES, connect
from realtime.embedded import opened_beside
from realtime.errors import BackupError
from realtime.libpq_environment import environment_of
from realtime.migrate import LOCK
from realtime.postgres_tools import Tools, find_tools

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from realtime.database import Connection
    from realtime.settings import Settings

STANDARD_OUTPUT = "-"

LOCK_WAIT_S = 60
"""For a migration to end, or whatever else holds a table. Who waits for a table holds up all who come after him."""

_SESSION = {"tcp_keepalives_idle": "60", "idle_session_timeout": "0", "statement_timeout": "0"}
"""Of a connection that only holds a lock while a program works for hours."""


async def back_up(settings: Settings, write: Callable[[str], None], *, file: str, force: bool) -> int:
    """Write a backup to ``file``; the exit status.

    Raises:
        BackupError: there is none now; under the name ``file`` is what was there before.
        EmbeddedError: there is no database in the data directory, or it cannot be started.
        OSError: the file cannot be written.
    """
    if file == STANDARD_OUTPUT:
        if sys.stdout.isatty():
            raise BackupError(
                "a backup is nothing to read: send standard output to a file or a program, or name a file"
            )
        await _dump(settings, sys.stdout.fileno())
        return 0
    with unfinished(Path(file), replace=force) as target:
        tools = await _dump(settings, target)
        await target.flush()
        archive = await read_archive(tools, target.descriptor, file)
        await read_through(tools, target.descriptor, file)
        await target.finish()
    size = target.path.stat().st_size
    write(f"{file}: {size / 1e6:.1f} MB, migrations up to {len(archive.migrations):04}")
    return 0


async def _dump(settings: Settings, target: BackupFile | int) -> Tools:
    """Have the database written to a file, or to a descriptor that nobody can go back in; the programs that did it."""
    if isinstance(target, BackupFile):
        # By its name: pg_dump goes back to note where which table is, and cannot in what it inherits.
        arguments, stdout = [f"--file={target.beside}", "--no-sync"], asyncio.subprocess.DEVNULL
    else:
        arguments, stdout = [], target
    async with (
        opened_beside(settings.data, settings.postgres_bin, settings.database) as url,
        visited(url, name="zeitnot backup") as connection,
    ):
        tools = await tools_for(settings, url, connection)
        schema = await _hold(connection)
        quoted = '"' + schema.replace('"', '""') + '"'
        try:
            await tools.run(
                "pg_dump",
                "--format=custom",
                "--no-password",
                f"--lock-wait-timeout={LOCK_WAIT_S}s",
                f"--schema={quoted}",
                f"--exclude-table-data={quoted}.node",
                *arguments,
                stdout=stdout,
            )
        except BackupError as error:
            raise _plainer(str(error), target) from error
    return tools


def _plainer(complaint: str, target: BackupFile | int) -> BackupError:
    """What ``pg_dump`` says, in other words where its own are no help."""
    if isinstance(target, BackupFile) and any(sign in complaint for sign in ("No space left", "quota exceeded")):
        return no_room(target.path)
    if "SIGPIPE" in complaint or "Broken pipe" in complaint:
        return BackupError("whoever read the backup from standard output has stopped reading")
    if "timeout" in complaint and "LOCK TABLE" in complaint:
        return BackupError(f"a table has been locked by somebody else for {LOCK_WAIT_S} s: try again when that is done")
    return BackupError(complaint)


async def _hold(connection: Connection) -> str:
    """Keep migrations away; the schema in which the tables are. A server starts nevertheless if it has none to make."""
    try:
        await connection.execute(f"SET lock_timeout = '{LOCK_WAIT_S}s'")
        await connection.execute("SELECT pg_advisory_lock_shared($1)", LOCK)
        schema: str | None = await connection.fetchval(
            "SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = to_regclass($1)", HISTORY
        )
    except asyncpg.LockNotAvailableError as error:
        raise BackupError("the database is being migrated or restored: try again when that is done") from error
    except FAILURES as error:
        raise BackupError(f"the database does not answer: {error}") from error
    if schema is None:
        raise BackupError("there is nothing of Zeitnot in this database")
    return schema.strip('"')


@asynccontextmanager
async def visited(url: str, name: str) -> AsyncIterator[Connection]:
    """A connection that may lie idle for hours. Raises ``BackupError`` when there is none to be had."""
    try:
        connection = await connect(url, name=name, settings=_SESSION)
    except FAILURES as error:
        raise BackupError(f"the database does not answer: {error}") from error
    try:
        yield connection
    finally:
        connection.terminate()


async def tools_for(settings: Settings, url: str, connection: Connection) -> Tools:
    """The programs for the server that ``connection`` leads to. Raises ``BackupError`` when there are none."""
    major = connection.get_server_version().major
    return await find_tools(settings.postgres_bin, at_least=major, environment=environment_of(url, os.environ))
