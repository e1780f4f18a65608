"""Shared rate limits: nodes report usage of a limit to each other every 50 ms, as increments.

A limit so applies to the whole cluster. A client that uses N nodes within the same 50 ms can have N times the burst
once, and must wait until all of it is refilled: over a minute it gets what one node would give. A lost report is
forgotten, in the client's favour; nothing depends on it.

Some limits stay local: messages of one socket, HTTP requests of an address, and passwords of an address being checked.
They protect one process from overload, and each process has that capacity.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lobby.chat import Flood
    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Cluster
    from realtime.net.rate_limits import TokenBuckets

GATHER_S = 0.05

MOST = 5000
"""Maximum number of users or addresses reported for a limit at a time. Others are not reported: a flood from so many is
limited by each node on its own.
"""


class Spent(msgspec.Struct):
    """By limit, the usage of each key; a negative usage is a refund."""

    limits: dict[str, dict[str, float]]


class Counts(Protocol):
    """A limit by key; ``spent`` is called with each key and its usage on this node."""

    spent: Callable[[str, float], None]


class LoginAttempts(Protocol):
    """Limits on password attempts: several token buckets, by name."""

    @property
    def buckets(self) -> Mapping[str, Counts]:
        """Return the buckets by name."""

    def spender(self, buckets: Any) -> Callable[[str, float], None]:
        """Return a function that counts usage of one of ``buckets`` on another node."""


class NewAccounts(Counts, Protocol):
    """Limit on new accounts from an address."""

    def spend(self, key: str, count: float) -> None:
        """Count usage that another node has reported."""


class SharedLimits:
    """Reports and receives usage. It does nothing on a lone node."""

    def __init__(self, cluster: Cluster, time: ServerTime) -> None:
        self._cluster = cluster
        self._time = time
        self._loop = asyncio.get_running_loop()
        self._takers: dict[str, Callable[[str, float], None]] = {}
        self._untold: dict[str, dict[str, float]] = {}
        self._timer: asyncio.TimerHandle | None = None
        cluster.hears("people.spent", Spent, self._take)

    def close(self) -> None:
        """Stop sending."""
        if self._timer is not None:
            self._timer.cancel()

    def share(self, name: str, limit: Counts, take: Callable[[str, float], None]) -> None:
        """Share usage of ``limit``; ``take`` counts the usage of other nodes without reporting it again."""
        self._takers[name] = take
        limit.spent = lambda key, count: self._note(name, key, count)

    def share_paces(self, name: str, paces: TokenBuckets) -> None:
        """Share the token buckets of users."""
        self.share(name, paces, lambda user, count: paces.spend(user, count, self._time.now_ms()))

    def share_logins(self, limit: LoginAttempts) -> None:
        """Share the number of password attempts."""
        for name, buckets in limit.buckets.items():
            self.share(f"login {name}", buckets, limit.spender(buckets))

    def share_guests(self, name: str, limit: NewAccounts) -> None:
        """Share the number of new accounts and guests from an address."""
        self.share(name, limit, limit.spend)

    def share_flood(self, name: str, flood: Flood) -> None:
        """Share the flood limit of chat."""
        self.share(name, flood, lambda user, count: flood.spend(user, count, self._time.now_ms()))

    def _note(self, name: str, key: str, count: float) -> None:
        if not self._cluster.others:
            return
        counts = self._untold.setdefault(name, {})
        if key in counts or len(counts) < MOST:
            counts[key] = counts.get(key, 0.0) + count
        if self._timer is None:
            self._timer = self._loop.call_later(GATHER_S, self._tell)

    def _tell(self) -> None:
        self._timer = None
        untold, self._untold = self._untold, {}
        self._cluster.tell_all("people.spent", Spent(untold))

    def _take(self, _: str, spent: Spent) -> None:
        for name, counts in spent.limits.items():
            take = self._takers.get(name)
            if take is not None:  # otherwise a limit of a newer server version
                for key, count in counts.items():
                    take(key, count)
