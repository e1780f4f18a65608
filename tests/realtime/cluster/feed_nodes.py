"""Nodes with a replicated feed in one process, in a loop that never waits."""

from __future__ import annotations

import asyncio
import selectors
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import msgspec

from realtime.cluster.bus.bus import Exchange, LocalBus
from realtime.cluster.bus.cluster import Cluster
from realtime.cluster.bus.replicated_feed import ReplicatedFeed, Topics

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

PORTION = 2

NODES = ("one", "two", "three")

SEPARATE, SHARED = Topics("n.delta", "n.all", "n.want"), Topics("n.both", "n.both", "n.want")


class Numbers(msgspec.Struct):
    """Values by key; None: gone."""

    values: dict[str, int | None] = {}
    first: bool = False
    last: bool = False


class Copy:
    """The numbers of one node, and its copies of the others'."""

    def __init__(self) -> None:
        self.ours: dict[str, int] = {}
        self.others: dict[str, dict[str, int]] = defaultdict(dict)
        self.reports = 0

    def keys(self) -> list[str]:
        return list(self.ours)

    def encode(self, keys: list[str]) -> Numbers | None:
        self.reports += 1
        return Numbers({key: self.ours.get(key) for key in keys}) if keys else None

    def decode(self, report: Numbers) -> list[tuple[str, int | None]]:
        return list(report.values.items())

    def replaced(self, node: str, key: str, was: int | None, now: int | None) -> None:
        assert self.others[node].pop(key, None) == was
        if now is not None:
            self.others[node][key] = now


class Registry:
    """Stands in for the database: the nodes that live."""

    def __init__(self) -> None:
        self.alive: set[str] = set()

    async def fetch(self, _: str) -> list[dict[str, Any]]:
        return [{"id": node, "is_draining": False} for node in self.alive]


class Node:
    """A node with a feed."""

    def __init__(self, name: str, exchange: Exchange, registry: Registry, topics: Topics) -> None:
        self.name = name
        self.registry = registry
        self.cluster = Cluster(name, LocalBus(exchange), registry)  # type: ignore[arg-type]  # it reads one table
        self.copy = Copy()
        self.feed = ReplicatedFeed(self.cluster, topics, Numbers, self.copy, portion=PORTION)

    async def start(self) -> None:
        self.registry.alive.add(self.name)
        await self.cluster.start()
        self.cluster.complete()

    def set(self, key: str, value: int | None) -> None:
        if value is None:
            self.copy.ours.pop(key, None)
        else:
            self.copy.ours[key] = value
        self.feed.note(key)

    async def die(self) -> None:
        self.feed.close()
        await self.cluster.close()
        self.registry.alive.discard(self.name)


class Selector(selectors.DefaultSelector):
    """A selector that does not wait: it turns the loop's clock instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += max(0.0, timeout or 0.0)
        return super().select(0)


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run ``work`` at once, however long it sleeps."""

    def make() -> asyncio.AbstractEventLoop:
        selector = Selector()
        loop = asyncio.SelectorEventLoop(selector)
        loop.time = lambda: selector.now  # type: ignore[method-assign]  # a clock that is turned
        return loop

    with asyncio.Runner(loop_factory=make) as runner:
        runner.run(work)


def two(play: Callable[[Exchange, Node, Node], Coroutine[Any, Any, None]]) -> None:
    """Run ``play`` with two nodes that know each other."""

    async def meet() -> None:
        exchange, registry = Exchange(), Registry()
        one, other = (Node(name, exchange, registry, SEPARATE) for name in NODES[:2])
        await one.start()
        await other.start()
        await asyncio.sleep(2.0)
        await play(exchange, one, other)
        await one.die()
        await other.die()

    run(meet())
