"""Construction of the lists, television and the lobby's list of games, which cover the games of all nodes."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from realtime.cluster.games.live_exchange import LiveExchange
from realtime.cluster.games.live_lines import LiveLines
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

POLL_INTERVAL_S = 1.0
"""Interval between two updates of the games of other nodes that the lobby shows."""

log = logging.getLogger(__name__)


class ClusterWatching:
    """The cluster-wide views.

    Attributes:
        remote_games: the games of other nodes.
        director: television.
        book: index of the games in play.
        newest: the newest stored games.
        top: the best-rated games in play.
        lists: all of these, told of the games of this node and of others.
        simul_cards: called for the simuls open to new players, newest first, that the lobby shows.
    """

    def __init__(self, *, cluster: Cluster, tables: Tables, time: ServerTime, fan_out: FanOut, pool: Pool) -> None:
        self._tables = tables
        self._time = time
        self.simul_cards: list[Callable[[], list[SimulCardWire]]] = []
        self.remote_games = RemoteGames(time, LiveLines(cluster, tables, time).request)
        self.director = Director(tables, time, fan_out, self.remote_games)
        self.book = LiveIndex(tables, time, self.remote_games)
        self.newest = NewestGames(pool)
        self.top = TopGames()
        self.lists = LiveLists(
            tables, self.remote_games, self.director, self.book, self.top, is_alone=lambda: cluster.is_alone
        )
        self._exchange = LiveExchange(cluster, self.lists)
        tables.observe(self.lists, self.newest)

    def content(self) -> LobbyGames:
        """Return what the lobby shows while this node leads it."""
        return LobbyGames(self._tables, self.top, self._time, self._simuls, self.remote_games, self.book.playing)

    def _simuls(self) -> list[SimulCardWire]:
        return [card for cards in self.simul_cards for card in cards()]

    def close(self) -> None:
        """Stop."""
        self._exchange.close()


class Television:
    """Television of this node, which follows the lobby leader's.

    Attributes:
        relay: exchanges the choice with other nodes.
    """

    def __init__(
        self,
        *,
        cluster: Cluster,
        leader: LobbyLeader,
        watching: ClusterWatching,
        tables: Tables,
        time: ServerTime,
        pool: Pool,
    ) -> None:
        self.relay = TvRelay(cluster, leader, watching.director, time)
        self._watching = watching
        self._tables = tables
        self._pool = pool

    async def run(self) -> None:
        """Keep the lobby's games of other nodes up to date, for ever."""
        while True:
            await asyncio.sleep(POLL_INTERVAL_S)
            try:
                await self.look()
            except Exception:  # the top of a task
                log.exception("games of other nodes could not be read; trying again in a second")

    async def look(self) -> None:
        """Update them once."""
        watching = self._watching
        if len(watching.remote_games) and self.relay.leads:
            await watching.remote_games.fetch([*watching.top.first(TOP), *watching.director.shown().values()])

    async def recall(self) -> None:
        """Restore the last choice of television before a director exists. A task of the server's start."""
        await self.relay.has_led.wait()
        await recall(self._watching.director, self._tables, self._pool)
