"""Leaving while people play: everything goes to other nodes, then everybody does, and nobody waits.

    SIGTERM ─► not ready, others are told; it serves on until the balancer has noticed ─► no new sockets
            ─► role, exhibitions, games are let go
            ─► sockets are closed with 1012, spread over some seconds ─► the ordinary end

Who is still connected goes on playing meanwhile, by way of the node that has his game now. That nobody new is sent here
comes first: whoever is sent away should not be led back. Nodes that stop together leave each other nothing: each is
entered as draining before it looks who else is, and who is draining is given nothing by the database either.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import msgspec
from websockets.frames import CloseCode

from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.journal.nodes import Node
    from realtime.net.connection import Connection

STEP_S = 0.05
"""Between two portions of sockets that are closed."""

SHARE = 1 / 3
"""Of the time to drain: at most so long for what is let go, and so long for the sockets."""

LOOK_S = 1.0
"""For a look at who else is about to stop: a database that does not answer keeps nobody."""

SPREAD_S = 5.0
"""And no longer than this for the sockets: a thousand come back elsewhere in that time without being noticed."""

log = logging.getLogger(__name__)


class Leaving(msgspec.Struct):
    """The sender is about to stop."""


class Drain:
    """Empties this node.

    Args:
        connections: the sockets that are open.
        notice_s: how long balancers need to see that this node is not ready.
        seconds: what all the rest may take.

    Attributes:
        releases: what is let go, in this order: called once each.
    """

    def __init__(
        self,
        cluster: Cluster,
        node: Node,
        connections: Callable[[], Iterable[Connection]],
        *,
        notice_s: float,
        seconds: float,
    ) -> None:
        self.releases: list[Callable[[], Awaitable[object]]] = []
        self._cluster = cluster
        self._node = node
        self._connections = connections
        self._notice_s = notice_s
        self._seconds = seconds
        cluster.hears("node.leaving", Leaving, lambda sender, body: cluster.note_draining(sender))

    @property
    def _is_pointless(self) -> bool:
        """Whether nobody could take over: the games wait for the next start."""
        return not self._cluster.others - self._cluster.draining or self._seconds <= 0

    async def give_notice(self) -> None:
        """Serve on while those who send people here find out that they should not."""
        if self._is_pointless or self._notice_s <= 0:
            return
        await self._look()
        if self._is_pointless:
            return
        log.info("about to leave: not ready for new clients, who are still served for %.0f s", self._notice_s)
        self._cluster.tell_all("node.leaving", Leaving())  # new games are placed elsewhere
        await asyncio.sleep(self._notice_s)

    async def run(self) -> None:
        """Leave."""
        if self._is_pointless:
            return
        self._cluster.tell_all("node.leaving", Leaving())
        try:
            async with asyncio.timeout(self._seconds * SHARE):
                await self._node.drain()
                await self._look()
                if self._is_pointless:
                    log.info("all nodes stop: games wait for the next start")
                    return
                log.info("draining: games and people go to other nodes")
                for release in self.releases:
                    await release()
        except (TimeoutError, *FAILURES) as error:
            log.warning("not everything could be let go, others take it when this node's lease ends: %r", error)
        await send_away(self._connections(), min(SPREAD_S, self._seconds * SHARE), "the server restarts")
        log.info("drained")

    async def _look(self) -> None:
        """See who else has begun to leave; where that cannot be seen, as it was a moment ago."""
        try:
            async with asyncio.timeout(LOOK_S):
                await self._cluster.look()
        except FAILURES as error:
            log.info("who else is about to stop is not known, the database is in trouble: %r", error)


async def send_away(
    connections: Iterable[Connection], seconds: float, reason: str, is_needed: Callable[[], bool] = lambda: True
) -> None:
    """Close all ``connections``, some at a time, so that those who come back do not all do so at once.

    Args:
        seconds: what it takes for many.
        reason: for the close frames.
        is_needed: asked before each portion; the rest stays when it is not so any more.
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
