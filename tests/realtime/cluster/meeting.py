"""Nodes in one process that meet at one exchange, on a real database."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from realtime.cluster.bus import Exchange, LocalBus
from realtime.cluster.cluster import Cluster
from realtime.nodes import Node
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from realtime.cluster.bus import Bus
    from realtime.database import Pool


@asynccontextmanager
async def member(url: str, pool: Pool, name: str, bus: Bus) -> AsyncIterator[Cluster]:
    """A node that lives and has joined the others."""
    node = Node(url, pool, name)
    await node.start()
    cluster = Cluster(name, bus, pool)
    await cluster.start()
    try:
        yield cluster
    finally:
        await cluster.close()
        await node.close()


@asynccontextmanager
async def meeting(
    url: str, pool: Pool, *names: str, exchange: Exchange | None = None, buses: Sequence[Bus] = ()
) -> AsyncIterator[list[Cluster]]:
    """Nodes that know and reach each other."""
    from contextlib import AsyncExitStack

    exchange = exchange or Exchange()
    async with AsyncExitStack() as stack:
        clusters = []
        for place, name in enumerate(names):
            bus = buses[place] if buses else LocalBus(exchange)
            clusters.append(await stack.enter_async_context(member(url, pool, name, bus)))
        for cluster in clusters:
            await cluster.look()
        await until(lambda: all(one.is_reached(other.node) for one in clusters for other in clusters))
        yield clusters
