"""Event loop under the control of a test: callbacks run only on request."""

from __future__ import annotations

import heapq
import itertools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class FakeLoop:
    """Runs the callbacks of ``call_soon`` in ``turn``, those of ``call_later`` in ``advance``."""

    def __init__(self) -> None:
        self._now_s = 1000.0
        self._soon: list[Callable[[], None]] = []
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()

    def time(self) -> float:
        return self._now_s

    def call_soon(self, call: Callable[[], None], /) -> None:
        self._soon.append(call)

    def call_later(self, delay_s: float, call: Callable[..., None], /, *args: Any) -> None:
        heapq.heappush(self._later, (self._now_s + delay_s, next(self._order), lambda: call(*args)))

    @property
    def is_idle(self) -> bool:
        """Return whether no callback waits."""
        return not self._soon and not self._later

    def turn(self) -> int:
        """Run the callbacks that are ready; return their number."""
        soon, self._soon = self._soon, []
        for call in soon:
            call()
        return len(soon)

    def settle(self) -> int:
        """Repeat ``turn`` until none is ready; return the number of turns."""
        turns = 0
        while self.turn():
            turns += 1
        return turns

    def advance(self, s: float) -> None:
        """Let ``s`` seconds pass, and run all callbacks that are due in them."""
        end_s = self._now_s + s
        self.settle()
        while self._later and self._later[0][0] <= end_s:
            self._now_s, _, call = heapq.heappop(self._later)
            call()
            self.settle()
        self._now_s = end_s
