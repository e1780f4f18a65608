"""When the last backup was made: an alert comes when that is too long ago."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from realtime.database import FAILURES

if TYPE_CHECKING:
    from realtime.database import Connection, Pool

LOOK_S = 60.0

log = logging.getLogger(__name__)


class LastBackup:
    """What the database knows of it.

    Attributes:
        at_s: Unix time in seconds; 0 if there was none.
    """

    def __init__(self, pool: Pool) -> None:
        self.at_s = 0.0
        self._pool = pool

    async def run(self) -> None:
        """Look for ever; while the database is away what was known stays."""
        while True:
            try:
                self.at_s = await self._pool.fetchval("SELECT extract(epoch FROM max(at))::float8 FROM backup") or 0.0
            except FAILURES as error:
                log.info("when the last backup was made is not known: %s", error)
            await asyncio.sleep(LOOK_S)


async def note_backup(connection: Connection) -> None:
    """Let the servers know that a backup was made just now. Raises what a query raises."""
    await connection.execute("INSERT INTO backup (at) VALUES (now()) ON CONFLICT (one) DO UPDATE SET at = EXCLUDED.at")
