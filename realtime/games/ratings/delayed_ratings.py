"""Ratings of games with a public delay: counted when the public may see their ends.

Every node looks for due games. ``rated_transaction.count_later`` counts each game once, whichever node is first.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from realtime.fanout.message import Message
from realtime.journal.game_rows import ratings_after
from realtime.journal.rated_transaction import count_later
from realtime.postgres.database import classify

if TYPE_CHECKING:
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.postgres.database import Pool
    from realtime.protocol.wire_types import RatedWire

POLL_INTERVAL_S = 2.0

AT_ONCE = 200
"""Most games counted after one query."""

_DUE = "SELECT game FROM rating_later WHERE due_at <= now() AND game <> ALL ($1::text[]) ORDER BY due_at LIMIT $2"

_COUNTED = """
SELECT g.id, g.unrated, w.rating AS white, b.rating AS black
FROM game g
LEFT JOIN rated_game w ON w.game = g.id AND w.person = g.white
LEFT JOIN rated_game b ON b.game = g.id AND b.person = g.black
WHERE g.id = ANY ($1::text[]) AND (g.rated_at IS NOT NULL OR g.unrated IS NOT NULL)
"""

log = logging.getLogger(__name__)


class DelayedRatings:
    """Counts due games of the whole database and tells the subscribers at this node."""

    def __init__(self, pool: Pool, tables: Tables) -> None:
        self._pool = pool
        self._tables = tables
        self._failed: set[str] = set()
        """Games whose count failed because of a fault; the next process tries them again."""

    async def run(self) -> None:
        """Count due games until cancelled."""
        while True:
            try:
                await self.look()
            except Exception as error:  # the top of a task
                if classify(error) is None:
                    log.exception("delayed games could not be rated")
                else:
                    log.info("the database is in trouble (%r); delayed games are rated later", error)
            await asyncio.sleep(POLL_INTERVAL_S)

    async def look(self) -> None:
        """Count the due games. Raises the errors of a query."""
        for row in await self._pool.fetch(_DUE, list(self._failed), AT_ONCE):
            await self._count(row["game"])
        waiting = {
            table.id: table
            for table in self._tables.finished.all()
            if table.game.unrated == "later" and table.delayed is None  # else some have not seen the end yet
        }
        if not waiting:
            return
        for row in await self._pool.fetch(_COUNTED, list(waiting)):
            table = waiting[row["id"]]
            ratings = ratings_after(row["white"], row["black"])
            table.adjust(ratings=ratings, unrated=row["unrated"])
            _tell(table)

    async def _count(self, game: str) -> None:
        """Count one game. A fault in it does not stop the others."""
        try:
            async with self._pool.acquire() as connection:
                await count_later(connection, game)
        except Exception as error:
            if classify(error) is not None:
                raise
            self._failed.add(game)
            log.exception("a delayed game could not be rated", extra={"game": game})


def _tell(table: Table) -> None:
    body: RatedWire = {"t": "rated", "g": table.id, "ratings": table.game.ratings, "unrated": table.game.unrated}
    table.topic.snapshot = None
    table.topic.send(Message(body))
