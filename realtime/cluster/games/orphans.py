"""Background takeover of games without a live owner, and loading of owned games that are not in memory."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from realtime.cluster.games import messages as w
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from realtime.cluster.bus.cluster import Cluster
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.journal.nodes import Node
    from realtime.postgres.database import Pool

POLL_INTERVAL_S = 3.0

AT_ONCE = 20
"""Games taken with one statement, so that other nodes get some as well."""

_OURS = "SELECT id, epoch, deadline IS NOT NULL AS is_correspondence FROM game WHERE status <> 'over' AND owner = $1"

_LOST = "SELECT id, epoch FROM game WHERE id = ANY ($1::text[]) AND owner IS DISTINCT FROM $2"

_NOBODYS = """
SELECT id FROM game
WHERE status <> 'over' AND id = ANY ($2::text[])
    AND NOT EXISTS (SELECT FROM node WHERE id = game.owner AND id <> $1 AND expires_at > now())
"""

log = logging.getLogger(__name__)


class OrphanGames:
    """The orphan search of this node.

    Attributes:
        is_stopping: it takes no more games.
    """

    def __init__(self, cluster: Cluster, tables: Tables, node: Node, pool: Pool) -> None:
        self.is_stopping = False
        self._cluster = cluster
        self._tables = tables
        self._node = node
        self._pool = pool
        self._wake = asyncio.Event()
        self._is_called = False
        """Another part has reported orphans."""
        self._task: asyncio.Task[None] | None = None
        cluster.on_gone.append(lambda node: self.wake())
        cluster.subscribe("game.free", w.GameRefs, lambda sender, body: self.wake())
        cluster.subscribe("game.opened", w.GameRef, lambda sender, body: self.wake())

    def start(self) -> None:
        """Start the search."""
        self._task = asyncio.create_task(self._run(), name="look after orphans")

    async def close(self) -> None:
        """Stop the search."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Search soon: there may be orphans."""
        self._is_called = True
        self._wake.set()

    async def of_nobody_else(self, games: Sequence[str]) -> list[str]:
        """Return those of ``games`` that no other live node owns, in their order. Raises any query error."""
        found = {row["id"] for row in await self._pool.fetch(_NOBODYS, self._node.id, list(games))}
        return [game for game in games if game in found]

    async def _run(self) -> None:
        while True:
            try:
                async with asyncio.timeout(POLL_INTERVAL_S):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()
            # A lone node owns everything, and no other node leaves it games.
            if self.is_stopping or (self._cluster.is_alone and not self._is_called):
                continue
            self._is_called = False
            try:
                await self.look()
            except FAILURES as error:
                log.info("the database is in trouble (%r); games without an owner are looked for later", error)
            except Exception:  # the top of a task
                log.exception("games without an owner could not be taken over")

    async def look(self) -> None:
        """Take over games without an owner, and load owned ones. Raises any query error."""
        taken = AT_ONCE
        while taken == AT_ONCE and not self.is_stopping:
            owned = await self._node.take_over(AT_ONCE)
            taken = len(owned)
            await self._adopt([one.id for one in owned if self._is_wanted(one.id, one.is_correspondence)])
        if not self.is_stopping:
            rows = await self._pool.fetch(_OURS, self._node.id)
            ours = {row["id"]: row["epoch"] for row in rows}
            wanted = [row["id"] for row in rows if self._is_wanted(row["id"], row["is_correspondence"])]
            await self._adopt([game for game in wanted if not self._tables.has(game)])
            await self._lose([table.id for table in self._owned() if ours.get(table.id) != table.epoch])

    def _is_wanted(self, game: str, is_correspondence: bool) -> bool:  # noqa: FBT001  a column
        """Return whether an owned game needs a table: for its clock, or for listeners to a former replica."""
        return not is_correspondence or self._tables.peek(game) is not None

    async def _lose(self, games: Sequence[str]) -> None:
        """Drop those of ``games`` that other nodes have taken. Some may have begun or changed hands since they were
        listed.
        """
        if games:
            rows = await self._pool.fetch(_LOST, list(games), self._node.id)
            epochs = {row["id"]: row["epoch"] for row in rows}
            for table in self._owned():
                if table.epoch is not None and epochs.get(table.id, 0) > table.epoch:
                    table.lose()

    def _owned(self) -> list[Table]:
        return [table for table in self._tables.all() if table.epoch is not None and table.game.status != "over"]

    async def _adopt(self, games: Sequence[str]) -> None:
        if games:
            log.info("took over %d games", len(games))
            await self._tables.adopt_all(games)
