"""ticks: games without moves; the clocks run, and both players of each game receive a tick once a second.

The baseline is the bare server writing the same number of prebuilt frames a second to the same number of sockets.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bench.figure import Figure
from bench.load.pairs import MOST_PAIRS, Arena
from bench.load.socket import connect, request
from bench.load.spectators import Spectators
from bench.server.cpu_meter import Cost

if TYPE_CHECKING:
    from bench.bench_run import BenchRun
    from bench.server.process import ServerProcess

SETTLE_S = 1.5
"""One round of the server's ticker, so that every clock ticks when the measurement begins."""


async def run(bench: BenchRun) -> list[Figure]:
    """Return the milliseconds of CPU a second, for each number of clocks."""
    return [await _measure(bench, clocks) for clocks in bench.sizes.clocks]


async def _measure(bench: BenchRun, clocks: int) -> Figure:
    pairs = min(clocks, MOST_PAIRS)
    async with bench.bare() as server:
        bare = await _bare(bench, server, 2 * pairs, clocks / pairs)
    async with bench.zeitnot() as server:
        arena = Arena(server.url, bench.scripts)
        await arena.open(pairs)
        await arena.start(clocks)
        await asyncio.sleep(SETTLE_S)
        real = []
        for _ in range(bench.sizes.rounds):
            meter = bench.meter(server)
            with meter:
                await asyncio.sleep(bench.sizes.ticks_s)
            real.append(meter.cost)
        await arena.end()
        await arena.close()
    figure = Figure(
        scenario="ticks",
        case=f"{clocks:,} running clocks, {2 * clocks:,} ticks/s on {2 * pairs:,} sockets",
        what="CPU ms a second",
        rounds=tuple(map(_ms_a_second, real)),
        bare=tuple(map(_ms_a_second, bare)),
        cost=sum(real, Cost()),
    )
    bench.write(f"ticks, {clocks:,} clocks: {figure.value:.0f} ms of CPU a second")
    return figure


async def _bare(bench: BenchRun, server: ServerProcess, sockets: int, a_second: float) -> list[Cost]:
    """Return the cost of writing to all sockets ``a_second`` times a second."""
    spectators = Spectators(server.url)
    driver = await connect(server.url, None, lambda _: None)
    await spectators.grow_by(sockets, {"t": "join", "id": 1, "room": "ticks"})
    driver.request({"t": "join", "id": 1, "room": "ticks"})
    publish = request({"t": "publish", "id": 2})
    loop = asyncio.get_running_loop()
    costs = []
    for _ in range(bench.sizes.rounds):
        meter = bench.meter(server)
        times = max(1, round(a_second * bench.sizes.ticks_s))
        with meter:
            start_s = loop.time()
            for number in range(1, times + 1):
                seen = spectators.see(1)
                driver.send(publish)
                await seen
                await asyncio.sleep(start_s + number / a_second - loop.time())
        costs.append(meter.cost)
    driver.transport.close()
    await driver.closed
    await spectators.close()
    return costs


def _ms_a_second(cost: Cost) -> float:
    return 1000 * cost.server_s / cost.wall_s
