"""Work on many items in slices, so that the event loop serves others in between."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

AT_ONCE = 50
"""Items a slice: a few milliseconds if each is sent a message, or its clock is stopped."""

T = TypeVar("T")


class SlicedWork(Generic[T]):
    """Sliced work. The constructor does the first slice."""

    def __init__(self, things: Iterable[T], do: Callable[[T], None]) -> None:
        """``do`` may find that an item is gone or has changed."""
        self._left = dict.fromkeys(things)
        self._do = do
        self._loop = asyncio.get_running_loop()
        self._go()

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do."""
        return not self._left

    def hurry(self, thing: T) -> None:
        """Process ``thing`` now, if it is still pending."""
        if thing in self._left:
            del self._left[thing]
            self._do(thing)

    def close(self) -> None:
        """Drop the rest."""
        self._left.clear()

    def _go(self) -> None:
        try:
            for thing in tuple(itertools.islice(self._left, AT_ONCE)):
                self.hurry(thing)
        finally:  # an error of one item does not stop the others
            if self._left:
                self._loop.call_soon(self._go)
