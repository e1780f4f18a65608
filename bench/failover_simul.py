"""Interruption of a simul when the node that runs it is killed. Host and players are at the other two nodes.

Its moves are played at the node that runs it, on direct sockets. Then all clients disconnect and connect to the other
nodes. The next node finds the same journal as if the moves had been played there.
"""

from __future__ import annotations

import asyncio
import math
import random
import signal
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from bench.load.guests import new_guests
from bench.load.pairs import TC
from bench.load.requester import Requester, decode_header
from bench.load.script import scripts
from bench.load.simul import STARTED_S, in_batches
from bench.load.socket import RequestFailed
from bench.server.process import process_cpu_s
from harness.chaos.local_cluster import LocalCluster
from realtime.postgres.database import connect

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.chaos.local_node import LocalNode

SEED = 7

PLIES = 79
"""Half-moves played at every board before the node is killed: move 40, with the players to move."""

UNDER_WAY = 10
"""Concurrent requests of one socket; more than 16 would be refused."""

LOOK_S = 0.02

AGAIN_S = 0.1
"""Delay before a request is repeated that was ``unavailable`` or, without a key, got no answer."""


class Guest(Requester):
    """A player or the host of a simul.

    Attributes:
        game: the game that they were last paired for.
    """

    def __init__(self) -> None:
        super().__init__()
        self._under_way = asyncio.Semaphore(UNDER_WAY)
        self.game: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def request_until_done(self, kind: str, **fields: Any) -> None:
        """Repeat a request until it is done."""
        while True:
            try:
                async with self._under_way:
                    await self.request(kind, **fields)
            except RequestFailed as error:
                if not str(error).startswith("unavailable"):
                    raise
            else:
                return
            await asyncio.sleep(AGAIN_S)

    def _on_message(self, payload: bytes) -> None:
        header = decode_header(payload)
        if header.t == "paired" and not self.game.done():
            self.game.set_result(header.g)
        else:
            self.answered(header.t, header.id, payload)

    def _refused(self, number: int, error: RequestFailed) -> None:
        raise error


class FailoverSimul:
    """A simul that the first node runs.

    Attributes:
        id: id of the simul.
    """

    def __init__(self, cluster: LocalCluster) -> None:
        self.id = ""
        self._cluster = cluster
        self._host: Guest
        self._players: list[Guest] = []
        self._tokens: Sequence[str] = ()
        self._games: list[str] = []
        self._lines: Sequence[tuple[str, ...]] = scripts()

    async def open(self, boards: int) -> None:
        """Connect everybody, start the simul, and play the first moves."""
        first = self._cluster.nodes[0]
        self._tokens = await new_guests(first.url, boards + 1)
        await self._connect((first,))
        terms = {"name": "Bench", "tc": TC, "host_color": "w", "max_boards": boards, "auto_accept": True}
        self.id = (await self._host.request("simul.create", **terms))["simul"]
        await in_batches(player.request("simul.join", simul=self.id) for player in self._players)
        async with asyncio.timeout(STARTED_S):
            await self._host.request("simul.start", simul=self.id)
            self._games = await asyncio.gather(*(player.game for player in self._players))
        await asyncio.gather(*(self._play(place) for place in range(boards)))

    async def go_to(self, nodes: Sequence[LocalNode]) -> None:
        """Move every client from its node to one of ``nodes``, the host to the first."""
        await self.close()
        await self._connect(nodes)
        await self._host.request_until_done("sub", topic=f"simul:{self.id}")
        await in_batches(
            player.request_until_done("sub", topic=f"game:{game}", ticks=False)
            for player, game in zip(self._players, self._games, strict=True)
        )

    async def _connect(self, nodes: Sequence[LocalNode]) -> None:
        people = [Guest() for _ in self._tokens]
        self._host, *self._players = people
        await in_batches(
            person.connect(nodes[place % len(nodes)].url, token)
            for place, (person, token) in enumerate(zip(people, self._tokens, strict=True))
        )

    async def _play(self, place: int) -> None:
        for ply in range(PLIES):
            await self.move(place, ply)

    async def close(self) -> None:
        """Close all sockets."""
        await asyncio.gather(*(person.close() for person in (self._host, *self._players)))

    async def move(self, place: int, ply: int) -> float:
        """Request half-move ``ply`` at a board until it is made; return the seconds that took."""
        began = time.monotonic()
        mover = self._host if ply % 2 == 0 else self._players[place]
        move = self._lines[place % len(self._lines)][ply]
        await mover.request_until_done("move", g=self._games[place], move=move, ply=ply, key=f"{place}-{ply}")
        return time.monotonic() - began

    async def note(self) -> float:
        """Make a request that the simul itself has to handle; return the seconds that took."""
        began = time.monotonic()
        await self._host.request_until_done("simul.edit", simul=self.id, board=1, note="goes on", key="note")
        return time.monotonic() - began

    async def taken_from(self, dead: str) -> float:
        """Return after how many seconds the database names another node as its leader."""
        began = time.monotonic()
        connection = await connect(self._cluster.database, name="bench")
        try:
            while True:
                if await connection.fetchval("SELECT owner FROM simul WHERE id = $1", self.id) != dead:
                    return time.monotonic() - began
                await asyncio.sleep(LOOK_S)
        finally:
            await connection.close()


async def run(boards: int, write: Callable[[str], None]) -> None:
    """Run the benchmark."""
    chance = random.Random(SEED)  # noqa: S311  the balancer's, which nobody uses
    async with (
        LocalCluster(nodes=3, chance=chance, direct=True, one_port=False) as cluster,
        AsyncExitStack() as stack,
    ):
        began = time.monotonic()
        simul = FailoverSimul(cluster)
        stack.push_async_callback(simul.close)
        await simul.open(boards)
        await simul.go_to(cluster.nodes[1:])
        write(
            f"{PLIES} half-moves at {boards} boards were played, and all have come to the other nodes, "
            f"after {time.monotonic() - began:.0f} s"
        )
        victim = cluster.nodes[0]
        dead = victim.id
        spent_s = -cpu_s(cluster)
        victim.signal(signal.SIGKILL)
        taken = asyncio.create_task(simul.taken_from(dead), name="taken from the dead")
        note = asyncio.create_task(simul.note(), name="led again")
        waits = await asyncio.gather(*(simul.move(place, PLIES) for place in range(boards)))
        write(f"another node led it after {await taken:.2f} s, and did something for its host after {await note:.2f} s")
        spent_s += cpu_s(cluster)
        ordered = sorted(waits)
        p50, p99 = (ordered[math.ceil(share * boards) - 1] for share in (0.5, 0.99))
        write(
            f"the players' next moves at {boards} boards: p50 {p50:.2f} s, p99 {p99:.2f} s, longest {ordered[-1]:.2f} s"
        )
        write(f"the two that live have spent {spent_s:.1f} s of CPU on it")


def cpu_s(cluster: LocalCluster) -> float:
    """Return the CPU seconds of the nodes that are not killed."""
    return sum(process_cpu_s(node.pid) for node in cluster.nodes[1:])
