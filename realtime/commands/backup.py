"""The command ``zeitnot backup``: a consistent snapshot of the database in a file, while games go on.

    pg_dump ──► file beside FILE ──► fsync ──► read again ──► FILE

``pg_dump`` reads in one REPEATABLE READ transaction: exactly what was committed when it began. Rows of ``node`` are
left out, because nodes of that time do not own restored games.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg

from realtime.commands.backup_archive import read_archive, read_through
from realtime.commands.backup_file import BackupFile, no_room, unfinished
from realtime.journal.last_backup import note_backup
from realtime.postgres.database import FAILURES, connect
from realtime.postgres.embedded import opened_beside
from realtime.postgres.libpq_environment import DEFAULT_HOSTS, environment_of
from realtime.postgres.migrate import LOCK, check_history
from realtime.postgres.own_objects import history_table
from realtime.postgres.tools import Tools, find_tools
from realtime.protocol.errors import BackupError, BadSetting

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from realtime.commands.settings import Settings
    from realtime.postgres.database import Connection

STANDARD_OUTPUT = "-"

OWN_NAMES = "zeitnot-????-??-??T??????Z.dump"
"""Pattern of our files in a directory; others are not touched."""

LOCK_WAIT_S = 60
"""Timeout for table locks, held by a migration for instance. A waiting lock request blocks all later ones."""

CLOSE_S = 5.0

log = logging.getLogger(__name__)

_SESSION = {"tcp_keepalives_idle": "60", "idle_session_timeout": "0", "statement_timeout": "0"}
"""Settings of a connection that only holds a lock while a program works for hours."""


async def back_up(settings: Settings, write: Callable[[str], None], *, file: str, force: bool, keep: int = 0) -> int:
    """Write a backup to ``file``; return the exit status.

    Args:
        file: a directory stands for a new file in it, named after the time.
        keep: how many files of a directory to keep, the newest; 0: all.

    Raises:
        BadSetting: ``keep`` without a directory.
        BackupError: no backup was made; ``file`` is unchanged.
        EmbeddedError: there is no database in the data directory, or it cannot be started.
        OSError: the file cannot be written.
    """
    if file == STANDARD_OUTPUT:
        if sys.stdout.isatty():
            raise BackupError("a backup is binary: redirect standard output to a file or a program, or name a file")
        async with _dumped(settings, sys.stdout.fileno()):
            return 0
    path, directory = _place(file, keep)
    with unfinished(path, replace=force) as target:
        async with _dumped(settings, target) as tools:
            await target.flush()
            archive = await read_archive(tools, target.descriptor, str(path))
            await read_through(tools, target.descriptor, str(path))
            await target.finish()
    size = target.path.stat().st_size
    write(f"{path}: {size / 1e6:.1f} MB, migrations up to {len(archive.migrations):04}")
    if directory is not None and keep:
        for old in sorted(directory.glob(OWN_NAMES))[:-keep]:
            old.unlink()
    return 0


def _place(file: str, keep: int) -> tuple[Path, Path | None]:
    """Return the file, and the directory that was given instead of it."""
    path = Path(file)
    if keep < 0:
        raise BadSetting(f"--keep: expected a number of backups, got {keep}")
    if path.is_dir():
        return path / f"zeitnot-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}.dump", path
    if keep:
        raise BadSetting(f"--keep: {file} is not a directory of backups")
    return path, None


@asynccontextmanager
async def _dumped(settings: Settings, target: BackupFile | int) -> AsyncIterator[Tools]:
    """Dump the database to a file, or to a descriptor that is not seekable; yield the programs that did it.

    The backup is recorded when the block ends.
    """
    if isinstance(target, BackupFile):
        # By name: pg_dump seeks back to record where each table is, which it cannot do in an inherited descriptor.
        arguments, stdout = [f"--file={target.beside}", "--no-sync"], asyncio.subprocess.DEVNULL
    else:
        arguments, stdout = [], target
    async with (
        opened_beside(settings.data, settings.postgres_bin, settings.database) as url,
        visited(url, name="zeitnot backup") as connection,
    ):
        tools = await tools_for(settings, url, connection)
        with refusing_unanswered():
            await hold(connection, shared=True)
            schema = await _schema(connection)
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
        yield tools
        try:
            await note_backup(connection)
        except FAILURES as error:  # a standby or an older schema: the backup is valid all the same
            log.warning("the time of this backup could not be stored for the metrics: %s", error)


def _plainer(complaint: str, target: BackupFile | int) -> BackupError:
    """Return an error for ``pg_dump``'s message, reworded where that does not help."""
    if isinstance(target, BackupFile) and any(sign in complaint for sign in ("No space left", "quota exceeded")):
        return no_room(target.path)
    if "SIGPIPE" in complaint or "Broken pipe" in complaint:
        return BackupError("the reader of standard output has closed it")
    if "timeout" in complaint and "LOCK TABLE" in complaint:
        return BackupError(
            f"a table has been locked by another session for {LOCK_WAIT_S} s: try again when that is done"
        )
    return BackupError(complaint)


async def _schema(connection: Connection) -> str:
    """Return the schema of the tables."""
    if await history_table(connection) is None:
        raise BackupError("this database has no tables of Zeitnot")
    await check_history(connection)
    schema: str = await connection.fetchval("SELECT current_schema()")
    return schema


async def hold(connection: Connection, *, shared: bool) -> None:
    """Block migrations and restores until ``connection`` is closed, and other backups unless ``shared``.

    Raises ``BackupError`` if the lock is held for too long. Servers without missing migrations do not need it.
    """
    lock = "pg_advisory_lock_shared" if shared else "pg_advisory_lock"
    try:
        await connection.execute(f"SET lock_timeout = '{LOCK_WAIT_S}s'")
        await connection.execute(f"SELECT {lock}($1)", LOCK)
        await connection.execute("SET lock_timeout = 0")
    except asyncpg.LockNotAvailableError as error:
        raise BackupError("the database is being migrated, backed up or restored: try again afterwards") from error


@asynccontextmanager
async def visited(url: str, name: str) -> AsyncIterator[Connection]:
    """Open a connection that may be idle for hours. Raises ``BackupError`` if that fails."""
    with refusing_unanswered():
        connection = await connect(url, name=name, settings=_SESSION)
    try:
        yield connection
        with suppress(*FAILURES):
            await connection.close(timeout=CLOSE_S)  # which releases its lock
    finally:
        connection.terminate()


@contextmanager
def refusing_unanswered() -> Iterator[None]:
    """Turn database errors into "does not answer"."""
    try:
        yield
    except FAILURES as error:
        raise BackupError(f"the database is not responding: {error}") from error


async def tools_for(settings: Settings, url: str, connection: Connection) -> Tools:
    """Return the programs for the server of ``connection``. Raises ``BackupError`` if there are none."""
    major = connection.get_server_version().major
    environment = {"PGHOST": DEFAULT_HOSTS, **environment_of(url, os.environ)}
    return await find_tools(settings.postgres_bin, at_least=major, environment=environment)
