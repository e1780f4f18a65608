"""Letting go of all games: a node that is about to stop gives them to the others while people go on playing."""

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
"""Games let go with one statement: the others rebuild these while the next ones are still played here."""

BUSY_S = 0.01
"""Between two looks at tables whose last append is not answered yet."""


class Release:
    """Of one node."""

    def __init__(self, cluster: Cluster, tables: Tables, node: Node, mirrors: GameReplicas, owned: OwnedGames) -> None:
        self._cluster = cluster
        self._tables = tables
        self._node = node
        self._mirrors = mirrors
        self._owned = owned

    async def run(self, games: Collection[str] | None = None) -> None:
        """Let go of all games that are not over, or of those among ``games``, each as soon as its last append is
        answered. Who listens here goes on listening, and his requests go where his game is then. Raises what a query
        raises.
        """
        while waiting := [
            table for table in self._tables.all() if _is_ours(table) and (games is None or table.id in games)
        ]:
            free = [table for table in waiting if not table.is_busy][:AT_ONCE]
            if free:
                await self._let_go(free)
            else:
                await asyncio.sleep(BUSY_S)

    async def _let_go(self, tables: list[Table]) -> None:
        now_ms, thought_ms = self._tables.now_ms(), {}
        for table in tables:
            thought_ms[table.id] = 0 if table.game.clock is None else table.game.clock.elapsed_ms(now_ms)
            table.epoch = None
        games = list(thought_ms)
        await self._node.release(thought_ms)
        self._cluster.tell_all("game.free", w.Games(games))
        for table in tables:
            self._owned.let_go(table.id)
            table.followers = None
            if self._tables.peek(table.id) is table:
                self._mirrors.enter(table, None)


def _is_ours(table: Table) -> bool:
    return table.epoch is not None and table.game.status != "over"
