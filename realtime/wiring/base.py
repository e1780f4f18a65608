"""What every other part needs: database, lease, bus, clocks and storage."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from realtime.clock.loop_time import running_time
from realtime.clock.timers import Timers
from realtime.cluster.bus.bus import LocalBus
from realtime.cluster.bus.cluster import Cluster
from realtime.cluster.bus.nats_bus import NatsBus
from realtime.fanout.spectator_queue import FanOut
from realtime.journal.journal import Journal
from realtime.journal.nodes import Node
from realtime.journal.rated_ends import RatedEnds
from realtime.journal.recomputation import recompute_if_due
from realtime.journal.storage import Storage
from realtime.ops.metrics import Metrics
from realtime.ops.traffic import Traffic
from realtime.postgres.database import close_pool, create_pool
from realtime.postgres.embedded import EmbeddedPostgres
from realtime.postgres.migrate import migrate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.clock.loop_time import LoopTime
    from realtime.commands.settings import Settings
    from realtime.postgres.database import Pool


@dataclass(frozen=True, slots=True)
class Base:
    """The base of a server. Parts that are opened push their closing on ``stack``, which runs in reverse order."""

    settings: Settings
    stack: contextlib.AsyncExitStack
    is_alone: bool
    """Whether the database is ours alone, in our own data directory."""
    pool: Pool
    node: Node
    cluster: Cluster
    time: LoopTime
    timers: Timers
    traffic: Traffic
    metrics: Metrics
    storage: Storage
    fan_out: FanOut

    def wall_ms(self) -> int:
        """Return the present in Unix ms."""
        return self.time.wall_ms(self.time.now_ms())


@contextlib.asynccontextmanager
async def opened_database(settings: Settings, *, nodes: int = 1) -> AsyncIterator[tuple[str, bool]]:
    """Yield the database's URL, migrated, and whether it is ours alone; an embedded one has room for ``nodes``."""
    async with contextlib.AsyncExitStack() as stack:
        if settings.database is None:
            postgres = EmbeddedPostgres(settings.data, settings.postgres_bin, nodes=nodes)
            await stack.enter_async_context(postgres)
            url = postgres.url
        else:
            url = settings.database
        await migrate(url)
        await recompute_if_due(url)
        yield url, settings.database is None


async def open_base(settings: Settings, node_id: str | None, stack: contextlib.AsyncExitStack) -> Base:
    """Open the database, enter this node, and start the journal."""
    url, is_alone = await stack.enter_async_context(opened_database(settings))
    pool = await create_pool(url)
    stack.push_async_callback(close_pool, pool)
    time, traffic = running_time(), Traffic()
    metrics = Metrics(traffic)
    node = Node(url, pool, node_id, on_clock=time.set_wall)
    await node.start(expire_others=is_alone)
    stack.push_async_callback(node.close)
    cluster = await _cluster(settings, node, pool)
    stack.push_async_callback(cluster.close)
    journal = Journal(url, node.id, observer=metrics)
    await journal.start()
    stack.push_async_callback(journal.close)
    rated_ends = RatedEnds(url, node.id, observer=metrics)
    rated_ends.start()
    stack.push_async_callback(rated_ends.close)
    timers = Timers(time)
    stack.callback(timers.close)
    storage = Storage(journal, rated_ends)
    return Base(
        settings, stack, is_alone, pool, node, cluster, time, timers, traffic, metrics, storage, FanOut()
    )  # fmt: skip


async def _cluster(settings: Settings, node: Node, pool: Pool) -> Cluster:
    """Return this node among those that share the database. Without NATS it knows of them but does not reach them."""
    name = await pool.fetchval("SELECT id FROM cluster")
    bus = LocalBus() if settings.nats is None else NatsBus(settings.nats, name, settings.nats_ca)
    return Cluster(node.id, bus, pool, is_lone=settings.nats is None)
