"""Correspondence flags: a table is loaded shortly before its flag falls, and its own timer does the rest."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from game_core.errors import Refusal
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from realtime.games.tables import Tables
    from realtime.journal.nodes import Node
    from realtime.postgres.database import Pool

POLL_INTERVAL_S = 5.0

AHEAD_S = 10.0
"""Tables are loaded this long before their flags fall."""

AT_ONCE = 200
"""Most tables rebuilt after one query."""

_DUE = """
SELECT id FROM game WHERE owner = $1 AND status <> 'over' AND deadline < now() + make_interval(secs => $2)
    AND id <> ALL ($3::text[])
ORDER BY deadline LIMIT $4
"""

_POSTPONE = """
UPDATE game SET deadline = deadline + make_interval(secs => $2)
WHERE owner = $1 AND status <> 'over' AND deadline IS NOT NULL AND id <> ALL ($3::text[])
"""

log = logging.getLogger(__name__)


class Deadlines:
    """Deadlines of the games of this node."""

    def __init__(self, pool: Pool, node: Node, tables: Tables) -> None:
        self._pool = pool
        self._node = node
        self._tables = tables
        self._away: list[tuple[float, list[str]]] = []
        """Outages of the database in seconds that the deadlines are still to be moved by, each with the games that held
        their own clocks."""
        self._woken = asyncio.Event()
        node.on_back.append(self._back)

    async def run(self) -> None:
        """Look for due flags until cancelled."""
        while True:
            try:
                await self.look()
            except FAILURES as error:
                log.info("the database is in trouble (%r); correspondence flags are checked later", error)
            except Exception:  # the top of a task
                log.exception("correspondence flags could not be checked")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_INTERVAL_S):
                    await self._woken.wait()
            self._woken.clear()

    async def look(self) -> None:
        """Take over games without an owner, and load those whose flags fall soon. Raises the errors of a query."""
        while self._away:
            away_s, held = self._away[0]
            await self._pool.execute(_POSTPONE, self._node.id, away_s, held)
            del self._away[0]
        await self._node.take_over_correspondence()
        here = self._here()
        for row in await self._pool.fetch(_DUE, self._node.id, AHEAD_S, here, AT_ONCE):
            try:
                await self._tables.own(row["id"])
            except Refusal as error:
                log.info("a correspondence game is checked later: %s", error, extra={"game": row["id"]})

    def _back(self, away_s: float) -> None:
        # Tables in memory hold their clocks themselves.
        self._away.append((away_s, self._here()))
        self._woken.set()

    def _here(self) -> list[str]:
        tables = (table for table in self._tables.all() if table.epoch is not None and table.game.clock is not None)
        return [table.id for table in tables if table.game.clock is not None and table.game.clock.is_correspondence]
