"""The hub: the one node that runs the lobby, and how it is found, followed and replaced.

    role ``hub`` free ──► whoever sees it first takes it ──► reads the database ──► decides, and tells everybody
                              ▲ each second's look, a node that is gone, a request that finds nobody
    hub ──► its row says somebody else, or it drains ──► decides nothing more, asks the new hub as all others do

Every transaction of the lobby shows the hub's epoch (``roles.fence``): one that was under way is either over before
the role changes hands, and the new hub reads what it has done, or it fails.
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

AGAIN_S = 0.25
"""Between two looks for a hub while somebody waits for one."""

FINISH_S = 2.0
"""What a hub that drains waits for what is under way."""

log = logging.getLogger(__name__)


class Here(msgspec.Struct):
    """The sender is the hub, or, without an epoch, is it no more."""

    epoch: int | None


class _Term:
    """For how long a lobby decides: while the role has this epoch. 0: never."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch


class LobbyLeader:
    """Where the lobby is.

    Args:
        make: makes a lobby from its fence and the number of its last event.
        everybody: ids of all who are connected, anywhere.

    Attributes:
        lobby: this node's. It decides while ``is_here``; else it is only good for reading the database.
        is_here: this node is the hub, and has read what there is.
        holder: the id of the node that is the hub, as far as is known.
        epoch: of that.
        on_moved: called when another node is the hub, this one perhaps.
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
        """Which is told who comes and goes: ours, from when it begins to read the database."""
        self.is_here = False
        self.holder: str | None = None
        self.epoch = 0
        self.on_moved: list[Callable[[], None]] = []
        self._moved = asyncio.Event()
        self._may_take = True
        self._looking: asyncio.Task[None] | None = None
        self._retiring: set[asyncio.Task[None]] = set()
        cluster.hears("hub.here", Here, self._take_word)
        cluster.on_came.append(self._greet)
        cluster.on_gone.append(self._node_gone)

    # -- life ---------------------------------------------------------------------------------------------

    async def tick(self) -> None:
        """Once a second: look who is the hub, and let time pass in the lobby if it is here."""
        await self._try_look()
        if self.is_here:
            await self.lobby.tick()

    async def release(self) -> None:
        """Let another node be the hub, at once: this one is about to stop."""
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
            log.warning("the lobby has something under way that does not end; it will be refused")
        await release_role(self._pool, self._node.id, ROLE)
        self._cluster.tell_all("hub.here", Here(None))

    async def close(self) -> None:
        """Finish what has begun. No request may come after this."""
        self._may_take = False
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self.lobby.close()
        await asyncio.gather(*self._retiring)

    # -- who is connected ---------------------------------------------------------------------------------

    def came(self, user: str) -> None:
        """Somebody's first socket is open, anywhere."""
        if self._present is not None:
            self._present.came(user)

    def left(self, user: str) -> None:
        """Somebody's last socket is closed."""
        if self._present is not None:
            self._present.left(user)

    def rename(self, user: User) -> None:
        """Something about ``user`` has changed. Every node hears of it; the hub sees to what follows."""
        if self._present is not None:
            self._present.rename(user)

    # -- finding ------------------------------------------------------------------------------------------

    async def look(self) -> None:
        """Ask the database who is the hub, and be it if nobody is. Raises what a query raises."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), name="look for the hub")
            self._looking.add_done_callback(self._looked)
        await asyncio.shield(self._looking)

    async def wait(self, until_s: float) -> None:
        """Wait until something about the hub has changed, or long enough to ask once more.

        Raises:
            Unavailable: it is ``until_s`` by the loop's clock.
        """
        now_s = asyncio.get_running_loop().time()
        if now_s >= until_s:
            raise Unavailable("nobody runs the lobby just now; ask again")
        moved = self._moved
        await self._try_look()
        if moved.is_set() or self.is_here:
            return
        try:
            async with asyncio.timeout(min(AGAIN_S, until_s - now_s)):
                await moved.wait()
        except TimeoutError:
            return

    def look_soon(self) -> None:
        """Something says that the hub may be another node."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), name="look for the hub")
            self._looking.add_done_callback(self._looked)

    def _looked(self, task: asyncio.Task[None]) -> None:
        self._looking = None
        error = None if task.cancelled() else task.exception()
        if error is not None and not (isinstance(error, FAILURES) and classify(error) is not None):
            log.error("the hub could not be looked for", exc_info=error)

    async def _try_look(self) -> None:
        try:
            await self.look()
        except FAILURES as error:
            log.debug("the database is in trouble, who is the hub is not known: %r", error)

    async def _look(self) -> None:
        held = await holder_of(self._pool, ROLE)
        if held is None and self._may_take and self._node.is_leased():
            epoch = await take_role(self._pool, self._node.id, ROLE)
            held = await holder_of(self._pool, ROLE) if epoch is None else (self._node.id, epoch)
            if self.is_here and epoch == self.epoch + 1:
                # From ourselves: the lease was out, and nobody has decided anything meanwhile.
                self.epoch = self._term.epoch = epoch
        if held is not None and held[0] == self._node.id and self._may_take:
            # Ours by the row, although we may not have heard of that: the answer got lost.
            if not self.is_here or self.epoch != held[1]:
                await self._become(held[1])
            return
        if self.is_here and held is None and not self._node.is_leased():
            return  # the fence sees to it that nothing is decided that others do not know
        if self.is_here:
            log.warning("another node runs the lobby now")
            self._retire()
        self._follow(*(held or (None, 0)))

    async def _become(self, epoch: int) -> None:
        # One clock for the events' numbers, the database's: they grow from one hub to the next.
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
        self._cluster.tell_all("hub.here", Here(epoch))
        self._tell_moved()

    def _retire(self) -> asyncio.Task[None]:
        """Decide nothing more; what is under way ends by itself."""
        old, seq = self.lobby, self.lobby.seq
        self.is_here, self.holder, self._present = False, None, None
        self._term = _Term(0)
        self.lobby = self._make(self._fence_of(self._term), seq)
        task = asyncio.create_task(old.close(), name="end of a lobby")
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)
        self._tell_moved()
        return task

    def _follow(self, holder: str | None, epoch: int) -> None:
        if holder is None:
            epoch = self.epoch
        if epoch >= self.epoch and (holder, epoch) != (self.holder, self.epoch):
            self.holder, self.epoch = holder, epoch
            self._tell_moved()

    def _tell_moved(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()
        for tell in self.on_moved:
            tell()

    # -- other nodes --------------------------------------------------------------------------------------

    def _take_word(self, node: str, word: Here) -> None:
        if word.epoch is None:
            self.look_soon()
        elif word.epoch > self.epoch and not self.is_here:
            self._follow(node, word.epoch)
        elif word.epoch > self.epoch:
            self.look_soon()

    def _greet(self, node: str) -> None:
        if self.is_here:
            self._cluster.tell(node, "hub.here", Here(self.epoch))

    def _node_gone(self, node: str) -> None:
        if node == self.holder:
            self.look_soon()

    def _fence_of(self, term: _Term) -> Fence:
        async def show(connection: Connection) -> None:
            # Alone, and with a lease that others respect, there is nobody who could have taken the role. Where others
            # come and go one may have come since that was looked up, and this be committed after it has taken over.
            if not (self._cluster.is_lone and self._cluster.is_alone and self._node.is_leased()):
                await fence(connection, self._node.id, ROLE, term.epoch)

        return show
