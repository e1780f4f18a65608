"""Token buckets: a single one, one for each key, and the two that judge the messages of a socket. Time is an
argument."""

from __future__ import annotations

from collections import OrderedDict
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.protocol.limits import Limits

KEPT = 10_000
"""Keys whose buckets are kept: all requesters of a minute or two."""


class TokenBucket:
    """A token bucket that refills steadily. Exact if all its figures are integers.

    Args:
        burst: capacity; it begins full.
        rate: tokens refilled in ``per_ms``.
        now_ms: the present.
    """

    __slots__ = ("_at_ms", "_burst", "_per_ms", "_rate", "_used")

    def __init__(self, burst: float, rate: float, now_ms: float, per_ms: int = 1000) -> None:
        self._burst = burst * per_ms
        self._rate = rate
        self._per_ms = per_ms
        self._used: float = 0
        """Used tokens in units of 1 / ``per_ms`` of a token, as ``_burst``, so that no division is needed."""
        self._at_ms = now_ms

    def take(self, now_ms: float) -> bool:
        """Take a token; False when there is none."""
        # ``_used_at`` inlined: every message of a socket passes here.
        used, at_ms = self._used, self._at_ms
        if now_ms > at_ms:
            used -= (now_ms - at_ms) * self._rate
            at_ms = now_ms
            if used < 0:
                used = 0
        used += self._per_ms
        if used > self._burst:
            return False
        self._used = used
        self._at_ms = at_ms
        return True

    def spend(self, count: float, now_ms: float) -> None:
        """Take ``count`` tokens whether they are there or not; a negative ``count`` gives tokens back."""
        self._used = max(0, self._used_at(now_ms) + count * self._per_ms)
        self._at_ms = max(self._at_ms, now_ms)

    def used(self, now_ms: float) -> float:
        """Return how many tokens are used; more than the burst after ``spend``."""
        return self._used_at(now_ms) / self._per_ms

    def wait_ms(self, now_ms: float) -> float:
        """Return the time until there is a token; 0 when there is one."""
        return max(0, self._used_at(now_ms) + self._per_ms - self._burst) / self._rate

    def _used_at(self, now_ms: float) -> float:
        return max(0, self._used - max(0, now_ms - self._at_ms) * self._rate)


class TokenBuckets:
    """A token bucket for each key. The keys used longest ago are forgotten.

    Args:
        burst, rate, per_ms: as of ``TokenBucket``.
        kept: maximum number of keys that are remembered.

    Attributes:
        on_spent: called with the key and the count of tokens that were taken here, or given back.
    """

    def __init__(self, burst: float, rate: float, per_ms: int = 1000, kept: int = KEPT) -> None:
        self.on_spent: list[Callable[[str, float], None]] = []
        self._burst = burst
        self._rate = rate
        self._per_ms = per_ms
        self._kept = kept
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()
        """By key; the one used last is last."""

    def take(self, key: str, now_ms: float) -> bool:
        """Take a token of ``key``; False when there is none."""
        if not self._bucket(key, now_ms).take(now_ms):
            return False
        for call in self.on_spent:
            call(key, 1)
        return True

    def add(self, key: str, count: float, now_ms: float) -> None:
        """Take ``count`` tokens of ``key`` whether they are there or not; a negative ``count`` gives tokens back."""
        self.spend(key, count, now_ms)
        for call in self.on_spent:
            call(key, count)

    def spend(self, key: str, count: float, now_ms: float) -> None:
        """Do the same as ``add`` for tokens that were taken at another node."""
        bucket = self._bucket(key, now_ms)
        bucket.spend(count, now_ms)
        if not bucket.used(now_ms):
            del self._buckets[key]

    def used(self, key: str, now_ms: float) -> float:
        """Return how many tokens of ``key`` are used."""
        bucket = self._buckets.get(key)
        return 0.0 if bucket is None else bucket.used(now_ms)

    def wait_ms(self, key: str, now_ms: float) -> float:
        """Return the time until there is a token of ``key``; 0 when there is one."""
        bucket = self._buckets.get(key)
        return 0.0 if bucket is None else bucket.wait_ms(now_ms)

    def _bucket(self, key: str, now_ms: float) -> TokenBucket:
        bucket = self._buckets.get(key)
        if bucket is not None:
            self._buckets.move_to_end(key)
            return bucket
        bucket = self._buckets[key] = TokenBucket(self._burst, self._rate, now_ms, self._per_ms)
        if len(self._buckets) > self._kept:
            self._buckets.popitem(last=False)
        return bucket


class RateVerdict(Enum):
    """Judgement of a message over the rate."""

    REFUSE = 1
    """Reply with ``rate_limited``; the socket stays open."""
    FLOOD = 2
    """Close the socket after too many refusals."""


class SocketRate:
    """Message rate of one socket: tokens refill at ``Limits.rate`` a second up to ``Limits.burst``.

    A refusal takes a token of a second bucket of the same size. So a client that sends a little too much is only told
    so, for ever; one that sends a further burst of refused messages beyond the refill is a flood.
    """

    __slots__ = ("_messages", "_refusals")

    def __init__(self, limits: Limits, now_ms: int) -> None:
        self._messages = TokenBucket(limits.burst, limits.rate, now_ms)
        self._refusals = TokenBucket(limits.burst, limits.rate, now_ms)

    def take(self, now_ms: int) -> RateVerdict | None:
        """Judge a message received at ``now_ms``; None accepts it."""
        if self._messages.take(now_ms):
            return None
        return RateVerdict.REFUSE if self._refusals.take(now_ms) else RateVerdict.FLOOD
