"""Replicated feed: a map by key. Each node owns its entries, and every other node keeps copies of them.

    a key changes ──► batched for 50 ms ──► delta ──► every other node
    a node joins, a message is lost ──► want ──► all keys, in portions ──► that node: other keys are gone
    a node dies ──► its keys are gone

A message holds values and not increments, so a repeated one does no harm. Links keep messages in order and report gaps,
so nothing is numbered here. After a gap the copy keeps its values until the owner's have arrived.
"""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from realtime.cluster.bus.cluster import Cluster

BATCH_INTERVAL_S = 0.05
"""Delay within which changes, and losses, are batched."""

RETRY_INTERVAL_S = 1.0
"""Delay before a node is asked again that has not begun, or not continued, its full report."""


class ReportRequest(msgspec.Struct):
    """Request for a full report of the receiver."""


class FeedReport(Protocol):
    """A message of the feed, a ``msgspec.Struct``: a delta, or one portion of a full report."""

    first: bool
    last: bool


class Topics(NamedTuple):
    """Topics of a feed on the bus; the first two may be the same."""

    delta: str
    portion: str
    want: str


K = TypeVar("K")
V = TypeVar("V")
R = TypeVar("R", bound=FeedReport)


class Owner(Protocol[K, V, R]):
    """The state of this node, and the user of the others'."""

    def keys(self) -> Iterable[K]:
        """Return the keys of this node."""

    def encode(self, keys: list[K]) -> R | None:
        """Return the present values of ``keys``, including those that are gone; None: there is nothing to report."""

    def decode(self, report: R) -> Iterable[tuple[K, V | None]]:
        """Return the keys in ``report`` with their values; None: the key is gone."""

    def replaced(self, node: str, key: K, was: V | None, now: V | None) -> None:
        """Handle a value of ``node``; None: it had, or has, no such key."""


class ReplicatedFeed(Generic[K, V, R]):
    """The feed of one node. On a lone node it does no work.

    Args:
        portion: maximum number of keys in one message, between two iterations of the event loop.

    Attributes:
        copies: by other node, its values by key.
    """

    def __init__(self, cluster: Cluster, topics: Topics, kind: type[R], owner: Owner[K, V, R], *, portion: int) -> None:
        self.copies: dict[str, dict[K, V]] = {}
        self._cluster = cluster
        self._topics = topics
        self._kind = kind
        self._owner = owner
        self._portion = portion
        self._loop = asyncio.get_running_loop()
        self._changed: dict[K, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._reporting: dict[str, Iterator[K]] = {}
        """Nodes that are being sent a full report, each with the remaining keys."""
        self._requests: dict[str, asyncio.TimerHandle] = {}
        """Nodes that owe a full report, each with the timer of the next request."""
        self._missing: dict[str, set[K]] = {}
        """Nodes that are sending a full report, each with the known keys that have not come yet."""
        cluster.subscribe(topics.delta, kind, self._apply)
        cluster.subscribe(topics.portion, kind, self._apply)
        cluster.subscribe(topics.want, ReportRequest, lambda node, _: self._report_all(node))
        cluster.on_came.append(self._came)
        cluster.on_gap.append(self._missed)
        cluster.on_gone.append(self._gone)
        for node in cluster.others:
            self._came(node)

    def close(self) -> None:
        """Stop sending and asking."""
        for timer in (*self._requests.values(), *(() if self._timer is None else (self._timer,))):
            timer.cancel()
        self._reporting.clear()

    # -- sending ------------------------------------------------------------------------------------------

    def note(self, key: K) -> None:
        """Report a change of ``key`` to all nodes soon."""
        if self._cluster.others:
            self._changed[key] = None
            if self._timer is None:
                self._timer = self._loop.call_later(BATCH_INTERVAL_S, self.flush)

    def is_pending(self, key: K) -> bool:
        """Return whether a change of ``key`` has not been reported yet."""
        return key in self._changed

    def flush(self) -> None:
        """Report all changes now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        changed, self._changed = iter(self._changed), {}
        while some := list(islice(changed, self._portion)):
            report = self._owner.encode(some)
            if report is not None:
                self._cluster.broadcast(self._topics.delta, report)

    def _report_all(self, node: str) -> None:
        self._reporting[node] = keys = iter(list(self._owner.keys()))
        self._report(node, keys, is_first=True)  # at once: later deltas belong to the report

    def _report(self, node: str, keys: Iterator[K], *, is_first: bool = False) -> None:
        if self._reporting.get(node) is not keys:
            return  # another report has begun, or the receiver is gone
        some = list(islice(keys, self._portion))
        report = self._owner.encode(some) or self._kind()
        report.first, report.last = is_first, len(some) < self._portion
        self._cluster.send(node, self._topics.portion, report)
        if report.last:
            del self._reporting[node]
        else:
            self._loop.call_soon(self._report, node, keys)

    # -- receiving ----------------------------------------------------------------------------------------

    def _apply(self, node: str, report: R) -> None:
        if node not in self._cluster.others:
            return  # it is asked once it is known to be alive
        if report.first:
            self._missing[node] = set(self.copies.get(node, ()))
        missing = self._missing.get(node)  # None: a delta, or the first portion was lost
        for key, value in self._owner.decode(report):
            self._replace(node, key, value)
            if missing is not None:
                missing.discard(key)
        if missing is None:
            return
        if report.last:
            del self._missing[node]
            self._stop_requests(node)
            for key in missing:
                self._replace(node, key, None)
        elif node in self._requests:
            self._request_in(RETRY_INTERVAL_S, node)  # it goes on

    def _replace(self, node: str, key: K, now: V | None) -> None:
        copy = self.copies.setdefault(node, {})
        was = copy.pop(key, None)
        if now is not None:
            copy[key] = now
        self._owner.replaced(node, key, was, now)

    def _request_in(self, delay_s: float, node: str) -> None:
        self._stop_requests(node)
        self._requests[node] = self._loop.call_later(delay_s, self._request, node)

    def _request(self, node: str) -> None:
        self._cluster.send(node, self._topics.want, ReportRequest())
        self._request_in(RETRY_INTERVAL_S, node)

    def _stop_requests(self, node: str) -> None:
        timer = self._requests.pop(node, None)
        if timer is not None:
            timer.cancel()

    # -- nodes --------------------------------------------------------------------------------------------

    def _came(self, node: str) -> None:
        self._report_all(node)  # it receives deltas only from now on
        self._missed(node)

    def _missed(self, node: str) -> None:
        """Request a full report, because messages of ``node`` were lost or came before it was known."""
        if node not in self._cluster.others:
            return
        self._missing.pop(node, None)
        timer = self._requests.get(node)
        if timer is None or timer.when() > self._loop.time() + BATCH_INTERVAL_S:
            self._request_in(BATCH_INTERVAL_S, node)

    def _gone(self, node: str) -> None:
        self._reporting.pop(node, None)
        self._missing.pop(node, None)
        self._stop_requests(node)
        for key, was in self.copies.pop(node, {}).items():
            self._owner.replaced(node, key, was, None)
