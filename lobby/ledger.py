"""Lobby transactions: written to the database first, then applied to the seek book, then announced.

    work(connection) -> Effect     inside one transaction, together with the reply for the client's key and a commit
                                   marker that identifies this transaction
    commit
    apply(Effect)                  book, new game, messages: plain calls, exactly once

A crash before the commit leaves nothing, a crash after it leaves all of it. When the connection breaks at the commit
itself, the effect is in doubt. If the commit marker is found (``commit_marker.py``), the effect is applied and the
client gets the reply. If the marker is certainly absent, nothing was changed, and the client may ask again.

Every transaction takes its locks in this order and skips those it does not need, which prevents deadlocks:

    the lobby's role      FOR SHARE, where there are other nodes: a node that takes over waits for this transaction
    the client's key      that of the request, and the commit marker; ``request`` refers to the person, which locks
                          nobody out of the person's row
    a challenge           one, or several by ``SKIP LOCKED``; before it, the advisory lock on a game's rematch
    people                ``players.py``: in the order of their ids, FOR NO KEY UPDATE
    seeks, then waiting   of all players at once, in the order of the ids
    the game              a new row, which no other transaction knows
    the commit marker     where there is no key; nobody waits for it

Other transactions are compatible. A decision of a simul takes, after the key, its own row and those of the games that
it begins, and only refers to people (FOR KEY SHARE). A rated end locks its game, then ratings by person. The play-ban
worker locks a note of a finished game, then people by id. Deleting an account locks its row, then the rows that belong
to it alone. None of them goes on to a challenge, a seek or a place in a pool that another transaction might hold, and
rows that refer to a person (FOR KEY SHARE) do not wait for a lock on that person.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import asyncpg
import msgspec

from lobby import commit_marker, store
from lobby.errors import BadMessage, Unavailable
from lobby.pairing import NewGame, paired_wire
from lobby.pools.pool_book import pool_wire
from lobby.pools.pools import Waiter
from lobby.seeks.seeks import Seek
from lobby.wire.lobby import PoolEnd, PoolGoneWire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from lobby.accounts.user import User
    from lobby.commit_marker import CommitMarker
    from lobby.pools.pool_book import PoolBook
    from lobby.ports import Connection, GameStarter, Pool, Publisher
    from lobby.seeks.seeks import SeekBook

    Fence = Callable[[Connection], Awaitable[None]]

log = logging.getLogger(__name__)

T = TypeVar("T")

DATABASE_ERRORS = (
    asyncpg.PostgresConnectionError,
    asyncpg.TransactionRollbackError,  # 40: deadlock; the order above leaves none
    asyncpg.ReadOnlySQLTransactionError,  # 25006: a primary that became a standby
    asyncpg.InsufficientResourcesError,  # 53: disk full, too many connections
    asyncpg.OperatorInterventionError,  # 57: shut down, crashed, starting up
    asyncpg.PostgresSystemError,  # 58: I/O error
    asyncpg.InterfaceError,  # "connection is closed", "pool is closing"
    asyncpg.InternalClientError,  # a connection that was cut in the middle of a call
    OSError,  # refused, reset, timed out
)
"""Errors that mean the database is unavailable now; a retry may succeed."""

CHECK_AFTER_S = (0.05, 0.2, 0.5, 1.0, 2.0)
"""Delays before each query for the outcome of a doubtful commit: an embedded PostgreSQL is back within 2 s of a crash.
After that the client gets ``unavailable`` and ``settle`` keeps asking."""

CHANGES_AT_ONCE = 6
"""Concurrent changes. Four of the ten connections stay free for loads and reads: those take a millisecond, a change
takes a dozen statements, and a thousand simultaneous changes would be queued ahead of them."""

QUEUE_S = 7.5
"""Deadline for a queued change to begin. It is shorter than the eight seconds that a request from another node waits,
so that the requester still gets the refusal."""


class Stopped(msgspec.Struct, frozen=True):
    """A person who left all pools, as of change ``n`` of their row."""

    person: str
    n: int
    why: PoolEnd


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """The changes of one committed transaction."""

    reply: dict[str, Any] = {}
    """Reply to the requester."""
    added: Seek | None = None
    gone: tuple[str, ...] = ()
    """Closed seeks."""
    waiter: Waiter | None = None
    stopped: tuple[Stopped, ...] = ()
    game: NewGame | None = None
    messages: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    """Messages, each with its recipient's user id."""


class Ledger:
    """Executor of lobby transactions.

    Args:
        fence: begins every transaction; raises ``Unavailable`` if another node leads the lobby. None: a single node.

    Attributes:
        book: the open seeks; written only here.
        pools: the people waiting in pools.
    """

    def __init__(
        self,
        pool: Pool,
        book: SeekBook,
        pools: PoolBook,
        starter: GameStarter,
        publisher: Publisher,
        now_ms: Callable[[], int],
        fence: Fence | None = None,
    ) -> None:
        self.pool = pool
        self.book = book
        self.pools = pools
        self._starter = starter
        self._publisher = publisher
        self._now_ms = now_ms
        self._fence = fence
        self._slots = asyncio.Semaphore(CHANGES_AT_ONCE)
        self._in_doubt: dict[CommitMarker, Effect] = {}
        """Effects of commits in doubt, by commit marker."""

    async def change(
        self, person: str, key: str | None, work: Callable[[Connection], Awaitable[Effect]]
    ) -> dict[str, Any]:
        """Run ``work`` in a transaction, once for each ``key`` of ``person``, and apply its effect.

        ``person`` is the requester or, without one, a person concerned.

        Returns:
            The reply: the first one when ``person`` has used ``key`` before.

        Raises:
            BadMessage: ``key`` is malformed.
            Unavailable: the database is not responding, or the queue is full. The same request with the same key may be
                sent again safely.
            Refusal: whatever ``work`` raises; nothing is changed then, and the key is still free.
        """
        if key is not None and (not key or len(key) > store.MAX_KEY or "\0" in key):
            raise BadMessage(f"key: expected 1 to {store.MAX_KEY} characters, none of them NUL")
        try:
            effect = await self._commit(person, key, work)
        except DATABASE_ERRORS as error:
            log.warning("lobby change failed: %r", error)
            raise Unavailable("the database is not responding; try again") from error
        return effect.reply

    async def read(self, query: Callable[[Pool], Awaitable[T]]) -> T:
        """Run a read-only ``query``. Raises ``Unavailable``."""
        try:
            return await query(self.pool)
        except DATABASE_ERRORS as error:
            raise Unavailable("the database is not responding; try again") from error

    async def settle(self) -> None:
        """Resolve the commits in doubt, and apply those that were made."""
        for marker in tuple(self._in_doubt):
            await self._check(marker)

    async def _commit(self, person: str, key: str | None, work: Callable[[Connection], Awaitable[Effect]]) -> Effect:
        marker = commit_marker.new_marker(person)
        async with self._slot(), self.pool.acquire() as connection:
            transaction = connection.transaction()
            await transaction.start()
            try:
                if self._fence is not None:
                    await self._fence(connection)
                effect = await self._run_once(connection, marker, key, work)
            except BaseException:
                with suppress(*DATABASE_ERRORS):
                    await transaction.rollback()
                raise
            try:
                await transaction.commit()
            except DATABASE_ERRORS as error:
                log.warning("connection lost during a commit, outcome unknown: %r", error)
                self._in_doubt[marker] = effect
            else:
                self.apply(effect)
                return effect
        for delay_s in CHECK_AFTER_S:
            await asyncio.sleep(delay_s)
            committed = await self._check(marker)
            if committed is not None:
                break
        if not committed:
            raise Unavailable("the connection to the database was lost; try again")
        return effect

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        """Wait for a free slot. Raises ``Unavailable``."""
        try:
            async with asyncio.timeout(QUEUE_S):
                await self._slots.acquire()
        except TimeoutError as error:
            raise Unavailable("too many requests at once; nothing was done, try again") from error
        try:
            yield
        finally:
            self._slots.release()

    async def _run_once(
        self,
        connection: Connection,
        marker: CommitMarker,
        key: str | None,
        work: Callable[[Connection], Awaitable[Effect]],
    ) -> Effect:
        if key is None:
            effect = await work(connection)
            await commit_marker.put(connection, marker)
            return effect
        known_reply = await commit_marker.claim_key(connection, marker, key)
        if known_reply is not None:
            return Effect(reply=known_reply)
        effect = await work(connection)
        await store.set_reply(connection, marker.person, key, effect.reply)
        return effect

    async def _check(self, marker: CommitMarker) -> bool | None:
        """Return whether the transaction of ``marker`` was committed; None while that is unknown."""
        try:
            committed = await commit_marker.is_committed(self.pool, marker)
        except DATABASE_ERRORS:
            return None
        if committed is None:
            return None
        # Two callers may ask concurrently; only the first to return applies the effect.
        effect = self._in_doubt.pop(marker, None)
        if committed and effect is not None:
            self.apply(effect)
        return committed

    def rename(self, user: User) -> None:
        """Update the name and kind of ``user``: their seeks are listed anew, their places in pools stay."""
        for seek in self.book.of_user(user.id):
            if seek.user == user:
                continue
            event = self.book.remove(seek.id)
            assert event is not None, "it was on the list a moment ago"
            self._publisher.lobby_event(event)
            renamed = msgspec.structs.replace(seek, user=user)
            self._publisher.lobby_event(self.book.add(renamed, self._now_ms()))
        self.pools.rename(user)

    def apply(self, effect: Effect) -> None:
        """Apply a committed effect to the book and send its messages."""
        for seek_id in effect.gone:
            event = self.book.remove(seek_id)
            if event is not None:
                self._publisher.lobby_event(event)
        if effect.added is not None:
            self._publisher.lobby_event(self.book.add(effect.added, self._now_ms()))
        for stopped in effect.stopped:
            if self.pools.stop(stopped.person, stopped.n):
                gone: PoolGoneWire = {"t": "pool.gone", "why": stopped.why}
                self._publisher.to_user(stopped.person, gone)
        if effect.waiter is not None and self.pools.add(effect.waiter, self._now_ms()):
            self._publisher.to_user(effect.waiter.user.id, pool_wire(effect.waiter))
        if effect.game is not None:
            self._starter.opened(effect.game)
            for user_id, paired in paired_wire(effect.game):
                self._publisher.to_user(user_id, paired)
        for user_id, message in effect.messages:
            self._publisher.to_user(user_id, message)
