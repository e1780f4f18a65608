"""Partition guard: moves clients away from a node that alone has lost the database.

    lease not renewed until it expires ─► do others reach the database, or is none of them heard?
        ─► no new sockets ─► open sockets are closed with 1012 ─► the lease is renewed: accept sockets again

If the database is down or read-only for all nodes, clients stay where they are: no other node could serve them better.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import msgspec

from game_core.errors import Refusal
from realtime.cluster.bus.drain import send_away
from realtime.cluster.bus.open_requests import Unreachable
from realtime.journal.nodes import EXPIRY_S

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.games.game_replicas import GameReplicas
    from realtime.journal.nodes import Node
    from realtime.net.gateway import Gateway

POLL_INTERVAL_S = 0.5

ANSWER_S = 0.5
"""Timeout for one answer of the others."""

CHECKS = 3
"""Number of consecutive checks that must agree: when the database returns, one node sees it a moment before another."""

SPREAD_S = 3.0
"""Time in which all sockets are closed. It is short: others own the games already and the clocks are held."""

log = logging.getLogger(__name__)


class LeaseQuery(msgspec.Struct):
    """``node.lease``: ask whether the node reaches the database."""


class LeaseReply(msgspec.Struct):
    """Answer: whether the lease of the answering node is valid."""

    is_good: bool


class PartitionGuard:
    """The guard of one node.

    Attributes:
        is_on: new clients are refused and connected ones are sent to another node.
    """

    def __init__(self, cluster: Cluster, node: Node, gateway: Gateway, replicas: GameReplicas) -> None:
        self.is_on = False
        self._cluster = cluster
        self._node = node
        self._gateway = gateway
        self._replicas = replicas
        self._reached: frozenset[str] = frozenset()
        """The nodes that were reachable when the database last was."""
        self._found = 0
        """Number of consecutive checks that found only this node cut off."""
        self._task: asyncio.Task[None] | None = None
        cluster.on_request("node.lease", LeaseQuery, self._answer)

    def start(self) -> None:
        """Start the periodic check."""
        self._task = asyncio.create_task(self._run(), name="look whether we are cut off")

    async def close(self) -> None:
        """Stop the periodic check."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _answer(self, sender: str, body: LeaseQuery, answer: Callable[[LeaseReply], None]) -> None:
        answer(LeaseReply(self._node.is_leased()))

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(POLL_INTERVAL_S)
            try:
                await self.check()
            except Exception:  # one failed check of many
                log.exception("the check for a partition from the database failed")

    async def check(self) -> None:
        """Check for a partition and act on the result."""
        if self._node.is_leased():
            self._found = 0
            self._reached = frozenset(node for node in self._cluster.others if self._cluster.is_reached(node))
            if self.is_on:
                self._end()
        elif not self.is_on and self._reached and self._node.unheard_s() > EXPIRY_S:
            self._found = self._found + 1 if await self._others_go_on() else 0
            if self._found >= CHECKS and not self._node.is_leased():
                self._begin()
        if self.is_on:
            away = self._gateway.connections
            await send_away(away, SPREAD_S, "come back to another server", lambda: not self._node.is_leased())

    async def _others_go_on(self) -> bool:
        """Return whether another node reaches the database, or none of those reached before is heard."""
        if self._cluster.is_alone and self._cluster.unlooked_s() < self._node.unheard_s() - EXPIRY_S:
            return False  # the database was read since, and no other node is alive
        answers = await asyncio.gather(*(self._has_lease(node) for node in self._reached))
        return any(answers) or all(answer is None for answer in answers)

    async def _has_lease(self, node: str) -> bool | None:
        """Return whether ``node`` reaches the database; None: it does not answer."""
        try:
            return (await self._cluster.request(node, "node.lease", LeaseQuery(), LeaseReply, ANSWER_S)).is_good
        except Unreachable:
            return None
        except Refusal:
            return False  # its version does not know the question

    def _begin(self) -> None:
        log.warning("this node has lost the database: its clients are sent away")
        self.is_on = self._gateway.is_away = True
        self._replicas.is_stopping = True

    def _end(self) -> None:
        log.warning("the database is reachable again: accepting clients")
        self.is_on = self._gateway.is_away = False
        self._replicas.come_back()
