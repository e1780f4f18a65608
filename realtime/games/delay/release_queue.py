"""Bounded queue of what the public is shown later, used for games and simuls."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

from game_core.public_delay import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from game_core.public_delay import PublicDelay


T = TypeVar("T")


class QueuedItem(Stamp, Generic[T], frozen=True, kw_only=True):
    """Something to be shown later, with the stamp of when the players saw it."""

    what: T


class ReleaseQueue(Generic[T]):
    """Queue in order of the log; ``PublicDelay.releases`` decides when its first entry leaves it.

    Attributes:
        limit: maximum number of entries. One more replaces them all by one snapshot, released when that is due.
    """

    __slots__ = ("_delay", "_waiting", "limit")

    def __init__(self, delay: PublicDelay, limit: int) -> None:
        self.limit = limit
        self._delay = delay
        self._waiting: deque[QueuedItem[T]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def push(self, stamp: Stamp, what: T, snapshot: Callable[[], T]) -> None:
        """Append ``what``, or where there is no room, replace all by ``snapshot()``."""
        if len(self._waiting) >= self.limit:
            self._waiting.clear()
            what = snapshot()
        self._waiting.append(QueuedItem(stamp.at_ms, stamp.ply, is_ahead=stamp.is_ahead, what=what))

    def pop_released(self, now: Stamp) -> Iterator[QueuedItem[T]]:
        """Remove and yield what is released ``now``."""
        while self._waiting and self._delay.releases(self._waiting[0], now):
            yield self._waiting.popleft()

    def due_ms(self) -> int | None:
        """Return when time releases the first entry; None: nothing waits, or not for time."""
        if not self._waiting or not self._delay.seconds:
            return None
        return self._waiting[0].at_ms + 1000 * self._delay.seconds

    def clear(self) -> None:
        """Drop all entries."""
        self._waiting.clear()
