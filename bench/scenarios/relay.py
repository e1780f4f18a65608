"""relay: one message in, two frames out, and nothing else: the upper bound of any server on this socket stack."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bench.figure import Figure
from bench.load.match import Delays
from bench.load.pairs import BareArena
from bench.server.cpu_meter import Cost

if TYPE_CHECKING:
    from bench.bench_run import BenchRun
    from bench.load.pairs import Arena
    from bench.server.process import ServerProcess

FOREVER = 1 << 40
PAIRS = 200


async def run(bench: BenchRun) -> list[Figure]:
    """Return the baseline by itself."""
    rates, cost = [], Cost()
    async with bench.bare() as server:
        arena = await open_relay(bench, server, PAIRS)
        for _ in range(bench.sizes.rounds):
            rate, spent = await relay_round(bench, server, arena)
            rates.append(rate)
            cost += spent
        await arena.close()
    return [Figure(scenario="relay", case=f"{PAIRS} pairs", what="messages / CPU s", rounds=tuple(rates), cost=cost)]


async def open_relay(bench: BenchRun, server: ServerProcess, pairs: int) -> Arena:
    """Connect pairs of players to a bare server, warmed up."""
    arena = BareArena(server.url, bench.scripts)
    await arena.open(pairs)
    await arena.start(pairs)
    await _play_for(arena, bench.sizes.relay_s / 4)
    return arena


async def relay_round(bench: BenchRun, server: ServerProcess, arena: Arena) -> tuple[float, Cost]:
    """Return the messages relayed per second of the server's CPU time, and their cost."""
    meter = bench.meter(server)
    before = _received(arena)
    with meter:
        await _play_for(arena, bench.sizes.relay_s)
    return (_received(arena) - before) / meter.cost.server_s, meter.cost


async def _play_for(arena: Arena, seconds: float) -> None:
    delays = Delays()
    playing = [match.play(FOREVER, delays) for match in arena.matches]
    await asyncio.sleep(seconds)
    for match in arena.matches:
        match.stop()
    await asyncio.gather(*playing)


def _received(arena: Arena) -> int:
    return sum(match.received_plies for match in arena.matches)
