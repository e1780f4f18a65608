"""Control of Python's garbage collector: it runs when nobody plays, or when too many objects have accumulated.

Objects of a move are freed by reference counting. The collector is needed for reference cycles only, and neither play
nor closed connections leave any (``reference_cycles.py``). A collection stops the event loop for as long as it
traverses objects: a tenth of a second for an idle server, and more with every game. So automatic collection is off.

::

    every second   how many more objects are there than after the last collection?
                     fewer than WORTH          nothing
                     more, and no recent move  collect
                     MOST                      collect in any case
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
"""New objects since the last collection that make one worth while: about 5 MB."""

MOST = 2_000_000
"""New objects that force a collection: about 200 MB, if all were garbage. Ten thousand games with their players'
sockets have as many live objects."""

QUIET_TICKS = 10
"""Seconds without a move after which a collection does not disturb: whoever is playing then thinks longer than it
takes."""


class GarbageCollection:
    """Runs collections, and measures their duration.

    Attributes:
        found: objects freed by the collector in total. Growth by the hour means that something leaves cycles.
    """

    def __init__(self, pauses: Histogram) -> None:
        """``pauses`` observes the duration of each collection in seconds."""
        self.found = 0
        self._pauses = pauses
        self._began = 0.0
        self._moves = 0
        self._quiet_ticks = 0

    @property
    def grown(self) -> int:
        """Objects created since the last collection, less those freed, as counted by Python."""
        return gc.get_count()[0]

    def begin(self) -> None:
        """Freeze the present objects and turn automatic collection off. Takes as long as a collection."""
        gc.callbacks.append(self._note)
        gc.disable()
        self._sweep()

    def keep(self) -> None:
        """Freeze objects that were loaded to stay, such as the games of before a restart."""
        gc.freeze()

    def tick(self, moves: int) -> None:
        """Collect if it is time to. Called once a second.

        Args:
            moves: total number of moves; if it has not changed for a while nobody is disturbed.
        """
        if moves != self._moves:
            self._moves, self._quiet_ticks = moves, 0
        else:
            self._quiet_ticks += 1
        grown = self.grown
        if grown >= MOST:
            log.warning("collecting garbage while games are played: %d new objects", grown)
            self._sweep()
        elif grown >= WORTH and self._quiet_ticks >= QUIET_TICKS:
            self._sweep()

    def close(self) -> None:
        """Stop measuring, and turn automatic collection on."""
        if self._note in gc.callbacks:
            gc.callbacks.remove(self._note)
            gc.enable()

    def _sweep(self) -> None:
        """Collect everything. What is left is frozen, which also resets the count."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def _note(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began = perf_counter()
        else:
            self._pauses.observe(perf_counter() - self._began)
            self.found += info["collected"] + info["uncollectable"]
