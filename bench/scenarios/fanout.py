"""fan-out: one game, many spectators; frames delivered per second of CPU time.

The baseline is the same gateway writing a prebuilt frame to the same number of sockets (``fan_out``). While the
spectators read one move, the next is on its way, and no more than that: the server always has something to do, and no
buffer grows.
"""

from __future__ import annotations

import asyncio
from math import ceil
from typing import TYPE_CHECKING, ClassVar

from bench.figure import Figure
from bench.load.match import Delays
from bench.load.pairs import Arena
from bench.load.script import MEASURED_PLIES
from bench.load.socket import connect, request
from bench.load.spectators import Spectators
from bench.server.cpu_meter import Cost

if TYPE_CHECKING:
    from bench.bench_run import BenchRun
    from bench.load.socket import RawWebSocket
    from bench.server.cpu_meter import Meter
    from bench.server.process import ServerProcess

BUDGET_FROM = 10_000
BUDGET = "≥ 90,000; ≥ 85 % of bare"
MOVE_S = 30.0
"""Timeout for a move to reach all spectators."""

Rounds = list[tuple[float, Cost]]


async def run(bench: BenchRun) -> list[Figure]:
    """Return one figure for each number of spectators."""
    async with bench.bare() as server:
        bare = await _bare(bench, server)
    async with bench.zeitnot() as server:
        real = await _real(bench, server)
    return [
        Figure(
            scenario="fan-out",
            case=f"{size:,} spectators",
            what="deliveries / CPU s",
            rounds=tuple(rate for rate, _ in real[size]),
            bare=tuple(rate for rate, _ in bare[size]),
            cost=sum((cost for _, cost in real[size]), Cost()),
            budget=BUDGET if size >= BUDGET_FROM else "",
        )
        for size in bench.sizes.spectators
    ]


async def _bare(bench: BenchRun, server: ServerProcess) -> dict[int, Rounds]:
    spectators = Spectators(server.url)
    driver = await connect(server.url, None, lambda _: None)
    show = _Prebuilt(driver, spectators)
    found = await _measure(bench, server, show)
    driver.transport.close()
    await driver.closed
    await spectators.close()
    return found


async def _real(bench: BenchRun, server: ServerProcess) -> dict[int, Rounds]:
    spectators, arena = Spectators(server.url), Arena(server.url, bench.scripts)
    await arena.open(1)
    show = _Watched(arena, spectators)
    await show.start()
    found = await _measure(bench, server, show)
    await arena.end()
    await arena.close()
    await spectators.close()
    return found


async def _measure(bench: BenchRun, server: ServerProcess, show: _Prebuilt | _Watched) -> dict[int, Rounds]:
    sizes = bench.sizes
    found: dict[int, Rounds] = {}
    for size in sizes.spectators:
        await show.spectators.grow_by(size - len(show.spectators), show.sub)
        await show.play(2, bench.meter(server))  # the first frames of a socket cost more
        moves = min(ceil(sizes.deliveries / size), sizes.watched_moves)
        found[size] = []
        for _ in range(sizes.rounds):
            meter = bench.meter(server)
            await show.play(moves, meter)
            found[size].append((moves * (size + show.others) / meter.cost.server_s, meter.cost))
        bench.write(f"fan-out, {size:,} spectators, {show.name}: {found[size][-1][0]:,.0f} / CPU s")
    return found


class _Prebuilt:
    """The baseline; its sender is in the room too."""

    name = "bare"
    others = 1
    sub: ClassVar[dict[str, object]] = {"t": "join", "id": 1, "room": "fan-out"}

    def __init__(self, driver: RawWebSocket, spectators: Spectators) -> None:
        self.spectators = spectators
        self._driver = driver
        self._publish = request({"t": "publish", "id": 2})
        driver.request(self.sub)

    async def play(self, moves: int, meter: Meter) -> None:
        """Send a frame to all spectators ``moves`` times."""
        with meter:
            seen = self.spectators.see(0)
            for _ in range(moves):
                before, seen = seen, self.spectators.see(1)
                self._driver.send(self._publish)
                await asyncio.wait_for(before, MOVE_S)
            await asyncio.wait_for(seen, MOVE_S)


class _Watched:
    """A game with all spectators. At the end of its script, all switch to the next game."""

    name = "real"
    others = 2
    """The players receive the moves as well."""

    def __init__(self, arena: Arena, spectators: Spectators) -> None:
        self.spectators = spectators
        self._arena = arena
        self._left = 0

    @property
    def sub(self) -> dict[str, object]:
        """Return the spectators' request."""
        return {"t": "sub", "id": 1, "topic": self._topic, "ticks": False}

    async def start(self) -> None:
        """Begin the first game; the spectators have to subscribe to it."""
        await self._arena.start(1)
        self._left = MEASURED_PLIES

    async def play(self, moves: int, meter: Meter) -> None:
        """Play ``moves`` moves; nothing else is measured."""
        while moves > 0:
            if self._left == 0:
                await self.spectators.request({"t": "unsub", "id": 1, "topic": self._topic})
                await self._arena.end()
                await self.start()
                await self.spectators.request(self.sub)
            now = min(moves, self._left)
            delays = Delays()
            with meter:
                seen = self.spectators.see(0)
                for _ in range(now):
                    before, seen = seen, self.spectators.see(1)
                    await self._arena.matches[0].play(1, delays)
                    await asyncio.wait_for(before, MOVE_S)
                await asyncio.wait_for(seen, MOVE_S)
            self._left -= now
            moves -= now

    @property
    def _topic(self) -> str:
        return f"game:{self._arena.matches[0].game}"
