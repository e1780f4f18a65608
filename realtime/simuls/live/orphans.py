"""Takeover of simuls without a leader, or led by this node but not in memory: one node takes each with its boards."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING

import msgspec

from game_core.errors import Refusal
from realtime.postgres.database import FAILURES
from realtime.simuls.store import leadership

if TYPE_CHECKING:
    from lobby.ports import Pool
    from realtime.cluster.bus.cluster import Cluster
    from realtime.simuls.live.ports import SimulsHere

FREE = "simul.free"

SEARCH_INTERVAL_S = 1.0
"""Interval between two searches; the lease of a dead node expires after five seconds."""

log = logging.getLogger(__name__)


class OrphanSimul(msgspec.Struct):
    """Some simuls have no leader."""


class OrphanSimuls:
    """Searches for orphans while the server runs."""

    def __init__(self, simuls: SimulsHere, pool: Pool, node: str, cluster: Cluster | None) -> None:
        self._simuls = simuls
        self._pool = pool
        self._node = node
        self._cluster = cluster
        self._broken: set[str] = set()
        self._changed = asyncio.Event()
        if cluster is not None:
            cluster.on_came.append(self._look)
            cluster.on_gone.append(self._look)
            cluster.subscribe(FREE, OrphanSimul, lambda sender, body: self._look(sender))

    def wake(self) -> None:
        """Tell other nodes that this node has released some."""
        if self._cluster is not None:
            self._cluster.broadcast(FREE, OrphanSimul())

    def _look(self, _node: str) -> None:
        self._changed.set()

    async def run(self) -> None:
        """Take over orphans. Without other nodes, end once none is left."""
        while not self._simuls.is_draining:
            self._changed.clear()
            trouble = await self._take_all()
            if trouble is not None:
                log.warning("not all simuls could be loaded yet: %s", trouble)
            elif self._cluster is None:
                return
            alone = trouble is None and self._cluster is not None and self._cluster.is_alone
            try:
                async with asyncio.timeout(None if alone else SEARCH_INTERVAL_S):
                    await self._changed.wait()
            except TimeoutError:
                continue

    async def _take_all(self) -> Exception | None:
        """Take over all orphans. Return an error that prevented some."""
        trouble: Exception | None = None
        try:
            led = [actor.id for actor in self._simuls.all() if not actor.is_over]
            found = await leadership.without_leader(self._pool, self._node, [*led, *self._broken])
            # A node that slept may not know that others have taken its simuls, which are idle here now.
            lost = await leadership.led_by_others(self._pool, self._node, led) if self._is_accompanied else []
        except FAILURES as error:
            return error
        for simul_id in lost:
            self._simuls.lose(simul_id)
        if self._is_accompanied:
            random.shuffle(found)  # several nodes search at once, and each begins elsewhere
        for simul_id in found:
            try:
                await self._simuls.get(simul_id)
            except (Refusal, *FAILURES) as error:
                trouble = error
            except Exception:  # one unreadable simul must not block the others
                log.exception("a simul could not be loaded", extra={"simul": simul_id})
                self._broken.add(simul_id)
        return trouble

    @property
    def _is_accompanied(self) -> bool:
        return self._cluster is not None and not self._cluster.is_alone
