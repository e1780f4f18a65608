"""Changes of the lobby: first in the database, then in the book, then told.

    work(connection) -> Effect     inside one transaction, together with the reply for the client's key, and a mark by
                                   which this transaction can be told from any other
    commit
    apply(Effect)                  book, new game, messages: plain calls, exactly once

A crash before the commit leaves nothing, a crash after it leaves all of it. When the connection breaks at the commit
itself, the effect is in doubt: it is applied, and the client has his reply, once the mark has been found
(``commit_marker.py``). That it is not to be found is as sure: then nothing was changed, and the client may ask again.

Every transaction takes its locks in this order, and leaves out what it does not need, so that no two wait for each
other in a circle:

    the lobby's role      FOR SHARE, where there are other nodes: who takes it over waits for this transaction
    the client's key      that of the request, and the mark; ``request`` refers to the person, which bars nobody from
                          his row
    a challenge           one, or several by ``SKIP LOCKED``; before it, that there is one rematch of a game
    people                ``players.py``: in the order of their ids, FOR NO KEY UPDATE
    seeks, then waiting   of all players at once, in the order of the ids
    the game              a new row, which nobody else knows
    the mark              where there is no key; nobody waits for it

Others fit in. A decision of an exhibition has, after the key, its own row and those of the games that begin by it, and
only refers to people (FOR KEY SHARE). A rated end locks its game, then ratings by person; the judge a note of a
finished game, then people by id; whoever leaves his row, then what is his alone. None of them goes on to a challenge,
a seek or a place in a pool that somebody else might hold, and rows that refer to a person (FOR KEY SHARE) do not wait
for who has locked him.
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
from lobby.errors import BadProposal, Unavailable
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

TROUBLE = (
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
"""The database cannot do it now; another try may help."""

ASK_AFTER_S = (0.05, 0.2, 0.5, 1.0, 2.0)
"""When to ask for the outcome of a doubtful commit: an embedded PostgreSQL is back within 2 s of a crash. After that
the client hears ``unavailable`` and ``settle`` goes on asking."""

CHANGES_AT_ONCE = 6
"""Of the ten connections four are left to who loads a game or reads: he asks for a millisecond, a change takes a dozen
statements, and a thousand who come at once would be before him in the line."""

TURN_S = 7.5
"""A change that has not begun by then does not: who asked is told so while he waits for an answer, which is for eight
seconds from another node."""


class Stopped(msgspec.Struct, frozen=True):
    """Somebody who waits in no pool any more, as of change ``n`` of his row."""

    person: str
    n: int
    why: PoolEnd


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What one committed transaction changed."""

    reply: dict[str, Any] = {}
    """For who asked."""
    added: Seek | None = None
    gone: tuple[str, ...] = ()
    """Seeks that are no longer open."""
    waits: Waiter | None = None
    stopped: tuple[Stopped, ...] = ()
    game: NewGame | None = None
    told: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    """Messages, each with the id of the user it is for."""


class Ledger:
    """Carries out changes.

    Args:
        fence: begins every transaction: raises ``Unavailable`` if others decide by now. None: there are no others.

    Attributes:
        book: the open seeks; written only here.
        pools: who waits in pools.
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
        self._turns = asyncio.Semaphore(CHANGES_AT_ONCE)
        self._doubtful: dict[CommitMarker, Effect] = {}
        """By the marks of their transactions: effects of which nobody knows yet whether they are committed."""

    async def change(
        self, person: str, key: str | None, work: Callable[[Connection], Awaitable[Effect]]
    ) -> dict[str, Any]:
        """Do ``work`` in a transaction, once for each ``key`` of ``person``, and apply its effect.

        ``person`` is the one who asks, or where nobody does, one who is concerned.

        Returns:
            The reply: that of the first time when ``person`` has used ``key`` before.

        Raises:
            BadProposal: ``key`` is no key.
            Unavailable: the database does not answer, or there is too much to do. Sending the same again with the same
                key is safe.
            LobbyError: whatever ``work`` raises; nothing is changed then, and the key is still free.
        """
        if key is not None and (not key or len(key) > store.MAX_KEY or "\0" in key):
            raise BadProposal(f"key: expected 1 to {store.MAX_KEY} characters, none of them NUL")
        try:
            effect = await self._commit(person, key, work)
        except TROUBLE as error:
            log.warning("lobby change failed: %r", error)
            raise Unavailable("the database does not answer; try again") from error
        return effect.reply

    async def read(self, query: Callable[[Pool], Awaitable[T]]) -> T:
        """The answer to ``query``. Raises ``Unavailable``."""
        try:
            return await query(self.pool)
        except TROUBLE as error:
            raise Unavailable("the database does not answer; try again") from error

    async def settle(self) -> None:
        """Find out about the doubtful commits, and apply those that were made."""
        for mark in tuple(self._doubtful):
            await self._ask(mark)

    async def _commit(self, person: str, key: str | None, work: Callable[[Connection], Awaitable[Effect]]) -> Effect:
        mark = commit_marker.new_mark(person)
        async with self._turn(), self.pool.acquire() as connection:
            transaction = connection.transaction()
            await transaction.start()
            try:
                if self._fence is not None:
                    await self._fence(connection)
                effect = await self._once(connection, mark, key, work)
            except BaseException:
                with suppress(*TROUBLE):
                    await transaction.rollback()
                raise
            try:
                await transaction.commit()
            except TROUBLE as error:
                log.warning("connection lost at a commit, which is in doubt: %r", error)
                self._doubtful[mark] = effect
            else:
                self.apply(effect)
                return effect
        for delay_s in ASK_AFTER_S:
            await asyncio.sleep(delay_s)
            committed = await self._ask(mark)
            if committed is not None:
                break
        if not committed:
            raise Unavailable("the database was lost in the middle; try again")
        return effect

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait for one's turn. Raises ``Unavailable``."""
        try:
            async with asyncio.timeout(TURN_S):
                await self._turns.acquire()
        except TimeoutError as error:
            raise Unavailable("too many ask for something at once; nothing was done, try again") from error
        try:
            yield
        finally:
            self._turns.release()

    async def _once(
        self,
        connection: Connection,
        mark: CommitMarker,
        key: str | None,
        work: Callable[[Connection], Awaitable[Effect]],
    ) -> Effect:
        if key is None:
            effect = await work(connection)
            await commit_marker.put(connection, mark)
            return effect
        said = await commit_marker.claim_key(connection, mark, key)
        if said is not None:
            return Effect(reply=said)
        effect = await work(connection)
        await store.set_reply(connection, mark.person, key, effect.reply)
        return effect

    async def _ask(self, mark: CommitMarker) -> bool | None:
        """Whether the transaction of ``mark`` was committed; None while that cannot be said."""
        try:
            committed = await commit_marker.is_committed(self.pool, mark)
        except TROUBLE:
            return None
        if committed is None:
            return None
        # Two may be asking at once; only the first to come back applies.
        effect = self._doubtful.pop(mark, None)
        if committed and effect is not None:
            self.apply(effect)
        return committed

    def rename(self, user: User) -> None:
        """``user`` is called or counts as something else now: his seeks are listed anew, he waits on as he did."""
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
        """Change the book and tell everybody. The transaction is committed."""
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
        if effect.waits is not None and self.pools.add(effect.waits, self._now_ms()):
            self._publisher.to_user(effect.waits.user.id, pool_wire(effect.waits))
        if effect.game is not None:
            self._starter.opened(effect.game)
            for user_id, paired in paired_wire(effect.game):
                self._publisher.to_user(user_id, paired)
        for user_id, message in effect.told:
            self._publisher.to_user(user_id, message)
