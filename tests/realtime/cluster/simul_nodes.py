"""Simuls on several nodes in one process, on a real database: each node has its tables, simuls and clock."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.errors import Refusal
from lobby.accounts.identity import create_guest
from realtime.cluster.bus.bus import Exchange
from realtime.dispatch.verbs.simuls import SimulVerbs
from realtime.fanout.session import Session
from realtime.protocol.limits import Limits
from realtime.protocol.requests import Sub, decode_request
from realtime.simuls.live.subscribing import listen
from tests.realtime.cluster.meeting import end_lease
from tests.realtime.fake_time import FakeTime
from tests.realtime.simul_harness import House, house
from tests.realtime.simuls.live.test_delayed_broadcast import Listener
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from lobby.accounts.user import User
    from realtime.postgres.database import Pool
    from realtime.simuls.live.simul_actor import SimulActor
    from realtime.simuls.replica.simul_replica import RemoteSimul

WALL_MS = 1_700_000_000_000

APART_MS = 5_000
"""Difference between the clocks of two nodes."""


class Nobody:
    """Play bans without entries."""

    def check_play(self, user: str) -> None:
        """Allow everybody to play."""


class Socket(Listener):
    """A socket at one of the nodes; ``heard`` are its messages."""

    closed = False

    def __init__(self, at: At, user: User | None = None) -> None:
        super().__init__(user)
        self.at = at
        self.session = Session(self)  # type: ignore[arg-type]  # as much of a connection as it takes
        at.house.people.sockets.append(self)

    def send(self, message: Any) -> None:
        self.heard.append(msgspec.json.decode(msgspec.json.encode(message)))

    async def listen(self, simul: str, last: int | None = None) -> int:
        """Subscribe; return the number in the answer."""
        start = len(self.heard)
        await listen(self.at.house.simuls, simul, self.session, Sub(id=1, topic=f"simul:{simul}", from_seq=last))
        answer = next(message for message in self.heard[start:] if message["t"] == "ok")
        seq: int = answer["seq"]
        return seq

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Make a request ``simul.…`` and return its answer. Raises ``Refusal``."""
        request: Any = decode_request({"t": f"simul.{kind}", **fields})
        assert self.user is not None
        if kind == "create":
            return await self.at.verbs._create(request, self.user)
        return await self.at.verbs._forward.forward(request, self.user)

    async def refused(self, kind: str, **fields: Any) -> str:
        """Return the code of the expected refusal."""
        try:
            answer = await self.ask(kind, **fields)
        except Refusal as error:
            return error.code
        raise AssertionError(f"it was not refused: {answer}")

    def leave(self) -> None:
        """Close the socket."""
        self.closed = True
        self.session.close()
        self.at.house.people.sockets.remove(self)

    def flush(self) -> None:
        for catch_up in self.session.catch_ups.values():
            catch_up()

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Return the received messages ``simul.…`` of this kind."""
        self.flush()
        return [message for message in self.heard if message["t"] == f"simul.{kind}"]

    def numbered(self) -> list[int]:
        """Return the numbers of the last snapshot and of the events received after it."""
        self.flush()
        numbers: list[int] = []
        for message in self.heard:
            if message["t"] == "simul":
                numbers = [message["seq"]]
            elif message["t"] != "ok" and "seq" in message:
                numbers.append(message["seq"])
        return numbers

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until ``is_so``, with all coalesced messages delivered."""

        def look() -> bool:
            self.flush()
            return is_so()

        async with asyncio.timeout(6):
            await until(look)


class At:
    """One node."""

    def __init__(self, house: House) -> None:
        self.house = house
        nobody: Any = Nobody()
        self.verbs = SimulVerbs(house.simuls, house.tables, house.pool, nobody, Limits(), nobody, house.cluster)

    @property
    def name(self) -> str:
        return self.house.node.id

    def socket(self, user: User | None = None) -> Socket:
        """Open a socket here."""
        return Socket(self, user)

    def actor(self, simul: str) -> SimulActor:
        found = self.house.simuls.peek(simul)
        assert found is not None, f"{self.name} does not lead it"
        return found

    def replica(self, simul: str) -> RemoteSimul:
        assert self.house.simuls.replicas is not None
        found = self.house.simuls.replicas.peek(simul)
        assert found is not None, f"{self.name} does not show it"
        return found

    async def shown(self, simul: str, user: str | None = None) -> dict[str, Any]:
        """Return the snapshot for ``user`` at this node, without fields that differ from moment to moment."""
        place = await self.house.simuls.find(simul)
        told: Any = getattr(place, "audience", place)
        socket = Listener()
        socket.user = next((one.user for one in self.house.people.sockets if one.user and one.user.id == user), None)
        told.show(socket)
        (body,) = socket.heard
        body.pop("watchers")
        return dict(body)


class Nodes:
    """All nodes.

    Attributes:
        exchange: connects them; tests lose messages there.
    """

    def __init__(self, pool: Pool, url: str) -> None:
        self.pool = pool
        self.url = url
        self.exchange = Exchange()
        self.by_name: dict[str, At] = {}
        self._stacks: dict[str, contextlib.AsyncExitStack] = {}

    def __getitem__(self, name: str) -> At:
        return self.by_name[name]

    async def add(self, name: str, wall_ms: int = WALL_MS) -> At:
        """Start a node."""
        stack = self._stacks[name] = contextlib.AsyncExitStack()
        time = FakeTime(1_000_000, unix_ms=wall_ms)
        at = self.by_name[name] = At(
            await stack.enter_async_context(house(self.pool, self.url, time, exchange=self.exchange, name=name))
        )
        await self.meet()
        return at

    async def meet(self) -> None:
        """Wait until all know each other."""
        clusters = [at.house.cluster for at in self.by_name.values() if at.house.cluster is not None]

        async def have_met() -> bool:
            for cluster in clusters:
                await cluster.look()
            return all(one.is_reached(other.node) for one in clusters for other in clusters)

        await until(have_met)

    async def kill(self, name: str) -> None:
        """Kill a node: it sends nothing more, and its lease has ended."""
        at = self.by_name.pop(name)
        lost = self.exchange.is_lost
        self.exchange.is_lost = lambda sender, node, data: name in (sender, node) or lost(sender, node, data)
        await end_lease(at.house.node, self.pool)
        for other in self.by_name.values():
            assert other.house.cluster is not None
            await other.house.cluster.look()

    async def close(self) -> None:
        for stack in reversed(self._stacks.values()):
            await stack.aclose()


@contextlib.asynccontextmanager
async def nodes(pool: Pool, url: str, *names: str, apart_ms: int = APART_MS) -> AsyncIterator[Nodes]:
    """Run nodes whose clocks differ."""
    found = Nodes(pool, url)
    try:
        for place, name in zip(itertools.count(), names):
            await found.add(name, WALL_MS + place * apart_ms)
        yield found
    finally:
        await found.close()


async def guests(pool: Pool, count: int) -> list[User]:
    """Create ``count`` guests."""
    return [(await create_guest(pool))[0] for _ in range(count)]


async def together(*work: Awaitable[Any]) -> None:
    """Run all at once."""
    await asyncio.gather(*work)
