"""Games that are played at a pace: players think for exponentially distributed times, so that moves come as
independently of each other as people's do."""

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
"""Of a game's moves, on average, in the longest round: some games are faster, and none may come to its end."""


def longest_s(games: int, rate: float) -> float:
    """How long ``games`` games can be played at ``rate`` moves a second altogether."""
    return USED * games * MEASURED_PLIES / rate


async def paced(arena: Arena, games: int, rate: float, work: Awaitable[object], meter: Meter) -> Delays:
    """Play new games at ``rate`` moves a second altogether while ``work`` is done, and no longer.

    Args:
        work: what ``meter`` measures, moves included.

    Returns:
        What the players waited for.
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
