"""Counts the rated games that the public sees later, at the instant at which it may see their ends.

Every node looks for what is due. ``rated_transaction.count_later`` counts each game once, whichever node comes first.
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

LOOK_S = 2.0

AT_ONCE = 200
"""Games that are counted after one look."""

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
    """Of all games in the database; tells those who listen at tables of this node."""

    def __init__(self, pool: Pool, tables: Tables) -> None:
        self._pool = pool
        self._tables = tables
        self._failed: set[str] = set()
        """Games that could not be counted by a fault; they are tried again by the next process."""

    async def run(self) -> None:
        """Look for ever."""
        while True:
            try:
                await self.look()
            except Exception as error:  # the top of a task
                if classify(error) is None:
                    log.exception("delayed games could not be rated")
                else:
                    log.info("the database is in trouble (%r); delayed games are rated later", error)
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Count what is due. Raises what a query raises."""
        for row in await self._pool.fetch(_DUE, list(self._failed), AT_ONCE):
            await self._count(row["game"])
        waiting = {
            table.id: table
            for table in self._tables.finished.all()
            if table.game.unrated == "later" and table.late is None  # else some still wait to be shown the end
        }
        if not waiting:
            return
        for row in await self._pool.fetch(_COUNTED, list(waiting)):
            table = waiting[row["id"]]
            ratings = ratings_after(row["white"], row["black"])
            table.adjust(ratings=ratings, unrated=row["unrated"])
            _tell(table)

    async def _count(self, game: str) -> None:
        """Count one game; a fault of it alone keeps no other from being counted."""
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
