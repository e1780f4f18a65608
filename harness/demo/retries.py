"""Retries: a server whose database stalls refuses for a while what it will accept later."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from harness.demo.errors import RequestRefused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from random import Random

T = TypeVar("T")

LATER = ("unavailable", "rate_limited")
"""Codes of refusals after which a request may be repeated."""

RETRY_S = 60.0
"""How long a request is repeated: far longer than a server takes to restart."""

PAUSE_S = (0.5, 1.5)
"""Random delay between attempts, so that clients that were refused together come back one by one."""


class Retries:
    """Retries of one client.

    Args:
        chance: chooses the delays.
        warn: called with a line for each reason of a retry, once.
    """

    def __init__(self, chance: Random, warn: Callable[[str], None] = lambda _line: None) -> None:
        self._chance = chance
        self._warn = warn
        self._warned: set[str] = set()

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of ``work``, which may run several times.

        Raises:
            RequestRefused: for a reason that is not temporary, or a temporary one for too long.
        """
        loop = asyncio.get_running_loop()
        until_s = loop.time() + RETRY_S
        while True:
            try:
                return await work()
            except RequestRefused as error:
                if error.code not in LATER or loop.time() > until_s:
                    raise
                why = str(error)
            if why not in self._warned:
                self._warned.add(why)
                self._warn(f"not yet ({why}); asking again")
            await asyncio.sleep(self._chance.uniform(*PAUSE_S))
