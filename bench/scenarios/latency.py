"""latency: time from sending a move until the opponent receives it, and until its ``ok``, at shares of the capacity.

The capacity is the number of moves a CPU second in the scenario ``moves``. The bare relay carries the same number of
messages a second between the same number of pairs. With ``--robots N``, N games against robots are played beside both,
of all levels and several games. The server's own counters give the mean time of a move in each stage, including the
requests that begin and end the games.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bench.figure import Figure
from bench.load.paced import longest_s, paced
from bench.load.pairs import BareArena
from bench.load.points import points_ms
from bench.scenarios.moves import moves_round, open_arena
from bench.server.cpu_meter import Cost
from bench.server.stages import mean_us, stages

if TYPE_CHECKING:
    from bench.bench_run import BenchRun
    from bench.load.pairs import Arena
    from bench.server.process import ServerProcess

BUDGET_LOAD = 0.2
BUDGETS = {"p50": "≤ 2 ms", "p99": "≤ 10 ms"}

Rounds = list[dict[str, float]]


async def run(bench: BenchRun) -> list[Figure]:
    """Return percentiles of both delays at each load, each the median of the rounds."""
    games = bench.sizes.games[0] if len(bench.sizes.games) == 1 else bench.sizes.latency_games
    figures = []
    async with bench.bare() as bare_server, bench.zeitnot() as server:
        arena = await open_arena(bench, server, games)
        if games not in bench.moves_per_cpu_s:
            bench.moves_per_cpu_s[games], _ = await moves_round(bench, server, arena, games, bench.sizes.moves)
        relay = BareArena(bare_server.url, bench.scripts)
        await relay.open(games)
        async with bench.robot_games(server):
            for load in bench.sizes.loads:
                figures += await _at(bench, games, load, (bare_server, relay), (server, arena))
        await arena.close()
        await relay.close()
    return figures


async def _at(
    bench: BenchRun, games: int, load: float, bare: tuple[ServerProcess, Arena], real: tuple[ServerProcess, Arena]
) -> list[Figure]:
    rate = load * bench.moves_per_cpu_s[games]
    seconds = min(bench.sizes.latency_s, longest_s(games, rate))
    relayed: Rounds = []
    to_opponent: Rounds = []
    to_ok: Rounds = []
    passed: Rounds = []
    rates = []
    cost = Cost()
    for number in range(bench.sizes.rounds):
        server, arena = bare
        delays = await paced(arena, games, rate, asyncio.sleep(seconds), bench.meter(server))
        relayed.append(points_ms(delays.to_opponent))
        server, arena = real
        meter, before = bench.meter(server), await stages(server.url)
        delays = await paced(arena, games, rate, asyncio.sleep(seconds), meter)
        passed.append(mean_us(before, await stages(server.url)))
        to_opponent.append(points_ms(delays.to_opponent))
        to_ok.append(points_ms(delays.to_ok))
        rates.append(len(delays.to_ok) / meter.cost.wall_s)
        cost += meter.cost
        bench.write(f"latency at {load:.0%}, round {number + 1}: {len(delays.to_ok)} moves in {seconds:.1f} s")
    case = f"{games:,} games at {load:.0%}"
    if bench.sizes.robots:
        case += f" beside {bench.sizes.robots} robot games"
    return [
        Figure(scenario="latency", case=case, what="moves / s", rounds=tuple(rates), cost=cost),
        *(
            Figure(
                scenario="latency",
                case=case,
                what=f"{name} {point} ms",
                rounds=tuple(row[point] for row in rows),
                bare=tuple(row[point] for row in relayed) if rows is to_opponent else (),
                cost=cost,
                budget=BUDGETS.get(point, "") if rows is to_opponent and load == BUDGET_LOAD else "",
            )
            for name, rows in (("to opponent", to_opponent), ("to ok", to_ok))
            for point in rows[0]
        ),
        *(
            Figure(
                scenario="latency",
                case=case,
                what=f"stage {name} µs",
                rounds=tuple(row[name] for row in passed),
                cost=cost,
            )
            for name in passed[0]
        ),
    ]
