"""Drain of a node during play: its work and then its connections move to other nodes without interruption.

    SIGTERM ─► not ready, other nodes are told; serve until the balancer has noticed ─► no new sockets
            ─► release the role, simuls and games
            ─► close sockets with 1012, spread over some seconds ─► normal shutdown

Connected players continue meanwhile: their requests are forwarded to the new owner of the game. The node first stops
being a target for new connections, so that a closed client is not led back to it. Nodes that stop together hand each
other nothing: each is recorded as draining before it reads which others are, and the database assigns a draining node
no work.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import msgspec
from websockets.frames import CloseCode

from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from realtime.cluster.bus.cluster import Cluster
    from realtime.journal.nodes import Node
    from realtime.net.connection import Connection

STEP_S = 0.05
"""Interval between two batches of closed sockets."""

SHARE = 1 / 3
"""Maximum share of the drain time for releasing work, and likewise for closing sockets."""

READ_TIMEOUT_S = 1.0
"""Timeout for reading which nodes are draining. A slow database does not delay the drain."""

SPREAD_S = 5.0
"""Maximum time for closing sockets. In this time a thousand clients can reconnect elsewhere unnoticed."""

log = logging.getLogger(__name__)


class Leaving(msgspec.Struct):
    """``node.leaving``: the sender is about to stop."""


class Drain:
    """The drain of this node.

    Args:
        connections: the open sockets.
        notice_s: how long balancers need to notice that this node is not ready.
        seconds: time limit for everything else.
        releases: callbacks that release work, called once each, in this order.
    """

    def __init__(
        self,
        cluster: Cluster,
        node: Node,
        connections: Callable[[], Iterable[Connection]],
        *,
        notice_s: float,
        seconds: float,
        releases: Sequence[Callable[[], Awaitable[object]]],
    ) -> None:
        self._releases = releases
        self._cluster = cluster
        self._node = node
        self._connections = connections
        self._notice_s = notice_s
        self._seconds = seconds
        cluster.subscribe("node.leaving", Leaving, lambda sender, body: cluster.note_draining(sender))

    @property
    def _is_pointless(self) -> bool:
        """Return whether no node could take over. The games then wait for the next start."""
        return not self._cluster.others - self._cluster.draining or self._seconds <= 0

    async def give_notice(self) -> None:
        """Keep serving until balancers have noticed that this node is not ready."""
        if self._is_pointless or self._notice_s <= 0:
            return
        await self._look()
        if self._is_pointless:
            return
        log.info("stopping: not ready for new clients; current clients are served for %.0f s", self._notice_s)
        self._cluster.broadcast("node.leaving", Leaving())  # new games are placed on other nodes
        await asyncio.sleep(self._notice_s)

    async def run(self) -> None:
        """Release the work and close the connections."""
        if self._is_pointless:
            return
        self._cluster.broadcast("node.leaving", Leaving())
        try:
            async with asyncio.timeout(self._seconds * SHARE):
                await self._node.drain()
                await self._look()
                if self._is_pointless:
                    log.info("all nodes are stopping: games resume at the next start")
                    return
                log.info("draining: games and clients move to other nodes")
                for release in self._releases:
                    await release()
        except (TimeoutError, *FAILURES) as error:
            log.warning("handover incomplete; other nodes take the rest when this node's lease ends: %r", error)
        await send_away(self._connections(), min(SPREAD_S, self._seconds * SHARE), "the server is restarting")
        log.info("drained")

    async def _look(self) -> None:
        """Read which nodes are draining. If that fails, keep the last known state."""
        try:
            async with asyncio.timeout(READ_TIMEOUT_S):
                await self._cluster.look()
        except FAILURES as error:
            log.info("it is unknown which other nodes are stopping, the database is in trouble: %r", error)


async def send_away(
    connections: Iterable[Connection], seconds: float, reason: str, is_needed: Callable[[], bool] = lambda: True
) -> None:
    """Close all ``connections`` in batches, so that clients do not all reconnect at once.

    Args:
        seconds: duration for a large number of connections.
        reason: reason in the close frames.
        is_needed: asked before each batch; once false, the remaining connections stay open.
    """
    waiting = [connection for connection in connections if not connection.closed]
    steps = max(1, round(seconds / STEP_S))
    portion = -(-len(waiting) // steps)
    for start in range(0, len(waiting), portion or 1):
        if not is_needed():
            return
        for connection in waiting[start : start + portion]:
            connection.close(CloseCode.SERVICE_RESTART, reason)
        await asyncio.sleep(STEP_S)
