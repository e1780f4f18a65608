"""Asking again: a server whose database stands still refuses for a while what it will grant a moment later."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from harness.demo.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from random import Random

T = TypeVar("T")

LATER = ("unavailable", "rate_limited")
"""Codes of refusals after which the same may be asked again."""

PATIENCE_S = 60.0
"""So long the same is asked for: far longer than a server takes to start again."""

PAUSE_S = (0.5, 1.5)
"""Between two tries; each of those who are refused together comes again at another time."""


class Patience:
    """Of who asks.

    Args:
        chance: when it is asked again.
        warn: called with a line for each reason why something has to be asked for again, once.
    """

    def __init__(self, chance: Random, warn: Callable[[str], None] = lambda _line: None) -> None:
        self._chance = chance
        self._warn = warn
        self._told: set[str] = set()

    async def ask(self, work: Callable[[], Awaitable[T]]) -> T:
        """What comes of ``work``, which may be done twice.

        Raises:
            Refused: for another reason than that the server cannot do it now, or for that one for too long.
        """
        loop = asyncio.get_running_loop()
        until_s = loop.time() + PATIENCE_S
        while True:
            try:
                return await work()
            except Refused as error:
                if error.code not in LATER or loop.time() > until_s:
                    raise
                why = str(error)
            if why not in self._told:
                self._told.add(why)
                self._warn(f"not yet ({why}); asking again")
            await asyncio.sleep(self._chance.uniform(*PAUSE_S))
