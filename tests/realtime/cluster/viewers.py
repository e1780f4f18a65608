"""Nodes in one process with everything that shows many games: lists, television, the lobby view, streams."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from game_core.time_control import parse_time_control
from lobby.moderation.bans import Bans
from realtime.cluster.bus.bus import Exchange
from realtime.cluster.games.watching import ClusterWatching, Television
from realtime.cluster.lobby.lobby_wiring import ClusterLobby
from realtime.cluster.people.remote_presence import RemotePresence
from realtime.dispatch.verbs.topics import TopicVerbs
from realtime.fanout.spectator_queue import FanOut
from realtime.people.block_lists import BlockLists
from realtime.people.presence import Presence
from realtime.watching.feeds import Feeds
from realtime.watching.live_index import LiveFilter
from realtime.watching.reader import GameReader
from tests.empty_tables import clear
from tests.realtime.cluster.fleet import Member, Socket
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from lobby.pairing import NewGame
    from realtime.postgres.database import Pool

BLITZ = parse_time_control({"base_s": 300, "inc_s": 0})


class Viewer(Member):
    """One node."""

    def __init__(self, url: str, pool: Pool, name: str, exchange: Exchange) -> None:
        super().__init__(url, pool, name, exchange)
        fan_out = FanOut()
        self.watching = ClusterWatching(
            cluster=self.cluster, tables=self.tables, time=self.time, fan_out=fan_out, pool=pool
        )
        self.director = self.watching.director
        self.feeds = Feeds(self.tables, self.time, self.director)
        self.reader = GameReader(pool, self.tables, self.time, self.watching.newest, self.watching.remote_games)
        people = Presence(lambda user, here: None)
        self.lobby = ClusterLobby(
            cluster=self.cluster,
            node=self.node,
            pool=pool,
            starter=self.tables,
            people=people,
            presence=RemotePresence(self.cluster, people),
            content=self.watching.content(),
            time=self.time,
            bans=Bans(pool, lambda: 0),
            fan_out=fan_out,
        )
        self.leader = self.lobby.leader
        self.television = Television(
            cluster=self.cluster,
            leader=self.leader,
            watching=self.watching,
            tables=self.tables,
            time=self.time,
            pool=pool,
        )
        self.topic_verbs = TopicVerbs(
            self.tables, self.lobby.client, self.lobby.relay, people, self.time, BlockLists(pool), None, self.director
        )

    async def start(self) -> None:
        await super().start()
        await self.leader.look()

    async def close(self) -> None:
        self.watching.close()
        await self.feeds.close_all()
        await self.lobby.close()
        await super().close()

    def direct(self) -> dict[str, str]:
        """Let television decide as after a second; return what is shown."""
        self.television.relay.tick()
        return self.director.shown()

    async def listed(self, **wanted: Any) -> list[str]:
        """Return the ids of the games in a new list."""
        self.watching.book._answered_at_ms = -10_000
        return [line["g"] for line in await self.watching.book.look(LiveFilter(**wanted), 24)]

    async def begun(self, **terms: Any) -> NewGame:
        """Create a game in which both sides have moved."""
        new = await self.new_game(BLITZ, **terms)
        white, black = Socket(self, new.white), Socket(self, new.black)
        for ply, (socket, move) in enumerate(((white, "e2e4"), (black, "e7e5"))):
            await socket.sub(new.id)
            assert (await socket.ask("move", g=new.id, ply=ply, move=move))["t"] == "ok"
        return new

    async def resign(self, new: NewGame) -> None:
        """Let White resign."""
        assert (await Socket(self, new.white).ask("resign", g=new.id))["t"] == "ok"

    def knows(self, *games: NewGame) -> bool:
        """Return whether this node knows exactly these games of other nodes."""
        return self.watching.remote_games._cards.keys() == {new.id for new in games}


class TvSet(Socket):
    """A client that watches television, and the games that it believes to be on."""

    channels: dict[str, str]
    seq = 0

    async def tune(self) -> None:
        """Subscribe."""
        assert (await self.ask("sub", topic="tv"))["t"] == "ok"

    def shown(self) -> dict[str, str]:
        """Return the games on television. Raises if a message is missing."""
        channels: dict[str, str] = {}
        seq: int | None = None
        for message in self.heard:
            if message["t"] == "tv":
                channels, seq = dict(message["channels"]), message["seq"]
            elif message["t"] == "tv.game":
                assert seq is not None
                assert message["seq"] == seq + 1, f"missed something before {message}"
                seq = message["seq"]
                channels[message["channel"]] = message["g"]
        return channels


@asynccontextmanager
async def viewers(url: str, pool: Pool, *names: str, exchange: Exchange | None = None) -> AsyncIterator[list[Viewer]]:
    """Run nodes that know and reach each other; the first is the leader."""
    exchange = exchange or Exchange()
    await clear(pool, "person", "seek", "challenge", "request", "waiting", "game", "node", "cluster_role")
    async with AsyncExitStack() as stack:
        found = []
        for name in names:
            one = Viewer(url, pool, name, exchange)
            await one.start()
            stack.push_async_callback(one.close)
            found.append(one)
        for one in found:
            await one.cluster.look()
            await one.leader.look()
        await until(lambda: all(one.cluster.is_reached(other.name) for one in found for other in found))
        assert found[0].leader.is_here
        yield found
