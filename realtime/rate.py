"""How fast one socket may send: a token bucket, and a second one for what the first refused."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.limits import Limits


class Verdict(Enum):
    """What becomes of a message over the rate."""

    REFUSE = 1
    """``rate_limited``; the socket stays."""
    FLOOD = 2
    """Too many were refused: the socket is closed."""


class Rate:
    """Tokens refill at ``Limits.rate`` a second up to ``Limits.burst``; a message takes one or is refused.

    Refusals are counted by a bucket of the same measure, so that who sends a little too much is only told so, for
    ever, and who pays no heed to it, a further burst of refusals beyond what drains, is a flood.
    """

    __slots__ = ("_at_ms", "_burst", "_per_ms", "_refused", "_tokens")

    def __init__(self, limits: Limits, now_ms: int) -> None:
        self._per_ms = limits.rate / 1000
        self._burst = float(limits.burst)
        self._tokens = self._burst
        self._refused = 0.0
        self._at_ms = now_ms

    def take(self, now_ms: int) -> Verdict | None:
        """Judge a message received at ``now_ms``; None lets it pass."""
        passed_ms = now_ms - self._at_ms
        if passed_ms > 0:
            self._at_ms = now_ms
            refill = passed_ms * self._per_ms
            self._tokens = min(self._burst, self._tokens + refill)
            self._refused = max(0.0, self._refused - refill)
        if self._tokens >= 1.0:
            self._tokens -= 1.0
            return None
        self._refused += 1.0
        return Verdict.REFUSE if self._refused <= self._burst else Verdict.FLOOD
