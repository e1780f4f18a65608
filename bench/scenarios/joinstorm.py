"""join-storm: many spectators join one game within seconds; effect on its players, on other games, and on themselves.

First the spectators have open sockets and only subscribe; then they open their sockets as well. The baseline is the
same play without a storm, just before. The spectators are in a separate process that yields the core to the players, so
their own waiting time is an upper bound.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from bench.figure import Figure
from bench.load.match import Delays
from bench.load.paced import paced
from bench.load.pairs import Arena
from bench.load.points import points_ms
from bench.load.script import MEASURED_PLIES
from bench.load.spectator_process import SpectatorProcess
from bench.server.cpu_meter import Cost

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bench.bench_run import BenchRun
    from bench.server.process import ServerProcess

MOVE_S = 0.2
"""Interval between moves of the game that all join."""

BEFORE_PLIES = 20
"""Half-moves played before, so that the snapshot is not empty."""

AFTER_S = 1.0
"""The game has moves left for this much longer than the expected storm."""


class StormDelays(msgspec.Struct, frozen=True):
    """Delays of a round in ms: of the game's players, of other players, and of the spectators who join (none in the
    baseline)."""

    players: dict[str, float]
    others: dict[str, float]
    came: dict[str, float] = {}
    cost: Cost = Cost()


async def run(bench: BenchRun) -> list[Figure]:
    """Return the figures for each size of the storm, with open sockets and without."""
    return [figure for size in bench.sizes.crowds for figure in await _measure(bench, size)]


async def _measure(bench: BenchRun, size: int) -> list[Figure]:
    sizes = bench.sizes
    figures = []
    async with bench.zeitnot() as server:
        show, others = Arena(server.url, bench.scripts), Arena(server.url, bench.scripts)
        await show.open(1)
        await others.open(sizes.neighbours)
        process = await SpectatorProcess.open(server.url)
        await process.use_idle_priority()

        async def subscribe(topic: str) -> dict[str, float]:
            return await process.sub(topic, sizes.storm_s)

        async def join(topic: str) -> dict[str, float]:
            return await process.join(size, topic, sizes.storm_s)

        await process.grow_by(size)
        storms = [await _storm(bench, server, show, others, subscribe) for _ in range(sizes.rounds)]
        figures += _figures(bench, f"{size:,} sockets subscribe in {sizes.storm_s:g} s", size, storms)
        storms = []
        for _ in range(sizes.rounds):
            await process.leave()
            storms.append(await _storm(bench, server, show, others, join))
        figures += _figures(bench, f"{size:,} come and subscribe in {sizes.storm_s:g} s", size, storms)
        await process.close()
        await show.close()
        await others.close()
    return figures


async def _storm(
    bench: BenchRun,
    server: ServerProcess,
    show: Arena,
    others: Arena,
    join: Callable[[str], Awaitable[dict[str, float]]],
) -> tuple[StormDelays, StormDelays]:
    """Measure a round without a storm and one with it, in one game."""
    await show.start(1)
    (match,) = show.matches
    await match.play(BEFORE_PLIES, Delays())
    plies = (MEASURED_PLIES - BEFORE_PLIES) // 2

    async def play(work: Awaitable[dict[str, float]]) -> StormDelays:
        delays, meter = Delays(), bench.meter(server)
        playing = match.play(plies, delays, lambda: MOVE_S)
        came: dict[str, float] = {}

        async def go_on() -> None:
            came.update(await work)

        theirs = await paced(others, bench.sizes.neighbours, bench.sizes.neighbours_rate, go_on(), meter)
        match.stop()
        await playing
        return StormDelays(points_ms(delays.to_opponent), points_ms(theirs.to_opponent), came, meter.cost)

    calm = await play(_wait(min(bench.sizes.storm_s, plies * MOVE_S - AFTER_S)))
    storm = await play(join(f"game:{match.game}"))
    await show.end()
    return calm, storm


async def _wait(seconds: float) -> dict[str, float]:
    await asyncio.sleep(seconds)
    return {}


def _figures(bench: BenchRun, case: str, size: int, rounds: list[tuple[StormDelays, StormDelays]]) -> list[Figure]:
    cost = sum((storm.cost for _, storm in rounds), Cost())
    bench.write(f"join-storm, {case}: others' p99 {max(storm.others['p99'] for _, storm in rounds):.1f} ms at most")

    def figure(what: str, of: Callable[[StormDelays], float], *, is_beside: bool = True) -> Figure:
        return Figure(
            scenario="join-storm",
            case=case,
            what=what,
            rounds=tuple(of(storm) for _, storm in rounds),
            bare=tuple(of(calm) for calm, _ in rounds) if is_beside else (),
            cost=cost,
        )

    return [
        figure("its players p50 ms", lambda felt: felt.players["p50"]),
        figure("its players max ms", lambda felt: felt.players["max"]),
        figure("others p50 ms", lambda felt: felt.others["p50"]),
        figure("others p99 ms", lambda felt: felt.others["p99"]),
        figure("others max ms", lambda felt: felt.others["max"]),
        figure("a join p50 ms", lambda felt: felt.came["p50"], is_beside=False),
        figure("a join p99 ms", lambda felt: felt.came["p99"], is_beside=False),
        figure("server's core, %", lambda felt: 100 * felt.cost.server_s / felt.cost.wall_s),
    ]
