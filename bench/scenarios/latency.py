"""latency: from sending a move to the opponent's hearing it, and to its ``ok``, at a fifth of the capacity.

Players think for exponentially distributed times, so that moves come as independently of each other as people's do.
The bare relay carries as many messages a second between as many pairs.
"""

from __future__ import annotations

import asyncio
import random
import statistics
from functools import partial
from typing import TYPE_CHECKING

from bench.arena import BareArena
from bench.figure import Figure
from bench.match import Delays
from bench.meter import Cost
from bench.scenarios.moves import moves_round, open_arena
from bench.script import MEASURED_PLIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.arena import Arena
    from bench.process import ServerProcess
    from bench.stage import Stage

SEED = 1997

BUDGETS = {"p50": "≤ 2 ms", "p99": "≤ 10 ms"}


async def run(stage: Stage) -> list[Figure]:
    """Percentiles of both delays, each the median of the rounds'."""
    games = stage.scale.games[0] if len(stage.scale.games) == 1 else 200
    to_opponent, to_ok, bare = [], [], []
    cost = Cost()
    async with stage.bare() as bare_server, stage.zeitnot() as server:
        arena = await open_arena(stage, server, games)
        if games not in stage.moves_per_cpu_s:
            stage.moves_per_cpu_s[games], _ = await moves_round(stage, server, arena, games, stage.scale.moves)
        rate = stage.scale.load * stage.moves_per_cpu_s[games]
        relay = BareArena(bare_server.url, stage.scripts)
        await relay.open(games)
        for number in range(stage.scale.rounds):
            delays, _ = await _round(stage, bare_server, relay, games, rate)
            bare.append(_percentiles(delays.to_opponent))
            delays, spent = await _round(stage, server, arena, games, rate)
            to_opponent.append(_percentiles(delays.to_opponent))
            to_ok.append(_percentiles(delays.to_ok))
            cost += spent
            stage.say(f"latency, round {number + 1}: {len(delays.to_ok)} moves in {stage.scale.latency_s:g} s")
        await arena.close()
        await relay.close()
    case = f"{games:,} games, {rate:,.0f} moves/s"
    return [
        Figure(
            scenario="latency",
            case=case,
            what=f"{name} {percentile} ms",
            rounds=tuple(row[percentile] for row in rows),
            bare=tuple(row[percentile] for row in bare) if rows is to_opponent else (),
            cost=cost,
            budget=BUDGETS.get(percentile, "") if rows is to_opponent else "",
        )
        for name, rows in (("to opponent", to_opponent), ("to ok", to_ok))
        for percentile in rows[0]
    ]


async def _round(stage: Stage, server: ServerProcess, arena: Arena, games: int, rate: float) -> tuple[Delays, Cost]:
    """New games, played at ``rate`` moves a second altogether."""
    delays = Delays()
    think = partial(random.Random(SEED).expovariate, rate / games)  # noqa: S311  a load, not a secret
    meter = stage.meter(server)
    matches = await arena.start(games)
    playing = [match.play(MEASURED_PLIES, delays, think) for match in matches]
    with meter:
        await asyncio.sleep(stage.scale.latency_s)
    for match in matches:
        match.stop()
    await asyncio.gather(*playing)
    await arena.end()
    return delays, meter.cost


def _percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """In milliseconds."""
    hundredths = statistics.quantiles(seconds, n=100, method="inclusive")
    return {
        "p50": hundredths[49] * 1000,
        "p90": hundredths[89] * 1000,
        "p99": hundredths[98] * 1000,
        "max": max(seconds) * 1000,
    }
