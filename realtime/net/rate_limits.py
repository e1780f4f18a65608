"""How fast one socket may send: a token bucket, and a second one for what the first refused. And a bucket a person."""

from __future__ import annotations

from collections import OrderedDict
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.protocol.limits import Limits


class Verdict(Enum):
    """What becomes of a message over the rate."""

    REFUSE = 1
    """``rate_limited``; the socket stays."""
    FLOOD = 2
    """Too many were refused: the socket is closed."""


class SocketRate:
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


PACES_KEPT = 10_000
"""People whose buckets are remembered: all who ask for something within a minute or two."""


class TokenBuckets:
    """A token bucket a person, on all sockets together.

    Args:
        burst: tokens of a full bucket.
        rate: how many a second come back.

    Attributes:
        spent: called with whoever has taken a token, and 1.
    """

    def __init__(self, burst: float, rate: float) -> None:
        self._burst = burst
        self._per_ms = rate / 1000
        self._left: OrderedDict[str, tuple[float, int]] = OrderedDict()
        """Tokens of each, and since when; who took one last is last."""
        self.spent: Callable[[str, float], None] = lambda user, count: None

    def take(self, user: str, now_ms: int) -> bool:
        """Take a token of ``user``; False when there is none."""
        is_there = self._tokens(user, now_ms) >= 1
        self.spend(user, is_there, now_ms)
        if is_there:
            self.spent(user, 1)
        return is_there

    def spend(self, user: str, count: float, now_ms: int) -> None:
        """Take ``count`` tokens of ``user`` that he has had elsewhere, whether they are there or not."""
        left = self._tokens(user, now_ms) - count
        _, at_ms = self._left.pop(user, (0, now_ms))
        self._left[user] = (left, max(now_ms, at_ms))
        if len(self._left) > PACES_KEPT:
            self._left.popitem(last=False)

    def _tokens(self, user: str, now_ms: int) -> float:
        tokens, at_ms = self._left.get(user, (self._burst, now_ms))
        return min(self._burst, tokens + max(0, now_ms - at_ms) * self._per_ms)
