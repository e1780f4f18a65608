"""Python's garbage collector: when it looks, what it need not look at, and for how long it stops everything.

What a move makes is freed as its last reference goes; the collector is there for cycles, of which a closed socket
leaves one. While it looks for them nothing else runs, for as long as there is something to look at.
"""

from __future__ import annotations

import gc
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.metrics import Histogram

COLLECTIONS = (5_000, 3, 30)
"""Thresholds. The first: moves leave no cycles behind, a closed socket one of asyncio with five objects; Python would
look for them seven times as often, which is 7 % of the CPU in play instead of 1.5.

The others: whoever comes brings 70 objects, of which half stay. With Python's 10 and 10 ten thousand who came at once
were fourteen pauses of 22 ms and one of 180; now they are thirty of 6 ms, and everything is looked at after 600,000
objects only."""

YOUNG = 1
"""Up to this generation there is little to look at, however much there is in memory."""


class Garbage:
    """Measures the collector's pauses by generation."""

    def __init__(self, pauses: dict[int, Histogram]) -> None:
        self._pauses = pauses
        self._began = 0.0

    def begin(self) -> None:
        """What is there now stays, and is looked at no more. Takes as long as a collection of everything."""
        gc.callbacks.append(self._note)
        gc.collect()
        gc.freeze()
        gc.set_threshold(*COLLECTIONS)

    def keep(self) -> None:
        """Much has come that stays, the games of before a restart: it need not be looked at either. Takes a moment."""
        gc.collect(YOUNG)
        gc.freeze()

    def close(self) -> None:
        """Measure no more."""
        if self._note in gc.callbacks:
            gc.callbacks.remove(self._note)

    def _note(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began = perf_counter()
        else:
            self._pauses[info["generation"]].observe(perf_counter() - self._began)
