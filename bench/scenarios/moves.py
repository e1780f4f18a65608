"""moves: the whole path of a move: decode, rules, clocks, journal on PostgreSQL, encode, both players and the ``ok``.

Each game is played to its eightieth half-move, those of every variant (``--mix``) to their 54th, so every round has the
same share of openings and endgames. The requests that begin a game, with the first move of each side, and those that
end it are not measured.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bench.figure import Figure
from bench.load.match import Delays
from bench.load.mixture import MixedArena, scripts
from bench.load.pairs import MOST_PAIRS, Arena
from bench.scenarios.relay import open_relay, relay_round
from bench.server.cpu_meter import Cost

if TYPE_CHECKING:
    from bench.bench_run import BenchRun
    from bench.server.cpu_meter import Spends
    from bench.server.process import ServerProcess

BUDGET = "≥ 4,000; ≥ 12 % of bare"
MOVING, TURN_PLIES = 1_000, 13
"""With more live games than this, they take turns of so many half-moves. Ten thousand moves at once are a queue of a
second, which says nothing about the cost of one."""

ROUND_S = 300.0
"""Timeout of a round."""


async def run(bench: BenchRun) -> list[Figure]:
    """Return one figure for each number of games and, on request, another for the same number of games of all
    variants."""
    figures = []
    for games in bench.sizes.games:
        figures.append(await _measure(bench, games))
        if bench.sizes.mix:
            figures.append(await _measure(bench, games, mixed=True))
    return figures


async def open_arena(bench: BenchRun, server: ServerProcess, games: int) -> Arena:
    """Connect players for ``games`` games, and play a few games that are not measured."""
    return await _opened(bench, server, Arena(server.url, bench.scripts), games)


async def _opened(bench: BenchRun, server: ServerProcess, arena: Arena, games: int) -> Arena:
    await arena.open(min(games, MOST_PAIRS))
    await moves_round(bench, server, arena, min(games, 20), moves=1)
    return arena


async def moves_round(bench: BenchRun, server: Spends, arena: Arena, games: int, moves: int) -> tuple[float, Cost]:
    """Play at least ``moves`` moves, ``games`` games at a time. Return the moves per second of the server's CPU time,
    and the cost."""
    meter = bench.meter(server)
    played = 0
    async with asyncio.timeout(ROUND_S):
        while played < moves:
            matches = await arena.start(games)
            delays = Delays()
            with meter:
                for _ in range(arena.measured_plies // TURN_PLIES):
                    for start in range(0, games, MOVING):
                        moving = matches[start : start + MOVING]
                        await asyncio.gather(*(match.play(TURN_PLIES, delays) for match in moving))
            await arena.end()
            played += len(delays.to_ok)
    return played / meter.cost.server_s, meter.cost


async def _measure(bench: BenchRun, games: int, *, mixed: bool = False) -> Figure:
    rates, bare_rates, cost = [], [], Cost()
    pairs, name = min(games, MOST_PAIRS), "moves-mix" if mixed else "moves"
    async with bench.bare() as bare, bench.zeitnot() as server:
        relay = await open_relay(bench, bare, pairs)
        arena: Arena = MixedArena(server.url, scripts()) if mixed else Arena(server.url, bench.scripts)
        await _opened(bench, server, arena, games)
        for number in range(bench.sizes.rounds):
            bare_rate, _ = await relay_round(bench, bare, relay)
            rate, spent = await moves_round(bench, server, arena, games, bench.sizes.moves)
            bench.write(f"{name}, {games} games, round {number + 1}: {rate:,.0f} / CPU s; bare {bare_rate:,.0f}")
            bare_rates.append(bare_rate)
            rates.append(rate)
            cost += spent
        await arena.close()
        await relay.close()
    figure = Figure(
        scenario=name,
        case=f"{games:,} games",
        what="moves / CPU s",
        rounds=tuple(rates),
        bare=tuple(bare_rates),
        cost=cost,
        budget=BUDGET,
    )
    if not mixed:
        bench.moves_per_cpu_s[games] = figure.value
    return figure
