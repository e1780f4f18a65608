"""A node that alone has lost the database: whoever is connected to it is better off at another.

    no renewal for as long as its games are its own ─► do others reach the database, or is nobody heard?
        ─► no new sockets ─► those that are open are closed with 1012 ─► the lease is back: all are welcome

Where the database is away for everybody, or can only be read, all stay where they are: nobody could do more for them.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import msgspec

from realtime.cluster.bus.cluster import Unreachable
from realtime.cluster.bus.drain import send_away
from realtime.journal.nodes import EXPIRY_S
from realtime.protocol.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.games.game_replicas import GameReplicas
    from realtime.journal.nodes import Node
    from realtime.net.gateway import Gateway

LOOK_S = 0.5

ANSWER_S = 0.5
"""How long one look waits for the others."""

LOOKS = 3
"""So many in a row must find it: when the database is back for everybody one node is a moment later than another."""

SPREAD_S = 3.0
"""In which all sockets are closed. Their games are others' already, with the clocks standing: no time for more."""

log = logging.getLogger(__name__)


class Asked(msgspec.Struct):
    """``node.lease``: do you reach the database?"""


class Lease(msgspec.Struct):
    """Whether the lease of who answers is good."""

    is_good: bool


class PartitionGuard:
    """Of one node.

    Attributes:
        is_on: nobody is let in, and who is connected is sent to another node.
    """

    def __init__(self, cluster: Cluster, node: Node, gateway: Gateway, mirrors: GameReplicas) -> None:
        self.is_on = False
        self._cluster = cluster
        self._node = node
        self._gateway = gateway
        self._mirrors = mirrors
        self._reached: frozenset[str] = frozenset()
        """The others that were reached when the database was last."""
        self._found = 0
        """Looks in a row that found us to be alone with it."""
        self._task: asyncio.Task[None] | None = None
        mirrors.may_attach = node.is_leased
        cluster.answers("node.lease", Asked, self._answer)

    def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._run(), name="look whether we are cut off")

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _answer(self, sender: str, body: Asked, answer: Callable[[Lease], None]) -> None:
        answer(Lease(self._node.is_leased()))

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look()
            except Exception:  # one look of many
                log.exception("whether we are cut off from the database could not be found out")

    async def look(self) -> None:
        """Find out whether it is so, and do what follows."""
        if self._node.is_leased():
            self._found = 0
            self._reached = frozenset(node for node in self._cluster.others if self._cluster.is_reached(node))
            if self.is_on:
                self._end()
        elif not self.is_on and self._reached and self._node.unheard_s() > EXPIRY_S:
            self._found = self._found + 1 if await self._others_go_on() else 0
            if self._found >= LOOKS and not self._node.is_leased():
                self._begin()
        if self.is_on:
            away = self._gateway.connections
            await send_away(away, SPREAD_S, "come back to another server", lambda: not self._node.is_leased())

    async def _others_go_on(self) -> bool:
        """Whether one of the others reaches the database, or none of those who were reached before is heard."""
        if self._cluster.is_alone and self._cluster.unlooked_s() < self._node.unheard_s() - EXPIRY_S:
            return False  # it has been read since, and says that nobody lives: it takes nothing from anybody
        answers = await asyncio.gather(*(self._has_lease(node) for node in self._reached))
        return any(answers) or all(answer is None for answer in answers)

    async def _has_lease(self, node: str) -> bool | None:
        """Whether ``node`` reaches the database; None: it does not answer."""
        try:
            return (await self._cluster.ask(node, "node.lease", Asked(), Lease, ANSWER_S)).is_good
        except Unreachable:
            return None
        except WireError:
            return False  # of a version that does not know the question

    def _begin(self) -> None:
        log.warning("the database is not reached from here, but by other nodes: people are sent to those")
        self.is_on = self._gateway.is_away = True
        self._mirrors.is_stopping = True

    def _end(self) -> None:
        log.warning("the database is reached again: people may come")
        self.is_on = self._gateway.is_away = False
        self._mirrors.come_back()
