"""When faults were there: what may be expected at an instant depends on it."""

from __future__ import annotations

import time


class Disturbances:
    """Instants are those of ``time.monotonic``."""

    def __init__(self) -> None:
        self._spans: list[tuple[float, float]] = []
        self._since: float | None = None
        self._started_s = time.monotonic()

    def seconds(self, at_s: float) -> float:
        """How long after the run began that was."""
        return at_s - self._started_s

    def begin(self) -> None:
        """A fault begins."""
        self._since = time.monotonic()

    def end(self) -> None:
        """It is mended."""
        assert self._since is not None, "it has begun"
        self._spans.append((self._since, time.monotonic()))
        self._since = None

    def first_in(self, began_s: float, ended_s: float) -> float | None:
        """When the first fault of the time from ``began_s`` to ``ended_s`` began, which may be before; None: there was
        none.
        """
        spans = [*self._spans, *(() if self._since is None else ((self._since, float("inf")),))]
        return next((first for first, last in spans if first <= ended_s and last >= began_s), None)
