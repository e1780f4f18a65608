"""Games at a fixed rate of moves. Thinking times are exponentially distributed, so moves are as independent of each
other as those of human players."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from typing import TYPE_CHECKING

from bench.load.match import Delays
from bench.load.script import MEASURED_PLIES

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from bench.load.pairs import Arena
    from bench.server.cpu_meter import Meter

SEED = 1997

USED = 0.6
"""Mean share of a script that the longest round uses: some games are faster, and none may reach its end."""


def longest_s(games: int, rate: float) -> float:
    """Return how long ``games`` games can be played at a total of ``rate`` moves a second."""
    return USED * games * MEASURED_PLIES / rate


async def paced(arena: Arena, games: int, rate: float, work: Awaitable[object], meter: Meter) -> Delays:
    """Play new games at a total of ``rate`` moves a second while ``work`` runs.

    Args:
        work: measured by ``meter``, together with the moves.

    Returns:
        The delays of the moves.
    """
    delays = Delays()
    think = partial(random.Random(SEED).expovariate, rate / games)  # noqa: S311  a load, not a secret
    matches = await arena.start(games)
    playing = [match.play(MEASURED_PLIES, delays, think) for match in matches]
    with meter:
        await work
    for match in matches:
        match.stop()
    await asyncio.gather(*playing)
    await arena.end()
    return delays
