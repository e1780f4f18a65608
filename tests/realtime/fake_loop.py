"""An event loop in the hands of a test: nothing is called before the test says so."""

from __future__ import annotations

import heapq
import itertools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class FakeLoop:
    """Calls what is to be called soon in ``turn``, what is to be called later in ``advance``."""

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
        """Nothing is to be called, soon or later."""
        return not self._soon and not self._later

    def turn(self) -> int:
        """One turn: what was to be called soon is called; how much that was."""
        soon, self._soon = self._soon, []
        for call in soon:
            call()
        return len(soon)

    def settle(self) -> int:
        """Turns until nothing is to be called soon; how many."""
        turns = 0
        while self.turn():
            turns += 1
        return turns

    def advance(self, s: float) -> None:
        """Let ``s`` seconds pass, and everything happen that falls into them."""
        end_s = self._now_s + s
        self.settle()
        while self._later and self._later[0][0] <= end_s:
            self._now_s, _, call = heapq.heappop(self._later)
            call()
            self.settle()
        self._now_s = end_s
