"""Simuls on a real database with real tables, in one process. The test controls the clock and who is present."""

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
    """Who is present, and what was sent to them: the part of presence and lobby that simuls need."""

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

    send_body_here = send

    def is_looking(self, user: str) -> bool:
        return user in self.looking

    async def sits_down(self, user: str) -> None:
        self.looking.discard(user)


class House:
    """A server with simuls.

    Attributes:
        time: of games and of the wall clock.
        people: who is present.
    """

    def __init__(
        self,
        pool: Pool,
        node: Node,
        tables: Tables,
        simuls: Simuls,
        time: FakeTime,
        people: Present,
        cluster: Cluster | None = None,
    ) -> None:
        self.cluster = cluster
        self.pool = pool
        self.node = node
        self.tables = tables
        self.simuls = simuls
        self.time = time
        self.people = people

    async def announce(self, players: int = 2, **fields: Any) -> tuple[SimulActor, list[User]]:
        """Announce a simul whose host is present; return it and the players who have joined."""
        host, _ = await create_guest(self.pool)
        self.people.here.add(host.id)
        draft = Draft(**{"name": "Club night", "tc": {"base_s": 600}, "host_color": "w", "auto_accept": True, **fields})
        actor = await self.simuls.get((await self.simuls.create(host, draft, (), None))["simul"])
        users = [(await create_guest(self.pool))[0] for _ in range(players)]
        for user in users:
            await actor.submit(c.Join(user=user), user, None, "simul.join")
        return actor, users

    async def taken(self, simul: str) -> SimulActor:
        """Return a simul that an earlier server has left. On a busy machine our own lease may be missing for a moment:
        then try again, as a server does at its start."""
        while True:
            try:
                return await self.simuls.get(simul)
            except Refusal as error:
                if error.code != "unavailable":
                    raise
            await asyncio.sleep(PAUSE_S)

    async def start(self, players: int = 2, **fields: Any) -> tuple[SimulActor, list[User]]:
        """Announce a simul and start it."""
        actor, users = await self.announce(players, **fields)
        host = actor.state.host
        await actor.submit(c.Start(by=host.id), host, None, "simul.start")
        await settled(actor)
        return actor, users

    def table(self, actor: SimulActor, board: int) -> Table:
        """Return the table of a board."""
        table = self.tables.peek(actor.state.boards[board - 1].game)
        assert table is not None
        return table

    async def play(self, actor: SimulActor, board: int, command: GameCommand) -> Any:
        """Return the answer of the game at a board to ``command``."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.table(actor, board).submit(PendingCommand(command, self.time.now_ms(), answer=answer.set_result))
        outcome = await answer
        await settled(actor)
        return outcome

    def leave(self, actor: SimulActor) -> None:
        """Close the host's last socket."""
        self.people.here.discard(actor.state.host.id)
        self.simuls.presence(actor.state.host.id, False)

    def come(self, actor: SimulActor) -> None:
        """Reconnect the host."""
        self.people.here.add(actor.state.host.id)
        self.simuls.presence(actor.state.host.id, True)

    async def wait(self, actor: SimulActor, ms: int) -> None:
        """Let ``ms`` pass; timers of the simul are called."""
        self.time.advance(ms)
        actor.on_timer()
        await settled(actor)


async def settled(actor: SimulActor) -> None:
    """Wait until nothing is under way: neither a decision nor an effect at the boards."""
    await until(lambda: actor._worker is None and not actor._pending and not actor._outbox._waiting)


async def refusal(actor: SimulActor, command: c.SimulCommand, user: User, key: str | None = None) -> str:
    """Return the code of the expected refusal."""
    try:
        answer = await actor.submit(command, user, key, "simul")
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
    """Run a server on the database; ``actors.get`` loads what an earlier one has left there. With an ``exchange`` it is
    one node of several."""
    time = FakeTime(1_000_000) if time is None else time
    node = Node(database_url, pool, name)
    await node.start(expire_others=exchange is None)
    cluster = None if exchange is None else Cluster(node.id, LocalBus(exchange), pool)
    if cluster is not None:
        await cluster.start()
    journal, metrics = Journal(database_url, node.id), Metrics()
    await journal.start()
    timers, rated_ends, solver = Timers(time), RatedEnds(database_url, node.id, metrics), SolverPool(metrics)
    rated_ends.start()
    storage = Storage(journal, rated_ends)
    tables = Tables(pool=pool, node=node, storage=storage, time=time, timers=timers, metrics=metrics, solver=solver)
    people = Present()
    lobby: Any = people
    simuls = Simuls(
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
    tables.observe(simuls)
    tables.hosts.ask(simuls.acting_hosts)
    try:
        yield House(pool, node, tables, simuls, time, people, cluster)
    finally:
        await simuls.close()
        await tables.close()
        await solver.close()
        timers.close()
        await rated_ends.close()
        await journal.close()
        if cluster is not None:
            await cluster.close()
        await node.close()
