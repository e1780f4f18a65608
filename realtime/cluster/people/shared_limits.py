"""Shared rate limits: nodes report usage of a limit to each other every 50 ms, as increments.

A limit so applies to the whole cluster. A client that uses N nodes within the same 50 ms can have N times the burst
once, and must wait until all of it is refilled: over a minute it gets what one node would give. A lost report is
forgotten, in the client's favour; nothing depends on it.

Some limits stay local: messages of one socket, HTTP requests of an address, and passwords of an address being checked.
They protect one process from overload, and each process has that capacity.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.cluster.bus.cluster import Cluster

BATCH_INTERVAL_S = 0.05

MOST = 5000
"""Maximum number of users or addresses reported for a limit at a time. Others are not reported: a flood from so many is
limited by each node on its own.
"""


class UsageReport(msgspec.Struct):
    """By limit, the usage of each key; a negative usage is a refund."""

    limits: dict[str, dict[str, float]]


class SharedLimit(Protocol):
    """A limit by key; ``on_spent`` is called with each key and its usage on this node."""

    on_spent: list[Callable[[str, float], None]]

    def spend(self, key: str, count: float, now_ms: float) -> None:
        """Count usage that another node has reported."""


class SharedLimits:
    """Reports and receives usage. It does nothing on a lone node."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._loop = asyncio.get_running_loop()
        self._spend: dict[str, Callable[[str, float], None]] = {}
        self._unsent: dict[str, dict[str, float]] = {}
        self._timer: asyncio.TimerHandle | None = None
        cluster.subscribe("people.spent", UsageReport, self._count)

    def close(self) -> None:
        """Stop sending."""
        if self._timer is not None:
            self._timer.cancel()

    def share(self, name: str, limit: SharedLimit, now_ms: Callable[[], float]) -> None:
        """Share usage of ``limit``, whose time is ``now_ms``."""
        self._spend[name] = lambda key, count: limit.spend(key, count, now_ms())
        limit.on_spent.append(lambda key, count: self._note(name, key, count))

    def _note(self, name: str, key: str, count: float) -> None:
        if not self._cluster.others:
            return
        counts = self._unsent.setdefault(name, {})
        if key in counts or len(counts) < MOST:
            counts[key] = counts.get(key, 0.0) + count
        if self._timer is None:
            self._timer = self._loop.call_later(BATCH_INTERVAL_S, self._report)

    def _report(self) -> None:
        self._timer = None
        unsent, self._unsent = self._unsent, {}
        self._cluster.broadcast("people.spent", UsageReport(unsent))

    def _count(self, _: str, spent: UsageReport) -> None:
        for name, counts in spent.limits.items():
            spend = self._spend.get(name)
            if spend is not None:  # otherwise a limit of a newer server version
                for key, count in counts.items():
                    spend(key, count)
