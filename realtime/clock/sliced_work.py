"""Something to be done with each of many things, so many in a turn of the event loop that others get on meanwhile."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

AT_ONCE = 50
"""In one turn: some milliseconds, where each is told of, or its clock is stopped."""

T = TypeVar("T")


class SlicedWork(Generic[T]):
    """It has begun when it is made: the first are done by then."""

    def __init__(self, things: Iterable[T], do: Callable[[T], None]) -> None:
        """``do`` may find that a thing is not there any more, or not as it was."""
        self._left = dict.fromkeys(things)
        self._do = do
        self._loop = asyncio.get_running_loop()
        self._go()

    @property
    def is_over(self) -> bool:
        """Nothing is left to do."""
        return not self._left

    def hurry(self, thing: T) -> None:
        """Do it with ``thing`` now, if that is still to be done."""
        if thing in self._left:
            del self._left[thing]
            self._do(thing)

    def close(self) -> None:
        """Nothing more is done."""
        self._left.clear()

    def _go(self) -> None:
        try:
            for thing in tuple(itertools.islice(self._left, AT_ONCE)):
                self.hurry(thing)
        finally:  # trouble with one keeps no other from its turn
            if self._left:
                self._loop.call_soon(self._go)
