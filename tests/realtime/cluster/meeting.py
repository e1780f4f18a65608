"""Nodes in one process, connected by one exchange, on a real database."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from realtime.cluster.bus.bus import Exchange, LocalBus
from realtime.cluster.bus.cluster import Cluster
from realtime.journal.nodes import Node
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from realtime.cluster.bus.bus import Bus
    from realtime.postgres.database import Pool


async def end_lease(node: Node, pool: Pool) -> None:
    """End the lease of ``node``. Its renewal is stopped, because the next one would undo this."""
    assert node._task is not None, "it was started"
    node._task.cancel()
    await asyncio.gather(node._task, return_exceptions=True)
    await pool.execute("DELETE FROM node WHERE id = $1", node.id)


@asynccontextmanager
async def member(url: str, pool: Pool, name: str, bus: Bus) -> AsyncIterator[Cluster]:
    """Run a node that has joined the cluster."""
    async with leased(url, pool, name) as node:
        cluster = Cluster(node.id, bus, pool)
        await cluster.start()
        try:
            yield cluster
        finally:
            await cluster.close()


@asynccontextmanager
async def leased(url: str, pool: Pool, name: str) -> AsyncIterator[Node]:
    """Run a node with a lease."""
    node = Node(url, pool, name)
    await node.start()
    try:
        yield node
    finally:
        await node.close()


@asynccontextmanager
async def meeting(
    url: str, pool: Pool, *names: str, exchange: Exchange | None = None, buses: Sequence[Bus] = ()
) -> AsyncIterator[list[Cluster]]:
    """Run nodes that know and reach each other."""
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
