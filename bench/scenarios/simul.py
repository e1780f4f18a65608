"""simul: one host moves at all boards in turn, each move once the last is stored; all players answer at once.

The baseline is the same moves in the same number of unrelated games, in which the White players move in turn. A second
part adds spectators of the overview, who receive every move at a rate that they can read: what it costs, and whether it
delays the players.
"""

from __future__ import annotations

import asyncio
import statistics
from typing import TYPE_CHECKING

import msgspec

from bench.figure import Figure
from bench.load.round_host import MoveDelays
from bench.load.script import MEASURED_PLIES
from bench.load.simul import Boards, SimulGames, Unrelated
from bench.load.spectator_process import SpectatorProcess
from bench.server.cpu_meter import Cost

if TYPE_CHECKING:
    from bench.bench_run import BenchRun
    from bench.server.process import ServerProcess

ROUND_S = 300.0
"""Timeout of a round."""

KB = 1000

WATCHED_S = 0.02
"""Interval between the host's moves with spectators: a hundred changes a second, with the answers. The host could be
faster, but the benchmark's spectators could not read it."""


class SimulRound(msgspec.Struct):
    """Measurements of a round."""

    delays: MoveDelays
    moves: int
    cost: Cost = Cost()
    seen_bytes: float = 0.0
    """Bytes for each spectator and move."""

    @property
    def cpu_us(self) -> float:
        """Return the server's CPU time for a move."""
        return self.cost.server_s / self.moves * 1e6


async def run(bench: BenchRun) -> list[Figure]:
    """Return the figures for each number of boards, without and with spectators."""
    return [figure for boards in bench.sizes.boards for figure in await _measure(bench, boards)]


async def _measure(bench: BenchRun, boards: int) -> list[Figure]:
    sizes = bench.sizes
    async with bench.zeitnot() as server:
        unrelated = Unrelated(server.url, bench.scripts)
        await unrelated.open(boards)
        games = [await _round(bench, server, boards, unrelated, None) for _ in range(sizes.rounds)]
        await unrelated.close()
    bench.write(f"simul, {boards:,} unrelated games: {_summary(games)}")
    async with bench.zeitnot() as server:
        simul_games = SimulGames(server.url, bench.scripts)
        await simul_games.open(boards)
        alone = [await _round(bench, server, boards, simul_games, None) for _ in range(sizes.rounds)]
        bench.write(f"simul, {boards:,} boards: {_summary(alone)}")
        overview = await SpectatorProcess.open(server.url)
        await overview.grow_by(sizes.overview)
        await overview.sub(f"simul:{simul_games.id}")
        watched = [await _round(bench, server, boards, simul_games, overview) for _ in range(sizes.rounds)]
        bench.write(f"simul, {boards:,} boards, {sizes.overview:,} spectators: {_summary(watched)}")
        await overview.close()
        await simul_games.close()
    case, spectators = f"{boards:,} boards", f"{boards:,} boards, {sizes.overview:,} spectators"
    return [
        *_figures(case, alone, games),
        *_figures(spectators, watched, games),
        Figure(
            scenario="simul",
            case=spectators,
            what="bytes a spectator and move",
            rounds=tuple(found.seen_bytes for found in watched),
            cost=sum((found.cost for found in watched), Cost()),
        ),
        Figure(
            scenario="simul",
            case=case,
            what="KB of the snapshot",
            rounds=(simul_games.snapshot_bytes / KB,),
            budget="< 400" if boards >= 1000 else "",
        ),
    ]


async def _round(
    bench: BenchRun, server: ServerProcess, boards: int, played: Boards, overview: SpectatorProcess | None
) -> SimulRound:
    """Play one round; its number of visits is small enough that the scripts last for all rounds."""
    sizes = bench.sizes
    most = boards * (MEASURED_PLIES // 2 // (2 * sizes.rounds))
    visits = min(sizes.visits if overview is None else sizes.watched_visits, most)
    moves, delays = 2 * visits, MoveDelays()
    meter = bench.meter(server)
    found = SimulRound(delays=delays, moves=moves)
    if overview is not None:
        await overview.count("simul.board", moves)
    async with asyncio.timeout(ROUND_S):
        with meter:
            await played.tour.play(visits, delays, 0.0 if overview is None else WATCHED_S)
            if overview is not None:
                found.seen_bytes = (await overview.counted()).size / moves
    found.cost = meter.cost
    return found


def _figures(case: str, rounds: list[SimulRound], games: list[SimulRound]) -> list[Figure]:
    """Return latencies and cost, beside those of unrelated games."""
    values = _values(rounds)
    beside = _values(games)
    cost = sum((found.cost for found in rounds), Cost())
    return [
        Figure(scenario="simul", case=case, what=what, rounds=values[what], bare=beside[what], cost=cost)
        for what in values
    ]


def _values(rounds: list[SimulRound]) -> dict[str, tuple[float, ...]]:
    found: dict[str, tuple[float, ...]] = {}
    for name, delays in (
        ("host → participant", [one.delays.out for one in rounds]),
        ("participant → host", [one.delays.back for one in rounds]),
    ):
        hundredths = [statistics.quantiles(one, n=100, method="inclusive") for one in delays]
        for point in (50, 99):
            found[f"{name} p{point} ms"] = tuple(row[point - 1] * 1000 for row in hundredths)
    found["server CPU µs a move"] = tuple(one.cpu_us for one in rounds)
    return found


def _summary(rounds: list[SimulRound]) -> str:
    cpu_us = statistics.median(one.cpu_us for one in rounds)
    rate = statistics.median(one.moves / one.cost.wall_s for one in rounds)
    return f"{cpu_us:,.0f} µs of CPU a move, {rate:,.0f} moves a second"
