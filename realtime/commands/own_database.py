"""Access to Zeitnot's database for commands that are not servers and create no tables."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import asyncpg

from realtime.postgres.database import connect
from realtime.postgres.embedded import opened_beside
from realtime.postgres.migrate import bundled, check_history, check_server
from realtime.postgres.own_objects import HISTORY, history_table
from realtime.protocol.errors import MigrationError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.commands.settings import Settings


@asynccontextmanager
async def opened_own_database(settings: Settings) -> AsyncIterator[str]:
    """Yield the URL of the database of ``settings``, after checking that it is Zeitnot's.

    It may be of an earlier version, because many queries work there too.

    Raises:
        MigrationError: the database is not Zeitnot's, or its server is not supported; or it is of an earlier version
            and the block needs what came later.
        EmbeddedError: there is no database in the data directory.
    """
    async with opened_beside(settings.data, settings.postgres_bin, settings.database) as url:
        version = await _version(url)
        try:
            yield url
        except (asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError) as error:
            newest = len(bundled())
            if version >= newest:
                raise
            raise MigrationError(
                f"the database is of an earlier version (migration {version:04}; this program has those up to "
                f"{newest:04}), and {error}: bring it up to this one with `zeitnot migrate`"
            ) from error


async def _version(url: str) -> int:
    """Return the number of the newest applied migration. Raises ``MigrationError``."""
    connection = await connect(url, name="zeitnot")
    try:
        await check_server(connection)
        if await history_table(connection) is None:
            raise MigrationError(
                "this database has no tables of Zeitnot: `zeitnot migrate` or the first `zeitnot serve` creates them"
            )
        await check_history(connection)
        version: int = await connection.fetchval(f"SELECT coalesce(max(number), 0) FROM {HISTORY}")  # noqa: S608  a constant
        return version
    finally:
        await connection.close()
