"""Time of the last backup, for an alert when it is too long ago."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from realtime.postgres.database import Connection, Pool

POLL_INTERVAL_S = 60.0

NOTE_S = 5
"""Statement timeout of the record."""

log = logging.getLogger(__name__)


class LastBackup:
    """The recorded time of the last backup.

    Attributes:
        at_s: Unix time in seconds; 0 if there was none.
    """

    def __init__(self, pool: Pool) -> None:
        self.at_s = 0.0
        self._pool = pool

    async def run(self) -> None:
        """Read it periodically, for ever. While the database is away the last known time stays."""
        while True:
            try:
                self.at_s = await self._pool.fetchval("SELECT extract(epoch FROM max(at))::float8 FROM backup") or 0.0
            except FAILURES as error:
                log.info("the time of the last backup is unknown: %s", error)
            await asyncio.sleep(POLL_INTERVAL_S)


async def note_backup(connection: Connection) -> None:
    """Record that a backup was made just now. Raises database errors."""
    async with connection.transaction():
        # The backup does not depend on it: the command must not wait for a standby or a lock here.
        await connection.execute(f"SET LOCAL synchronous_commit = local; SET LOCAL statement_timeout = '{NOTE_S}s'")
        await connection.execute(
            "INSERT INTO backup (at) VALUES (now()) ON CONFLICT (one) DO UPDATE SET at = EXCLUDED.at"
        )
