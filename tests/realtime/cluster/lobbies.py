"""Nodes in one process, each with its part of the cluster's lobby."""

from __future__ import annotations

import asyncio
import math
from contextlib import AsyncExitStack, asynccontextmanager
from time import time_ns
from typing import TYPE_CHECKING, Any

from lobby.accounts.identity import create_guest
from lobby.moderation.bans import Bans
from realtime.clock.loop_time import LoopTime, running_time
from realtime.cluster.bus.bus import Exchange
from realtime.cluster.lobby.lobby_wiring import ClusterLobby
from realtime.dispatch.verbs.topics import TopicVerbs
from realtime.fanout.session import Session
from realtime.fanout.spectator_queue import FanOut
from realtime.protocol.requests import Sub
from tests.empty_tables import clear
from tests.lobby.conftest import Server
from tests.realtime.cluster.meeting import end_lease
from tests.realtime.cluster.party import Guest, Socket, meet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from lobby.accounts.user import User
    from lobby.pairing import NewGame
    from lobby.ports import Connection
    from realtime.postgres.database import Pool


class EmptyLobby:
    """A lobby view without games."""

    playing: Mapping[str, int] = {}

    def count(self) -> int:
        return 0

    def first(self, count: int) -> list[str]:
        return []

    def seq_of(self, game_id: str) -> int:
        raise AssertionError(game_id)

    def card(self, game_id: str) -> Any:
        raise AssertionError(game_id)

    def simuls(self) -> list[Any]:
        return []


class Watcher(Socket):
    """A socket that makes requests and gets answers."""

    def send(self, message: Mapping[str, Any]) -> None:
        self.heard.append(dict(message))

    def write_droppable(self, frame: bytes) -> None:
        """Take frames that may be lost."""
        self.write(frame)

    def said(self, *kinds: str) -> list[dict[str, Any]]:
        """Return the received messages of these kinds."""
        return [message for message in self.heard if message["t"] in kinds]

    def seeks(self) -> list[str]:
        """Return the ids of the open seeks, as a client computes them from its messages. Raises if one is missing."""
        seeks: list[str] = []
        seq: int | None = None
        for message in self.heard:
            if message["t"] == "lobby":
                seeks, seq = [seek["seek"] for seek in message["seeks"]], message["seq"]
            elif message["t"].startswith("lobby.") and "seq" in message:
                assert seq is not None
                assert message["seq"] == seq + 1, f"missed something before {message}"
                seq = message["seq"]
                if message["t"] == "lobby.add":
                    seeks.append(message["seek"])
                elif message["t"] == "lobby.gone":
                    seeks.remove(message["seek"])
        return seeks


class SlowServer(Server):
    """A server that creates games on request."""

    def __init__(self) -> None:
        super().__init__()
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.starting = asyncio.Event()

    async def start(self, new_game: NewGame, connection: Connection) -> NewGame:
        self.starting.set()
        await self.is_open.wait()
        return await super().start(new_game, connection)


class Member(Guest):
    """A node with the lobby, or with a client of it."""

    def __init__(self, url: str, pool: Pool, name: str, exchange: Exchange, *, ahead_s: int = 0) -> None:
        """``ahead_s``: error of the machine's clock in seconds."""
        super().__init__(url, pool, name, exchange)
        self.server = SlowServer()
        self.is_dead = False
        time = running_time() if ahead_s == 0 else LoopTime(wall_ns=lambda: time_ns() + ahead_s * 1_000_000_000)
        if ahead_s:
            self.node._on_clock = time.set_wall
        self.lobby = ClusterLobby(
            cluster=self.cluster,
            node=self.node,
            pool=pool,
            starter=self.server,
            people=self.people,
            presence=self.presence,
            content=EmptyLobby(),
            time=time,
            bans=Bans(pool, lambda: time.wall_ms(time.now_ms())),
            fan_out=FanOut(),
        )
        self.client, self.leader = self.lobby.client, self.lobby.leader
        self.topics = TopicVerbs(None, self.client, self.lobby.relay, self.people, time, None)  # type: ignore[arg-type]  # no games

    def notice(self, user: str, here: bool) -> None:
        super().notice(user, here)
        (self.leader.came if here else self.leader.left)(user)

    async def come(self) -> None:
        await super().come()
        await self.leader.look()

    async def die(self) -> None:
        if self.is_dead:
            return
        await self.lobby.close()
        await super().die()

    async def crash(self) -> None:
        """Stop in the middle of all work; the lease has ended in the database."""
        self.is_dead = True
        self.presence.close()
        work = [*self.leader.lobby._tasks, *self.cluster._work]
        for task in work:
            task.cancel()
        await self.cluster.close()
        await asyncio.gather(*work, return_exceptions=True)
        await self.lobby.close()
        await self.node.close()

    async def fall_asleep(self) -> None:
        """Suspend the node until its lease has ended by the database's clock; it does not notice before it wakes up."""
        await end_lease(self.node, self.pool)
        self.node._renewed_at = math.inf

    async def wake_up(self) -> None:
        """Resume with a lease."""
        await self.node._renew()
        self.node._task = asyncio.create_task(self.node._keep(), name="node lease")

    async def user(self) -> tuple[User, Watcher]:
        """Create a user with a socket at this node."""
        user, _ = await create_guest(self.pool)
        return user, self.sit(user)

    def sit(self, user: User | None) -> Watcher:
        """Open a socket of ``user``."""
        socket: Any = Watcher(user)
        self.people.add(socket)
        watcher: Watcher = socket
        return watcher

    async def watch(self, socket: Watcher, from_seq: int | None = None) -> Session:
        """Subscribe to the lobby."""
        session = Session(socket)  # type: ignore[arg-type]  # as far as a session needs one
        self.topics.sub(session, Sub(id=1, topic="lobby", from_seq=from_seq), 0)
        await session.finish()
        return session


@asynccontextmanager
async def members(
    url: str, pool: Pool, *names: str, exchange: Exchange | None = None, ahead_s: Sequence[int] = ()
) -> AsyncIterator[list[Member]]:
    """Run nodes that know and reach each other; the first is the leader."""
    exchange = exchange or Exchange()
    await clear(pool, "person", "seek", "challenge", "request", "waiting", "game", "node", "cluster_role")
    async with AsyncExitStack() as stack:
        found = [
            Member(url, pool, name, exchange, ahead_s=ahead)
            for name, ahead in zip(names, ahead_s or (0,) * len(names), strict=True)
        ]
        for member in found:
            await member.come()
            stack.push_async_callback(member.die)
        await meet(*found)
        for member in found:
            await member.leader.look()
        assert found[0].leader.is_here
        yield found
