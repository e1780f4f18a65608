"""Estimate of another node's clock offset, from the times in its messages."""

from __future__ import annotations

SPAN_MS = 10_000
"""Time for which the fastest message counts: the clocks may drift, or one may be set."""


class ClockOffset:
    """The smallest difference between arrival and sending of recent messages: the offset of the other clock plus the
    transit time of the fastest message.
    """

    def __init__(self) -> None:
        self._least: int | None = None
        self._before: int | None = None
        self._since_ms = 0

    def ms(self, now_ms: int, said_ms: int) -> int:
        """Return what must be added to an instant of the other node's clock.

        Args:
            now_ms: this node's clock at the arrival of a message.
            said_ms: the other node's clock at its sending.
        """
        sample = now_ms - said_ms
        if self._least is None:
            self._least, self._since_ms = sample, now_ms
        elif now_ms - self._since_ms >= SPAN_MS:
            self._before, self._least, self._since_ms = self._least, sample, now_ms
        else:
            self._least = min(self._least, sample)
        return self._least if self._before is None else min(self._least, self._before)
