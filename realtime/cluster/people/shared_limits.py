"""What somebody has used up of a limit at one node counts at the others: some 50 ms later, told as how much more it is.

So a limit is that of the whole cluster. Who asks at N nodes within the same 50 ms can have N times the burst once, and
has to wait for all of it to come back before he has any more: over a minute he gets what he would get from one node.
What gets lost is forgotten, which is in his favour; nothing depends on it.

A node for itself counts: messages of one socket, HTTP requests of an address, passwords of an address that are being
looked at. These are there to keep one process from being kept busy, and each process has that much to give.
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
"""Of a limit, people or addresses told of at a time; who comes after them is not told of: a flood from so many is kept
out at each node by itself."""


class Spent(msgspec.Struct):
    """By limit, what was used up by whom; less than nothing is given back."""

    limits: dict[str, dict[str, float]]


class Counts(Protocol):
    """A limit that counts by key; ``spent`` is called with each key and how much was used up here."""

    spent: Callable[[str, float], None]


class LoginAttempts(Protocol):
    """Limits on password attempts: several token buckets, by name."""

    @property
    def buckets(self) -> Mapping[str, Counts]:
        """By name."""

    def spender(self, buckets: Any) -> Callable[[str, float], None]:
        """What counts usage of one of ``buckets`` that another node has reported."""


class NewAccounts(Counts, Protocol):
    """A limit on new accounts of an address."""

    def spend(self, key: str, count: float) -> None:
        """Count usage that another node has reported."""


class SharedLimits:
    """Tells and hears it. Alone it does nothing."""

    def __init__(self, cluster: Cluster, time: ServerTime) -> None:
        self._cluster = cluster
        self._time = time
        self._loop = asyncio.get_running_loop()
        self._takers: dict[str, Callable[[str, float], None]] = {}
        self._untold: dict[str, dict[str, float]] = {}
        self._timer: asyncio.TimerHandle | None = None
        cluster.hears("people.spent", Spent, self._take)

    def close(self) -> None:
        """Tell nothing more."""
        if self._timer is not None:
            self._timer.cancel()

    def share(self, name: str, limit: Counts, take: Callable[[str, float], None]) -> None:
        """Tell the others what is used up of ``limit``; ``take`` counts what they have told, and does not tell it."""
        self._takers[name] = take
        limit.spent = lambda key, count: self._note(name, key, count)

    def share_paces(self, name: str, paces: TokenBuckets) -> None:
        """The same of a bucket a person."""
        self.share(name, paces, lambda user, count: paces.spend(user, count, self._time.now_ms()))

    def share_logins(self, limit: LoginAttempts) -> None:
        """The same of passwords that were tried."""
        for name, buckets in limit.buckets.items():
            self.share(f"login {name}", buckets, limit.spender(buckets))

    def share_guests(self, name: str, limit: NewAccounts) -> None:
        """The same of what an address may make in a minute."""
        self.share(name, limit, limit.spend)

    def share_flood(self, name: str, flood: Flood) -> None:
        """The same of lines of chat."""
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
            if take is not None:  # a limit of a newer version
                for key, count in counts.items():
                    take(key, count)
