"""Simuls on a real database with real tables, in one process: the clock and who is here are the test's."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from game_core.errors import Refusal
from lobby.accounts.identity import create_guest
from realtime.clock.timers import Timers
from realtime.cluster.bus.bus import LocalBus
from realtime.cluster.bus.cluster import Cluster
from realtime.games.chances.solver_pool import SolverPool
from realtime.games.pending_command import PendingCommand
from realtime.games.tables import Tables
from realtime.journal.journal import Journal
from realtime.journal.nodes import Node
from realtime.journal.rated_ends import RatedEnds
from realtime.journal.storage import Storage
from realtime.ops.metrics import Metrics
from realtime.simuls.live.simuls import Simuls
from simul import commands as c
from simul.draft import Draft
from tests.realtime.fake_time import FakeTime
from tests.realtime.until import PAUSE_S, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from game_core.commands import Command as GameCommand
    from lobby.accounts.user import User
    from realtime.cluster.bus.bus import Exchange
    from realtime.fanout.spectator_queue import FanOut
    from realtime.games.table import Table
    from realtime.postgres.database import Pool
    from realtime.simuls.live.simul_actor import SimulActor


class Present:
    """Who is here, and what was pushed to them: as much of people and lobby as simuls need."""

    def __init__(self) -> None:
        self.here: set[str] = set()
        self.sent: list[tuple[str, Mapping[str, Any]]] = []
        self.looking: set[str] = set()
        self.sockets: list[Any] = []

    def is_here(self, user: str) -> bool:
        return user in self.here

    def sockets_of(self, user: str) -> tuple[Any, ...]:
        return tuple(socket for socket in self.sockets if socket.user is not None and socket.user.id == user)

    def send(self, user: str, body: Mapping[str, Any]) -> None:
        self.sent.append((user, body))

    def is_looking(self, user: str) -> bool:
        return user in self.looking

    async def sits_down(self, user: str) -> None:
        self.looking.discard(user)


class House:
    """A server with simuls.

    Attributes:
        time: of games and of the wall.
        people: who is here.
    """

    def __init__(
        self,
        pool: Pool,
        node: Node,
        tables: Tables,
        halls: Simuls,
        time: FakeTime,
        people: Present,
        cluster: Cluster | None = None,
    ) -> None:
        self.cluster = cluster
        self.pool = pool
        self.node = node
        self.tables = tables
        self.halls = halls
        self.time = time
        self.people = people

    async def announce(self, players: int = 2, **fields: Any) -> tuple[SimulActor, list[User]]:
        """A simul whose host is here, and who has joined."""
        host, _ = await create_guest(self.pool)
        self.people.here.add(host.id)
        draft = Draft(**{"name": "Club night", "tc": {"base_s": 600}, "host_color": "w", "auto_accept": True, **fields})
        hall = await self.halls.get((await self.halls.create(host, draft, (), None))["simul"])
        users = [(await create_guest(self.pool))[0] for _ in range(players)]
        for user in users:
            await hall.ask(c.Join(user=user), user, None, "simul.join")
        return hall, users

    async def taken(self, simul: str) -> SimulActor:
        """What an earlier server has left. On a busy machine our own lease may be out for a moment: then again, as at a
        server's start."""
        while True:
            try:
                return await self.halls.get(simul)
            except Refusal as error:
                if error.code != "unavailable":
                    raise
            await asyncio.sleep(PAUSE_S)

    async def start(self, players: int = 2, **fields: Any) -> tuple[SimulActor, list[User]]:
        """The same, running."""
        hall, users = await self.announce(players, **fields)
        host = hall.state.host
        await hall.ask(c.Start(by=host.id), host, None, "simul.start")
        await settled(hall)
        return hall, users

    def table(self, hall: SimulActor, board: int) -> Table:
        """The table of a board."""
        table = self.tables.peek(hall.state.boards[board - 1].game)
        assert table is not None
        return table

    async def play(self, hall: SimulActor, board: int, command: GameCommand) -> Any:
        """What the game at a board answers."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.table(hall, board).submit(PendingCommand(command, self.time.now_ms(), answer=answer.set_result))
        outcome = await answer
        await settled(hall)
        return outcome

    def leave(self, hall: SimulActor) -> None:
        """The host closes his last socket."""
        self.people.here.discard(hall.state.host.id)
        self.halls.presence(hall.state.host.id, False)

    def come(self, hall: SimulActor) -> None:
        """The host is back."""
        self.people.here.add(hall.state.host.id)
        self.halls.presence(hall.state.host.id, True)

    async def wait(self, hall: SimulActor, ms: int) -> None:
        """Time passes, and the simul's clock rings."""
        self.time.advance(ms)
        hall.ring()
        await settled(hall)


async def settled(hall: SimulActor) -> None:
    """Wait until nothing is under way: neither a decision nor what is to be done at the boards."""
    await until(lambda: hall._worker is None and not hall._asks and not hall._errands._waiting)


async def refusal(hall: SimulActor, command: c.Command, user: User, key: str | None = None) -> str:
    """The code of the refusal that is expected."""
    try:
        answer = await hall.ask(command, user, key, "simul")
    except Refusal as error:
        return error.code
    raise AssertionError(f"{command} was not refused: {answer}")


@contextlib.asynccontextmanager
async def house(
    pool: Pool,
    database_url: str,
    time: FakeTime | None = None,
    fan_out: FanOut | None = None,
    exchange: Exchange | None = None,
    name: str | None = None,
) -> AsyncIterator[House]:
    """A server on the database; what an earlier one has left there is loaded by ``halls.get``. With an ``exchange``
    it is a node among others."""
    time = FakeTime(1_000_000) if time is None else time
    node = Node(database_url, pool, name)
    await node.start(expire_others=exchange is None)
    cluster = None if exchange is None else Cluster(node.id, LocalBus(exchange), pool)
    if cluster is not None:
        await cluster.start()
    journal, metrics = Journal(database_url, node.id), Metrics()
    await journal.start()
    timers, rated_ends, verdicts = Timers(time), RatedEnds(database_url, node.id, metrics), SolverPool(metrics)
    rated_ends.start()
    storage = Storage(journal, rated_ends)
    tables = Tables(pool=pool, node=node, storage=storage, time=time, timers=timers, metrics=metrics, verdicts=verdicts)
    people = Present()
    lobby: Any = people
    halls = Simuls(
        pool=pool,
        node=node,
        tables=tables,
        people=lobby,
        lobby=lobby,
        time=time,
        timers=timers,
        fan_out=fan_out,
        cluster=cluster,
    )
    tables.observe(halls)
    try:
        yield House(pool, node, tables, halls, time, people, cluster)
    finally:
        await halls.close()
        await tables.close()
        await verdicts.close()
        timers.close()
        await rated_ends.close()
        await journal.close()
        if cluster is not None:
            await cluster.close()
        await node.close()
