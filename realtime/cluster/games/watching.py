"""Wiring of all views of many games: lists, television and the lobby wall cover the games of all nodes."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from realtime.cluster.games.live_exchange import LiveExchange
from realtime.cluster.games.tv_relay import TvRelay
from realtime.watching.live_index import LiveIndex
from realtime.watching.live_lists import LiveLists
from realtime.watching.lobby_view import TOP, LobbyGames
from realtime.watching.newest_games import NewestGames
from realtime.watching.remote_games import RemoteGames
from realtime.watching.top_games import TopGames
from realtime.watching.tv.director import Director
from realtime.watching.tv.recall import recall

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.lobby.lobby_leader import LobbyLeader
    from realtime.fanout.spectator_queue import FanOut
    from realtime.games.tables import Tables
    from realtime.postgres.database import Pool
    from simul.wire_lists import SimulCardWire

LOOK_S = 1.0
"""Interval between two updates of the games of other nodes that the lobby wall shows."""

log = logging.getLogger(__name__)


class ClusterWatching:
    """The cluster-wide views, created once by the wiring.

    Attributes:
        relay: set by ``follow``.
    """

    relay: TvRelay

    def __init__(self, *, cluster: Cluster, tables: Tables, time: ServerTime, fan_out: FanOut, pool: Pool) -> None:
        self._cluster = cluster
        self._tables = tables
        self._time = time
        self._pool = pool
        self.elsewhere = RemoteGames(time)
        self.director = Director(tables, time, fan_out, self.elsewhere)
        self.book = LiveIndex(tables, time, self.elsewhere)
        self.newest = NewestGames(pool)
        self.top = TopGames()
        lists = LiveLists(tables, self.elsewhere, self.director, self.book, self.top)
        self._exchange = LiveExchange(cluster, tables, lists, self.elsewhere, time)
        tables.observers = (lists, self.newest)

    def follow(self, hub: LobbyLeader) -> None:
        """Let the lobby leader direct television. Called once, before the first search for a leader."""
        self.relay = TvRelay(self._cluster, hub, self.director, self._time)

    def wall(self, simuls: Callable[[], list[SimulCardWire]]) -> LobbyGames:
        """Return what the lobby shows while this node leads it."""
        return LobbyGames(self._tables, self.top, self._time, simuls, self.elsewhere)

    async def run(self) -> None:
        """Keep the lobby wall's games of other nodes up to date, for ever."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look()
            except Exception:  # the top of a task
                log.exception("games of other nodes could not be looked at; they are in a second")

    async def look(self) -> None:
        """Update them once."""
        if len(self.elsewhere) and self.relay.leads:
            await self.elsewhere.fetch([*self.top.first(TOP), *self.director.shown().values()])

    async def recall(self) -> None:
        """Restore the last choice of television before a director exists. A task of the server's start."""
        await self.relay.has_led.wait()
        await recall(self.director, self._tables, self._pool)

    def close(self) -> None:
        """Stop."""
        self._exchange.close()
