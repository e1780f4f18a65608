"""memory: growth of the server's process for every spectator and every live game, after a garbage collection.

Sockets and games are added in equal batches, one batch a round. Games are played to their eightieth half-move, forty
moves of each side, by a few players whose sockets are already open: only the memory of the game is measured.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bench.figure import Figure
from bench.load.match import Delays
from bench.load.pairs import Arena
from bench.load.script import MEASURED_PLIES
from bench.load.spectators import Spectators

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bench.bench_run import BenchRun
    from bench.server.process import ServerProcess

SPECTATOR_BUDGET = "≤ 16 KB"
GAME_BUDGET = "≤ 40 KB"
PAIRS = 8
"""Players of all games: 500 games each, of the 1,000 topics that a socket may subscribe to."""


async def run(bench: BenchRun) -> list[Figure]:
    """Return the KB (1,024 bytes) for a spectator, and for a live game."""
    batch = max(1, bench.sizes.memory // bench.sizes.rounds)
    async with bench.bare() as server:
        bare = await _bare_sockets(bench, server, batch)
    async with bench.zeitnot() as server:
        spectators = await _spectators(bench, server, batch)
    async with bench.zeitnot() as server:
        games = await _games(bench, server, batch)
    case = f"{bench.sizes.rounds} batches of {batch:,}"
    return [
        Figure(
            scenario="memory",
            case=case,
            what="KB a spectator",
            rounds=spectators,
            bare=bare,
            budget=SPECTATOR_BUDGET,
        ),
        Figure(scenario="memory", case=case, what="KB a live game", rounds=games, budget=GAME_BUDGET),
    ]


async def _bare_sockets(bench: BenchRun, server: ServerProcess, batch: int) -> tuple[float, ...]:
    spectators = Spectators(server.url)
    join = {"t": "join", "id": 1, "room": "memory"}
    found = await _batches(bench, server, batch, lambda: spectators.grow_by(batch, join))
    await spectators.close()
    return found


async def _spectators(bench: BenchRun, server: ServerProcess, batch: int) -> tuple[float, ...]:
    arena, spectators = Arena(server.url, bench.scripts), Spectators(server.url)
    await arena.open(1)
    await _play(arena, 1)
    sub = {"t": "sub", "id": 1, "topic": f"game:{arena.matches[0].game}"}
    found = await _batches(bench, server, batch, lambda: spectators.grow_by(batch, sub))
    await spectators.close()
    await arena.end()
    await arena.close()
    return found


async def _games(bench: BenchRun, server: ServerProcess, batch: int) -> tuple[float, ...]:
    arena = Arena(server.url, bench.scripts)
    await arena.open(PAIRS)
    found = await _batches(bench, server, batch, lambda: _play(arena, batch))
    await arena.end()
    await arena.close()
    return found


async def _play(arena: Arena, games: int) -> None:
    delays = Delays()
    await asyncio.gather(*(match.play(MEASURED_PLIES, delays) for match in await arena.start(games)))


async def _batches(
    bench: BenchRun, server: ServerProcess, batch: int, grow: Callable[[], Awaitable[None]]
) -> tuple[float, ...]:
    """Return the KB for one item of each batch. An extra batch is added before, which fills caches and the allocator's
    pools."""
    await grow()
    found = []
    before = await server.resident_bytes()
    for _ in range(bench.sizes.rounds):
        await grow()
        after = await server.resident_bytes()
        found.append((after - before) / batch / 1024)
        before = after
    bench.write(f"memory: {', '.join(f'{kilobytes:.1f}' for kilobytes in found)} KB")
    return tuple(found)
