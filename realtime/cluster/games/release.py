"""Release of all games: a node that is about to stop hands them to others while play continues."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from realtime.cluster.games import messages as w

if TYPE_CHECKING:
    from collections.abc import Collection

    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.games.game_replicas import GameReplicas
    from realtime.cluster.games.owned_games import OwnedGames
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.journal.nodes import Node

AT_ONCE = 100
"""Games released with one statement: others load these while the rest is still played here."""

BUSY_S = 0.01
"""Interval between two checks of tables whose last append is unanswered."""


class GameReleaser:
    """Releases the games of one node."""

    def __init__(self, cluster: Cluster, tables: Tables, node: Node, replicas: GameReplicas, owned: OwnedGames) -> None:
        self._cluster = cluster
        self._tables = tables
        self._node = node
        self._replicas = replicas
        self._owned = owned

    async def run(self, games: Collection[str] | None = None) -> None:
        """Release all games in progress, or those among ``games``, each as soon as its last append is answered.

        Listeners stay subscribed, and their requests are forwarded to the new owner. Raises any query error.
        """
        while waiting := [
            table for table in self._tables.all() if _is_ours(table) and (games is None or table.id in games)
        ]:
            free = [table for table in waiting if not table.is_busy][:AT_ONCE]
            if free:
                await self._release(free)
            else:
                await asyncio.sleep(BUSY_S)

    async def _release(self, tables: list[Table]) -> None:
        now_ms, thought_ms = self._tables.now_ms(), {}
        for table in tables:
            thought_ms[table.id] = 0 if table.game.clock is None else table.game.clock.elapsed_ms(now_ms)
            table.epoch = None
        games = list(thought_ms)
        await self._node.release(thought_ms)
        self._cluster.broadcast("game.free", w.GameRefs(games))
        for table in tables:
            self._owned.release(table.id)
            table.replica_nodes = None
            if self._tables.peek(table.id) is table:
                self._replicas.enter(table, None)


def _is_ours(table: Table) -> bool:
    return table.epoch is not None and table.game.status != "over"
