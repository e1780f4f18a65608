"""Record of when faults were present, which determines what may be expected."""

from __future__ import annotations

import time


class Disturbances:
    """The faults of a run. Instants are those of ``time.monotonic``."""

    def __init__(self) -> None:
        self._spans: list[tuple[float, float]] = []
        self._since: float | None = None
        self._started_s = time.monotonic()

    def seconds(self, at_s: float) -> float:
        """Return the seconds since the beginning of the run."""
        return at_s - self._started_s

    def begin(self) -> None:
        """Note the beginning of a fault."""
        self._since = time.monotonic()

    def end(self) -> None:
        """Note that it is repaired."""
        assert self._since is not None, "it has begun"
        self._spans.append((self._since, time.monotonic()))
        self._since = None

    def first_in(self, began_s: float, ended_s: float) -> float | None:
        """Return when the first fault that was present between ``began_s`` and ``ended_s`` began, possibly earlier;
        None if there was none."""
        spans = [*self._spans, *(() if self._since is None else ((self._since, float("inf")),))]
        return next((first for first, last in spans if first <= ended_s and last >= began_s), None)
