"""Python's garbage collector: it looks when nobody plays, or when so much has come that it has to.

What a move makes is freed as its last reference goes; the collector is there for cycles alone, and play leaves none:
nor does a connection that ends (``reference_cycles.py``). While it looks for them nothing else runs, for as long as
there is something to look at: a tenth of a second for what a server is made of, and more with every game. So it does
not look by itself.

::

    every second   how many more objects are there than after the last sweep?
                     fewer than WORTH          nothing
                     more, and a quiet moment  sweep
                     MOST                      sweep, whoever plays
"""

from __future__ import annotations

import gc
import logging
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.ops.metrics import Histogram

log = logging.getLogger(__name__)

WORTH = 50_000
"""Objects that have come and not gone since the last sweep, from which on one is worth its while: 5 MB or so."""

MOST = 2_000_000
"""Objects from which on there is a sweep, whoever plays: some 200 MB, if all of them were garbage. Ten thousand games
with their players' sockets come to as many, none of which is."""

QUIET_BEATS = 10
"""Seconds without a move after which a moment counts as quiet: whoever plays now thinks longer than a sweep takes."""


class GarbageCollection:
    """Sweeps, and measures how long each collection took.

    Attributes:
        found: objects that the collector had to free, ever: if it grows by the hour, something leaves cycles.
    """

    def __init__(self, pauses: Histogram) -> None:
        """``pauses``: is told how long each collection took, in seconds."""
        self.found = 0
        self._pauses = pauses
        self._began = 0.0
        self._moves = 0
        self._quiet_beats = 0

    @property
    def grown(self) -> int:
        """Objects made since the last sweep, less those freed since; Python counts what it would have to look at."""
        return gc.get_count()[0]

    def begin(self) -> None:
        """What is there now stays, and from now on the collector looks when told to. Takes as long as a sweep."""
        gc.callbacks.append(self._note)
        gc.disable()
        self._sweep()

    def keep(self) -> None:
        """Much has come that stays, the games of before a restart: it does not count. Takes a moment."""
        gc.freeze()

    def beat(self, moves: int) -> None:
        """Once a second: sweep, if it is time to.

        Args:
            moves: that were ever made; a moment is quiet if it has not changed for a while.
        """
        if moves != self._moves:
            self._moves, self._quiet_beats = moves, 0
        else:
            self._quiet_beats += 1
        grown = self.grown
        if grown >= MOST:
            log.warning("looking for garbage while people may be playing: %d objects have come", grown)
            self._sweep()
        elif grown >= WORTH and self._quiet_beats >= QUIET_BEATS:
            self._sweep()

    def close(self) -> None:
        """Measure no more; Python looks by itself again."""
        if self._note in gc.callbacks:
            gc.callbacks.remove(self._note)
            gc.enable()

    def _sweep(self) -> None:
        """Look through everything. What is left is put aside, which also begins the count anew."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def _note(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began = perf_counter()
        else:
            self._pauses.observe(perf_counter() - self._began)
            self.found += info["collected"] + info["uncollectable"]
