"""Faults: what is broken, how, and for how long. Each fault ends with everything repaired."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import random
    from collections.abc import Awaitable, Callable

    from harness.chaos.breakable_link import Way
    from harness.chaos.local_cluster import LocalCluster
    from harness.chaos.local_node import LocalNode

    Fault = Callable[[LocalCluster, random.Random], Awaitable[str]]
    """Injects and repairs a fault; returns its description."""


def _some(cluster: LocalCluster, chance: random.Random) -> LocalNode:
    return chance.choice([node for node in cluster.nodes if node.is_up] or cluster.nodes)


async def kill_node(cluster: LocalCluster, chance: random.Random) -> str:
    """Send ``kill -9``. The node is restarted as another node on the same port."""
    node, down_s = _some(cluster, chance), chance.uniform(0.2, 8.0)
    node.signal(signal.SIGKILL)
    await node.ended()
    await asyncio.sleep(down_s)
    await node.start()
    return f"node {node.number} killed, back after {down_s:.1f} s"


async def replace_node(cluster: LocalCluster, chance: random.Random) -> str:
    """Send SIGTERM. The node drains and ends, and another one starts."""
    node = _some(cluster, chance)
    node.signal(signal.SIGTERM)
    await node.ended()
    await node.start()
    return f"node {node.number} drained and replaced"


async def replace_all(cluster: LocalCluster, chance: random.Random) -> str:
    """Restart all nodes one after the other."""
    for node in cluster.nodes:
        node.signal(signal.SIGTERM)
        await node.ended()
        await node.start()
        await asyncio.sleep(chance.uniform(0.5, 1.5))
    return "all nodes drained and replaced, one after the other"


async def pause_node(cluster: LocalCluster, chance: random.Random) -> str:
    """Send SIGSTOP, usually for longer than the lease, and SIGCONT."""
    node, paused_s = _some(cluster, chance), chance.choice((1.0, 4.0, 8.0, 20.0))
    node.signal(signal.SIGSTOP)
    await asyncio.sleep(paused_s)
    node.signal(signal.SIGCONT)
    return f"node {node.number} paused for {paused_s:.0f} s"


async def lose_nats(cluster: LocalCluster, chance: random.Random) -> str:
    """Cut NATS off from all nodes."""
    gone_s = chance.choice((2.0, 6.0, 20.0))
    for node in cluster.nodes:
        node.nats.pull()
    await asyncio.sleep(gone_s)
    for node in cluster.nodes:
        node.nats.plug()
    return f"NATS gone for {gone_s:.0f} s"


async def kill_nats(cluster: LocalCluster, chance: random.Random) -> str:
    """Kill NATS and start it again with an empty memory."""
    os.kill(cluster.nats.pid, signal.SIGKILL)
    await asyncio.sleep(chance.uniform(1.0, 2.0))
    return "NATS killed and started again"


async def pause_nats(cluster: LocalCluster, chance: random.Random) -> str:
    """Pause NATS: its connections stay open, but nothing arrives."""
    paused_s, pid = chance.choice((2.0, 8.0)), cluster.nats.pid
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(paused_s)
    os.kill(pid, signal.SIGCONT)
    return f"NATS paused for {paused_s:.0f} s"


async def cut_nats(cluster: LocalCluster, chance: random.Random) -> str:
    """Cut one node off from NATS."""
    node, gone_s, stalls = _some(cluster, chance), chance.uniform(1.0, 10.0), chance.random() < 0.5
    (node.nats.stall if stalls else node.nats.pull)()
    await asyncio.sleep(gone_s)
    (node.nats.flow if stalls else node.nats.plug)()
    return _cut(node, "NATS", gone_s, stalls=stalls)


async def cut_database(cluster: LocalCluster, chance: random.Random) -> str:
    """Cut one node off from the database."""
    node, gone_s, stalls = _some(cluster, chance), chance.uniform(0.5, 10.0), chance.random() < 0.5
    (node.database.stall if stalls else node.database.pull)()
    await asyncio.sleep(gone_s)
    (node.database.flow if stalls else node.database.plug)()
    return _cut(node, "the database", gone_s, stalls=stalls)


def _cut(node: LocalNode, what: str, gone_s: float, *, stalls: bool) -> str:
    if stalls:
        return f"nothing passes between node {node.number} and {what} for {gone_s:.1f} s"
    return f"node {node.number} cut off from {what} for {gone_s:.1f} s"


def _silence(what: Literal["NATS", "the database"], way: Way) -> Fault:
    """Return a fault that stalls one direction of a node's link to a server and closes nothing."""

    async def silence(cluster: LocalCluster, chance: random.Random) -> str:
        node, silent_s = _some(cluster, chance), chance.uniform(1.0, 12.0)
        link = node.nats if what == "NATS" else node.database
        link.stall(way)
        await asyncio.sleep(silent_s)
        link.flow()
        ends = (f"node {node.number}", what)
        unheard, deaf = ends if way == "there" else ends[::-1]
        return f"nothing of {unheard} reaches {deaf} for {silent_s:.1f} s"

    return silence


async def kill_postgres(cluster: LocalCluster, chance: random.Random) -> str:
    """Crash PostgreSQL, which recovers."""
    os.kill(cluster.postgres.pid, signal.SIGKILL)
    await asyncio.sleep(chance.uniform(2.0, 4.0))
    return "PostgreSQL killed and started again"


async def pause_postgres(cluster: LocalCluster, chance: random.Random) -> str:
    """Stall PostgreSQL."""
    paused_s = chance.choice((0.5, 2.0, 6.0))
    with cluster.postgres_suspended():
        await asyncio.sleep(paused_s)
    return f"PostgreSQL paused for {paused_s:.1f} s"


FAULTS: dict[str, Fault] = {
    "kill-node": kill_node,
    "replace-node": replace_node,
    "replace-all": replace_all,
    "pause-node": pause_node,
    "lose-nats": lose_nats,
    "kill-nats": kill_nats,
    "pause-nats": pause_nats,
    "cut-nats": cut_nats,
    "cut-database": cut_database,
    "nats-hears-nothing": _silence("NATS", "there"),
    "nats-says-nothing": _silence("NATS", "back"),
    "database-hears-nothing": _silence("the database", "there"),
    "database-says-nothing": _silence("the database", "back"),
    "kill-postgres": kill_postgres,
    "pause-postgres": pause_postgres,
}
"""All faults by their names on the command line."""
