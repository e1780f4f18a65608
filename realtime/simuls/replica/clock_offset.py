"""How far another node's clock is behind this one's, from what it says."""

from __future__ import annotations

SPAN_MS = 10_000
"""So long counts the fastest message: the clocks may drift, or one may be set."""


class ClockOffset:
    """The smallest difference between when something came and when it was said, of the last messages: the other
    clock's offset, and the time that the fastest of them took."""

    def __init__(self) -> None:
        self._least: int | None = None
        self._before: int | None = None
        self._since_ms = 0

    def ms(self, now_ms: int, said_ms: int) -> int:
        """What has to be added to an instant of the other node's clock.

        Args:
            now_ms: this node's clock, as a message comes.
            said_ms: the other's, as it was said.
        """
        sample = now_ms - said_ms
        if self._least is None:
            self._least, self._since_ms = sample, now_ms
        elif now_ms - self._since_ms >= SPAN_MS:
            self._before, self._least, self._since_ms = self._least, sample, now_ms
        else:
            self._least = min(self._least, sample)
        return self._least if self._before is None else min(self._least, self._before)
