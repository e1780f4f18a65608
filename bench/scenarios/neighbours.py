"""neighbours: latency of other games' moves while a game with many spectators moves.

The baseline is their latency in the same minutes while that game is idle: its spectators are connected and get nothing.
The spectators run in a process of their own that yields the core to the players (``bench.load.spectator_process``), so
that the server's fan-out is measured and not the reading of it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bench.figure import Figure
from bench.load.match import Delays
from bench.load.paced import paced
from bench.load.pairs import Arena
from bench.load.points import points_ms
from bench.load.script import MEASURED_PLIES
from bench.load.spectator_process import SpectatorProcess
from bench.server.cpu_meter import Cost

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from bench.bench_run import BenchRun
    from bench.server.process import ServerProcess

BUDGET_FROM = 10_000
BUDGET = "≤ 25 ms"

MOVE_S = 0.5
"""Interval between moves of the watched game: two a second, as in time trouble."""


async def run(bench: BenchRun) -> list[Figure]:
    """Return the figures for each number of spectators."""
    return [figure for size in bench.sizes.crowds for figure in await _measure(bench, size)]


async def _measure(bench: BenchRun, size: int) -> list[Figure]:
    sizes = bench.sizes
    quiet, watched, cost = [], [], Cost()
    moves = max(2, min(int(sizes.neighbours_s / MOVE_S), MEASURED_PLIES))
    async with bench.zeitnot() as server:
        show, others = Arena(server.url, bench.scripts), Arena(server.url, bench.scripts)
        await show.open(1)
        await others.open(sizes.neighbours)
        process = await SpectatorProcess.open(server.url)
        await process.grow_by(size)
        await process.use_idle_priority()
        for number in range(sizes.rounds):
            await show.start(1)
            await process.sub(f"game:{show.matches[0].game}")
            quiet.append((await _round(bench, server, others, asyncio.sleep(moves * MOVE_S)))[0])
            await process.count("move", moves)
            delays, spent = await _round(bench, server, others, show.matches[0].play(moves, Delays(), lambda: MOVE_S))
            await process.counted()  # raises if a socket was closed, because then its spectator got nothing
            watched.append(delays)
            cost += spent
            await process.unsub(f"game:{show.matches[0].game}")
            await show.end()
            bench.write(
                f"neighbours of {size:,} spectators, round {number + 1}: "
                f"p99 {delays['p99']:.1f} ms, without {quiet[-1]['p99']:.1f}"
            )
        await process.close()
        await show.close()
        await others.close()
    return [
        Figure(
            scenario="neighbours",
            case=f"{sizes.neighbours} games at {sizes.neighbours_rate:g} moves/s beside {size:,} spectators",
            what=f"to opponent {point} ms",
            rounds=tuple(row[point] for row in watched),
            bare=tuple(row[point] for row in quiet),
            cost=cost,
            budget=BUDGET if point == "p99" and size >= BUDGET_FROM else "",
        )
        for point in watched[0]
    ]


async def _round(
    bench: BenchRun, server: ServerProcess, others: Arena, work: Awaitable[object]
) -> tuple[dict[str, float], Cost]:
    meter = bench.meter(server)
    delays = await paced(others, bench.sizes.neighbours, bench.sizes.neighbours_rate, work, meter)
    return points_ms(delays.to_opponent), meter.cost
