"""Election of the lobby leader: the one node that runs the lobby, and how it is found, followed and replaced.

    role ``hub`` free ──► the first node to notice takes it ──► reads the database ──► decides, and tells all nodes
                           ▲ checked every second, when a node dies, and when a request finds no leader
    leader ──► its row names another node, or it drains ──► decides nothing more, asks the new leader as all others do

Every transaction of the lobby proves the leader's epoch (``roles.fence``). One under way either commits before the role
changes hands, so that the new leader reads its result, or it fails.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import msgspec

from lobby.errors import Unavailable
from realtime.cluster.bus.roles import fence, holder_of, release_role, take_role
from realtime.postgres.database import FAILURES, classify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lobby.accounts.user import User
    from lobby.ledger import Fence
    from lobby.lobby import Lobby
    from lobby.ports import Connection
    from realtime.cluster.bus.cluster import Cluster
    from realtime.journal.nodes import Node
    from realtime.postgres.database import Pool

    Make = Callable[[Fence, int | None], Lobby]

ROLE = "hub"

RETRY_INTERVAL_S = 0.25
"""Interval between two searches for a leader while a request waits for one."""

FINISH_S = 2.0
"""Maximum time a draining leader waits for transactions under way."""

log = logging.getLogger(__name__)


class LeaderAnnouncement(msgspec.Struct):
    """The sender is the leader or, without an epoch, is so no longer."""

    epoch: int | None


class _Term:
    """The term of a lobby: it decides while the role has this epoch; 0: never."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch


class LobbyLeader:
    """The lobby of this node, and the search for the leader.

    Args:
        make: creates a lobby from its fence and the number of its last event.
        everybody: ids of all users connected to any node.

    Attributes:
        lobby: this node's lobby. It decides while ``is_here``; otherwise it serves only for reading the database.
        is_here: this node is the leader and has read the database.
        holder: the id of the leader, as far as is known.
        epoch: the leader's epoch.
        on_moved: called when another node, or this one, becomes the leader.
    """

    def __init__(
        self, cluster: Cluster, node: Node, pool: Pool, make: Make, everybody: Callable[[], Iterable[str]]
    ) -> None:
        self._cluster = cluster
        self._node = node
        self._pool = pool
        self._make = make
        self._everybody = everybody
        self._term = _Term(0)
        self.lobby = make(self._fence_of(self._term), None)
        self._present: Lobby | None = None
        """The lobby that is told who connects and disconnects: ours, from the time it begins to read the database."""
        self.is_here = False
        self.holder: str | None = None
        self.epoch = 0
        self.on_moved: list[Callable[[], None]] = []
        self._moved = asyncio.Event()
        self._may_take = True
        self._looking: asyncio.Task[None] | None = None
        self._retiring: set[asyncio.Task[None]] = set()
        cluster.subscribe("hub.here", LeaderAnnouncement, self._receive_announcement)
        cluster.on_came.append(self._greet)
        cluster.on_gone.append(self._node_gone)

    # -- life ---------------------------------------------------------------------------------------------

    async def tick(self) -> None:
        """Find the leader and, if it is this node, advance the lobby's time. Called once a second."""
        await self._try_look()
        if self.is_here:
            await self.lobby.tick()

    async def release(self) -> None:
        """Release the role at once, because this node is about to stop."""
        self._may_take = False
        if self._looking is not None:
            await asyncio.gather(asyncio.shield(self._looking), return_exceptions=True)
        if not self.is_here:
            return
        ending = self._retire()
        try:
            async with asyncio.timeout(FINISH_S):
                await asyncio.shield(ending)
        except TimeoutError:
            log.warning("a lobby operation does not end; it will be refused")
        await release_role(self._pool, self._node.id, ROLE)
        self._cluster.broadcast("hub.here", LeaderAnnouncement(None))

    async def close(self) -> None:
        """Finish the work under way. No request may follow."""
        self._may_take = False
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self.lobby.close()
        await asyncio.gather(*self._retiring)

    # -- connected users ----------------------------------------------------------------------------------

    def came(self, user: str) -> None:
        """Handle the opening of a user's first socket on any node."""
        if self._present is not None:
            self._present.came(user)

    def left(self, user: str) -> None:
        """Handle the closing of a user's last socket."""
        if self._present is not None:
            self._present.left(user)

    def rename(self, user: User) -> None:
        """Handle a change to ``user``. Every node is told; the leader acts on it."""
        if self._present is not None:
            self._present.rename(user)

    # -- search for the leader ----------------------------------------------------------------------------

    async def look(self) -> None:
        """Look up the leader, and take the role if it is free. Raises any query error."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), name="look for the lobby leader")
            self._looking.add_done_callback(self._looked)
        await asyncio.shield(self._looking)

    async def wait(self, until_s: float) -> None:
        """Wait until the leader may have changed, or until it is time to search again.

        Raises:
            Unavailable: ``until_s`` by the loop's clock has passed.
        """
        now_s = asyncio.get_running_loop().time()
        if now_s >= until_s:
            raise Unavailable("no server runs the lobby at the moment; try again")
        moved = self._moved
        await self._try_look()
        if moved.is_set() or self.is_here:
            return
        try:
            async with asyncio.timeout(min(RETRY_INTERVAL_S, until_s - now_s)):
                await moved.wait()
        except TimeoutError:
            return

    def look_soon(self) -> None:
        """Search soon: another node may have become the leader."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), name="look for the lobby leader")
            self._looking.add_done_callback(self._looked)

    def _looked(self, task: asyncio.Task[None]) -> None:
        self._looking = None
        error = None if task.cancelled() else task.exception()
        if error is not None and not (isinstance(error, FAILURES) and classify(error) is not None):
            log.error("the lobby's leader could not be looked up", exc_info=error)

    async def _try_look(self) -> None:
        try:
            await self.look()
        except FAILURES as error:
            log.debug("the lobby's leader is unknown, the database is in trouble: %r", error)

    async def _look(self) -> None:
        held = await holder_of(self._pool, ROLE)
        if held is None and self._may_take and self._node.is_leased():
            epoch = await take_role(self._pool, self._node.id, ROLE)
            held = await holder_of(self._pool, ROLE) if epoch is None else (self._node.id, epoch)
            if self.is_here and epoch == self.epoch + 1:
                # Taken from ourselves: the lease had expired, and no other node has decided anything meanwhile.
                self.epoch = self._term.epoch = epoch
        if held is not None and held[0] == self._node.id and self._may_take:
            # The row names this node although it did not know: the answer was lost.
            if not self.is_here or self.epoch != held[1]:
                await self._become(held[1])
            return
        if self.is_here and held is None and not self._node.is_leased():
            return  # the fence prevents decisions that others would not know of
        if self.is_here:
            log.warning("another node runs the lobby now")
            self._retire()
        self._follow(*(held or (None, 0)))

    async def _become(self, epoch: int) -> None:
        # Events are numbered by the database's clock, so the numbers grow from one leader to the next.
        seq: int = await self._pool.fetchval("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        if self.is_here:
            self._retire()
        term = _Term(epoch)
        lobby = self._make(self._fence_of(term), max(seq, self.lobby.seq + 1))
        for user in self._everybody():
            lobby.came(user)
        self._present = lobby
        try:
            await lobby.load()
        except BaseException:
            self._present = None
            raise
        self.lobby, self._term, self.is_here = lobby, term, True
        self.epoch, self.holder = epoch, self._node.id
        if not self._cluster.is_alone:
            log.info("this node runs the lobby now")
        self._cluster.broadcast("hub.here", LeaderAnnouncement(epoch))
        self._notify_moved()

    def _retire(self) -> asyncio.Task[None]:
        """Stop deciding. Transactions under way end by themselves."""
        old, seq = self.lobby, self.lobby.seq
        self.is_here, self.holder, self._present = False, None, None
        self._term = _Term(0)
        self.lobby = self._make(self._fence_of(self._term), seq)
        task = asyncio.create_task(old.close(), name="end of a lobby")
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)
        self._notify_moved()
        return task

    def _follow(self, holder: str | None, epoch: int) -> None:
        if holder is None:
            epoch = self.epoch
        if epoch >= self.epoch and (holder, epoch) != (self.holder, self.epoch):
            self.holder, self.epoch = holder, epoch
            self._notify_moved()

    def _notify_moved(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()
        for notify in self.on_moved:
            notify()

    # -- other nodes --------------------------------------------------------------------------------------

    def _receive_announcement(self, node: str, announcement: LeaderAnnouncement) -> None:
        if announcement.epoch is None:
            self.look_soon()
        elif announcement.epoch > self.epoch and not self.is_here:
            self._follow(node, announcement.epoch)
        elif announcement.epoch > self.epoch:
            self.look_soon()

    def _greet(self, node: str) -> None:
        if self.is_here:
            self._cluster.send(node, "hub.here", LeaderAnnouncement(self.epoch))

    def _node_gone(self, node: str) -> None:
        if node == self.holder:
            self.look_soon()

    def _fence_of(self, term: _Term) -> Fence:
        async def show(connection: Connection) -> None:
            # A lone node whose lease others respect is the only possible holder of the role. In a larger cluster a node
            # may have joined since that was checked, and this could commit after it has taken over.
            if not (self._cluster.is_lone and self._cluster.is_alone and self._node.is_leased()):
                await fence(connection, self._node.id, ROLE, term.epoch)

        return show
