"""When the last backup was made: an alert comes when that is too long ago."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from realtime.postgres.database import Connection, Pool

LOOK_S = 60.0

NOTE_S = 5
"""What the note may take."""

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
    async with connection.transaction():
        # The backup does not need it: a standby or a lock that is waited for must not keep the command from its end.
        await connection.execute(f"SET LOCAL synchronous_commit = local; SET LOCAL statement_timeout = '{NOTE_S}s'")
        await connection.execute(
            "INSERT INTO backup (at) VALUES (now()) ON CONFLICT (one) DO UPDATE SET at = EXCLUDED.at"
        )
