"""workers: moves of one server process and of several on one port, with the players of a game at one node or at two.

No process is pinned: servers, NATS, PostgreSQL and the client share all cores, with one process as with several. So
moves a second of elapsed time measure the machine as a whole. The kernel decides at which node a socket ends; the
operating system is asked for the result, and pairs are formed accordingly.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from bench.figure import Figure
from bench.load.paced import longest_s, paced
from bench.load.pairs import BareArena
from bench.load.points import points_ms
from bench.scenarios.moves import moves_round
from bench.scenarios.relay import open_relay, relay_round
from bench.server.cpu_meter import Cost
from bench.server.nodes import AS_THEY_COME, Nodes, SeatedArena

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.bench_run import BenchRun
    from bench.load.pairs import Arena
    from bench.server.cpu_meter import Spends

LOAD = 0.2
"""The latency of all cases is measured at this share of the first case's moves a CPU second."""

POINTS = ("p50", "p99")


class ClusterRound(msgspec.Struct, frozen=True):
    """One round of a case, or of the bare relay.

    Attributes:
        cpu: moves per CPU second of all nodes.
        wall: moves a second.
        delays: ms until the opponent receives a move, at the rate of all cases.
        nats: CPU seconds of NATS a second.
    """

    cpu: float
    wall: float
    delays: dict[str, float]
    nats: float = 0.0


async def run(bench: BenchRun) -> list[Figure]:
    """Return the figures for each number of processes and, with several, for each way to pair players."""
    sizes, figures, rate = bench.sizes, list[Figure](), 0.0
    games = sizes.games[0] if len(sizes.games) == 1 else sizes.latency_games
    with bench.unpinned():
        for number in sizes.workers:
            for how in sizes.pairings if number > 1 else (AS_THEY_COME,):
                found, rate = await _measure(bench, games, number, how, rate)
                figures += found
    return figures


async def _measure(bench: BenchRun, games: int, number: int, how: str, rate: float) -> tuple[list[Figure], float]:
    """Return the figures of one case, and the rate of its latency: ``rate``, or a rate from its own result if that is
    0."""
    ours, theirs, cost = list[ClusterRound](), list[ClusterRound](), Cost()
    case = f"{games:,} games, {number} workers, {how}" if number > 1 else f"{games:,} games, 1 process"
    async with (
        bench.bare(pinned=False) as bare,
        bench.bare(pinned=False) as paced_bare,
        bench.workers(number) as server,
    ):
        nodes = Nodes(server, number)
        throughput, latency = await open_relay(bench, bare, games), BareArena(paced_bare.url, bench.scripts)
        await latency.open(games)
        arena = SeatedArena(nodes, bench.scripts, how)
        await arena.open(games)
        await moves_round(bench, nodes, arena, min(games, 20), moves=1)
        for place in range(bench.sizes.rounds):
            relayed, relay_cost = await relay_round(bench, bare, throughput)
            before = nodes.nats_cpu_s()
            moved, spent = await moves_round(bench, nodes, arena, games, bench.sizes.moves)
            nats = (nodes.nats_cpu_s() - before) / spent.wall_s
            rate = rate or LOAD * moved
            theirs.append(
                ClusterRound(
                    relayed, _wall(relayed, relay_cost), await _delays(bench, paced_bare, latency, games, rate)
                )
            )
            ours.append(ClusterRound(moved, _wall(moved, spent), await _delays(bench, nodes, arena, games, rate), nats))
            cost += spent
            bench.write(f"workers, {case}, round {place + 1}: {ours[-1].wall:,.0f} / s, {moved:,.0f} / CPU s")
        for each in (arena, throughput, latency):
            await each.close()

    def figure(what: str, of: Callable[[ClusterRound], float], *, is_beside: bool = True) -> Figure:
        return Figure(
            scenario="workers",
            case=case,
            what=what,
            rounds=tuple(map(of, ours)),
            bare=tuple(map(of, theirs)) if is_beside else (),
            cost=cost,
        )

    return [
        figure("moves / s", lambda found: found.wall),
        figure("moves / CPU s", lambda found: found.cpu),
        figure("to opponent p50 ms", lambda found: found.delays["p50"]),
        figure("to opponent p99 ms", lambda found: found.delays["p99"]),
        figure("games between nodes, %", lambda _: 100 * arena.apart / games, is_beside=False),
        figure("NATS, % of a core", lambda found: 100 * found.nats, is_beside=False),
    ], rate


def _wall(rate: float, cost: Cost) -> float:
    """Return the moves a second of elapsed time for ``rate`` moves a CPU second."""
    return rate * cost.server_s / cost.wall_s


async def _delays(bench: BenchRun, server: Spends, arena: Arena, games: int, rate: float) -> dict[str, float]:
    seconds = min(bench.sizes.latency_s, longest_s(games, rate))
    delays = await paced(arena, games, rate, asyncio.sleep(seconds), bench.meter(server))
    return points_ms(delays.to_opponent)
