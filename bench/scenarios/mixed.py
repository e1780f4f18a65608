"""mixed: a simulated hour of blitz; how many games does one core hold without delaying moves?

Pairs of people (``bench.load.blitz``) find each other by seeks in the lobby, chat, think, move, resign and seek again.
One spectator for ten players follows a pair from game to game; some clients subscribe to the lobby. Pairs are added
step by step. Each step is measured for some seconds with games at random stages, as after an hour: each pair begins
with the last part of a game, of random length. The steps end when a move is late.
"""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from bench.figure import Figure
from bench.load.blitz import BlitzLoad
from bench.load.points import points_ms

if TYPE_CHECKING:
    from bench.bench_run import BenchRun
    from bench.server.cpu_meter import Cost

SEED = 1997

LATE_MS = 50.0
"""A step whose p99 reaches this counts as failed."""

SETTLE_S = 3.0
"""Time after new pairs were added, before the measurement."""

BUDGETS = {"to opponent p99 ms": f"≤ {LATE_MS:g} ms"}


async def run(bench: BenchRun) -> list[Figure]:
    """Return the figures of each step that was tried, and the number of games held."""
    figures: list[Figure] = []
    held = 0
    async with bench.zeitnot() as server:
        chance = random.Random(SEED)  # noqa: S311  a load, not a secret
        load = BlitzLoad(server.url, bench.scripts, chance, bench.sizes.haste)
        await load.open()
        for games in bench.sizes.mixed:
            await load.grow_to(games)
            await asyncio.sleep(min(SETTLE_S, bench.sizes.mixed_s))
            load.begin()
            meter = bench.meter(server)
            with meter:
                await asyncio.sleep(bench.sizes.mixed_s)
            found = points_ms(load.delays.to_opponent)
            moves_s = len(load.delays.to_opponent) / meter.cost.wall_s
            bench.write(f"mixed, {games:,} games: {moves_s:,.0f} moves/s, p99 {found['p99']:.1f} ms")
            figures += _step(games, load, found, meter.cost)
            if found["p99"] > LATE_MS:
                break
            held = games
        await load.close()
    return [*figures, Figure(scenario="mixed", case=f"p99 ≤ {LATE_MS:g} ms", what="games held", rounds=(held,))]


def _step(games: int, load: BlitzLoad, found: dict[str, float], cost: Cost) -> list[Figure]:
    values = {
        **{f"to opponent {point} ms": found[point] for point in ("p50", "p99", "max")},
        "moves / s": len(load.delays.to_opponent) / cost.wall_s,
        "new games / s": load.started / cost.wall_s,
        "server's core, %": 100 * cost.server_s / cost.wall_s,
    }
    return [
        Figure(
            scenario="mixed",
            case=f"{games:,} games",
            what=what,
            rounds=(value,),
            cost=cost,
            budget=BUDGETS.get(what, ""),
        )
        for what, value in values.items()
    ]
