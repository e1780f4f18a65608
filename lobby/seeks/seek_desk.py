"""Requests about seeks: list, withdraw, accept, and pair at once with a seek that fits.

Each change is one transaction. Of two people who race for a seek the row's lock lets one through; the other finds the
row gone. A pairing for a live game withdraws all live seeks of both players. A person who is playing may still seek and
accept: one socket carries any number of games.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from lobby import store
from lobby.errors import Conflict, Forbidden, NotFound, Unavailable
from lobby.ids import new_id
from lobby.ledger import Effect, Stopped
from lobby.moderation.blocks import blocked_either_way, is_either_blocked
from lobby.pairing import new_game, seat
from lobby.players import lock_open
from lobby.pools.pool_store import stop_waiting
from lobby.proposals import check_client, is_live
from lobby.ratings.ratings import perf_of, rating_at_start, ratings_of
from lobby.seeks.seeks import LOBBY_SEEKS, MAX_SEEKS, new_seek

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from lobby.accounts.user import User
    from lobby.ledger import Ledger
    from lobby.pairing import NewGame, RandomBelow
    from lobby.ports import Connection, GameStarter, Pool
    from lobby.proposals import Proposal, Terms
    from lobby.ratings.at_start import RatingAtStart
    from lobby.seeks.seeks import Seek
    from lobby.wire.lobby import Wish

log = logging.getLogger(__name__)


class SeekTaken(Conflict):
    """Another player has taken a seek.

    Attributes:
        gone: seeks that are not in the database any more; the book may still list them.
    """

    def __init__(self, gone: Iterable[str]) -> None:
        super().__init__("this seek has already been accepted or withdrawn")
        self.gone = tuple(gone)


class RemovedOffers(msgspec.Struct, frozen=True):
    """Seeks and pool places that a new game has removed."""

    seeks: tuple[str, ...] = ()
    stopped: tuple[Stopped, ...] = ()


async def withdraw(connection: Connection, game: NewGame, wanted: Sequence[str] = ()) -> RemovedOffers:
    """Remove the seeks that ``game`` uses up: ``wanted`` and, for a live game, all live seeks and pool places of its
    players. Locks the rows of both players.

    Raises:
        CannotStart: one of them has closed their account.
        SeekTaken: one of ``wanted`` is gone; nothing is removed.
    """
    await lock_open(connection, game.white, game.black)
    locked = await store.lock_seeks(connection, [game.white.id, game.black.id])
    missing = [seek_id for seek_id in wanted if seek_id not in locked]
    if missing:
        raise SeekTaken(missing)
    live = is_live(game.tc)
    removed = [seek_id for seek_id, terms in locked.items() if seek_id in wanted or (live and terms.live)]
    gone = tuple(await store.delete_seeks(connection, removed)) if removed else ()
    if not live:
        return RemovedOffers(gone)
    waited = await stop_waiting(connection, [game.white.id, game.black.id])
    return RemovedOffers(gone, tuple(Stopped(person, n, "paired") for person, n in waited.items()))


async def rating_in(reader: Connection | Pool, user: User, terms: Terms) -> RatingAtStart | None:
    """Return the rating of ``user`` for a game of ``terms``; None for guests."""
    if user.kind == "guest":
        return None
    perf = perf_of(terms.game, terms.variant, terms.tc)
    return rating_at_start(user, await ratings_of(reader, [user.id], perf))


class SeekDesk:
    """The seeks of all users. Candidates come from the book; the database decides."""

    def __init__(self, ledger: Ledger, starter: GameStarter, now_ms: Callable[[], int], randbelow: RandomBelow) -> None:
        self._ledger = ledger
        self._book = ledger.book
        self._starter = starter
        self._now_ms = now_ms
        self._randbelow = randbelow
        self._arriving: dict[str, set[str]] = {}
        """Seeks that are being stored, by user. They count towards the user's limit."""
        self._pairing: set[str] = set()
        """Seeks in an open transaction that pairs them."""

    async def seek(self, user: User, proposal: Proposal, key: str | None) -> dict[str, Any]:
        """Pair ``user`` at once, or list their seek. The reply has ``seek``, and ``g`` if paired."""
        seek = await self._rated(new_seek(new_id(), user, proposal, self._now_ms()))
        reply = await self._pair(seek, key, listed=False)
        if reply is not None:
            return reply
        try:
            reply = await self._ledger.change(user.id, key, partial(self._insert, seek))
        finally:
            self._arrived(seek)
        try:
            # A seek that fits may have been stored at the same time. Of the two, the one listed later finds the other.
            return await self.pair_listed(seek, key) or reply
        except Unavailable:
            return reply  # the seek is listed, which the client must know

    async def pair_listed(self, seek: Seek, key: str | None = None) -> dict[str, Any] | None:
        """Pair an open seek with another that fits; None if there is none. ``key`` is that of its request."""
        return await self._pair(seek, key, listed=True)

    async def unseek(self, user: User, seek_id: str, key: str | None) -> dict[str, Any]:
        """Withdraw a seek of ``user``."""

        async def delete(connection: Connection) -> Effect:
            seek = self._open(seek_id)
            if seek.user.id != user.id:
                raise Forbidden("this is another user's seek")
            if not await store.delete_seeks(connection, [seek_id]):
                raise SeekTaken([seek_id])
            return Effect(gone=(seek_id,))

        return await self._change(user, key, delete)

    async def accept(self, user: User, seek_id: str, key: str | None, *, laws: bool) -> dict[str, Any]:
        """Pair ``user`` with the owner of a seek. The reply has ``g``."""

        async def pair(connection: Connection) -> Effect:
            seek = self._open(seek_id)
            if seek.user.id == user.id:
                raise Forbidden("this is your own seek")
            if seek.terms.rated and user.kind == "guest":
                raise Forbidden("guests can play casual games only")
            rating = await rating_in(connection, user, seek.terms)
            if (None if rating is None else rating.rating) not in seek.opponents:
                raise Forbidden("your rating is outside the range of this seek")
            check_client(seek.terms, laws=laws)
            if await is_either_blocked(connection, seek.user.id, user.id):
                raise Forbidden("you two cannot play each other")
            game, removed = await self._start(connection, seek, user, "random", (seek_id,))
            return Effect(reply={"g": game.id}, gone=removed.seeks, stopped=removed.stopped, game=game)

        return await self._change(user, key, pair)

    async def expire(self) -> None:
        """Withdraw expired seeks, and those whose owners have been away for too long."""
        await self._withdraw(self._book.due(self._now_ms()))

    async def drop(self, person: str) -> None:
        """Withdraw all seeks of ``person``."""
        await self._withdraw([seek.id for seek in self._book.of_user(person)])

    def has_any(self, person: str) -> bool:
        """Return whether ``person`` has open seeks, or some that are being stored."""
        return bool(self._book.of_user(person)) or person in self._arriving

    async def drop_live(self, person: str) -> None:
        """Withdraw the live seeks of ``person``, because a live game of theirs begins."""

        async def delete(connection: Connection) -> Effect:
            locked = await store.lock_seeks(connection, [person])
            live = [seek_id for seek_id, terms in locked.items() if terms.live]
            return Effect(gone=tuple(await store.delete_seeks(connection, live) if live else ()))

        await self._ledger.change(person, None, delete)

    async def _withdraw(self, ids: Sequence[str]) -> None:
        async def delete(connection: Connection) -> Effect:
            # A seek without a row was taken just now, and that transaction announces it.
            return Effect(gone=tuple(await store.delete_seeks(connection, ids)))

        if ids:
            first = self._book.get(ids[0])
            assert first is not None, "it was on the list a moment ago"
            await self._ledger.change(first.user.id, None, delete)

    def _open(self, seek_id: str) -> Seek:
        seek = self._book.get(seek_id)
        if seek is not None:
            return seek
        if self._book.is_gone(seek_id):
            raise Conflict("this seek has already been accepted or withdrawn")
        raise NotFound(f"there is no seek {seek_id!r}")

    async def _rated(self, seek: Seek) -> Seek:
        """Return ``seek`` with its owner's rating."""
        rating = await self._ledger.read(partial(rating_in, user=seek.user, terms=seek.terms))
        if rating is None:
            return seek
        return msgspec.structs.replace(seek, rating=rating.rating, provisional=rating.provisional)

    async def _insert(self, seek: Seek, connection: Connection) -> Effect:
        await lock_open(connection, seek.user)
        known = {other.id for other in self._book.of_user(seek.user.id)} | self._arriving.get(seek.user.id, set())
        if len(known) >= MAX_SEEKS:
            raise Conflict(f"you have {MAX_SEEKS} open seeks; withdraw one first")
        if len(self._book) >= LOBBY_SEEKS:
            raise Conflict("the lobby is full; accept an open seek or try again later")
        self._arriving.setdefault(seek.user.id, set()).add(seek.id)
        await store.insert_seek(connection, seek)
        return Effect(reply={"seek": seek.id}, added=seek)

    def _arrived(self, seek: Seek) -> None:
        arriving = self._arriving.get(seek.user.id)
        if arriving is not None:
            arriving.discard(seek.id)
            if not arriving:
                del self._arriving[seek.user.id]

    async def _change(
        self, user: User, key: str | None, work: Callable[[Connection], Awaitable[Effect]]
    ) -> dict[str, Any]:
        """Run a change. Seeks that turn out to be taken are removed from the book."""
        try:
            return await self._ledger.change(user.id, key, work)
        except SeekTaken as taken:
            self._ledger.apply(Effect(gone=taken.gone))
            raise

    async def _pair(self, seek: Seek, key: str | None, *, listed: bool) -> dict[str, Any] | None:
        """Pair ``seek`` with one that fits, longest waiting first; None if none could be taken.

        Seeks that this process is pairing are skipped: otherwise many simultaneous seeks would queue for the same first
        one.
        """
        if not self._book.matches(seek):
            return None
        blocked = await self._ledger.read(partial(blocked_either_way, person=seek.user.id))
        while seek.id not in self._pairing and (not listed or self._book.get(seek.id) is not None):
            fitting = (found for found in self._book.matches(seek) if found.user.id not in blocked)
            other = next((found for found in fitting if found.id not in self._pairing), None)
            if other is None:
                break
            work = partial(self._pair_listed, seek, other, key) if listed else partial(self._pair_new, seek, other)
            self._pairing |= {seek.id, other.id}
            try:
                return await self._change(seek.user, None if listed else key, work)
            except SeekTaken as taken:
                log.debug("seek %s was not paired with %s: %s", seek.id, other.id, taken)
            finally:
                self._pairing -= {seek.id, other.id}
            if listed and self._book.get(seek.id) is None and self._book.get(other.id) is not None:
                # A seek that came meanwhile has skipped ``other``.
                await self.pair_listed(other)
        return None

    async def _pair_new(self, seek: Seek, other: Seek, connection: Connection) -> Effect:
        game, removed = await self._start(connection, other, seek.user, seek.color, (other.id,))
        reply = {"seek": seek.id, "g": game.id}
        return Effect(reply=reply, gone=removed.seeks, stopped=removed.stopped, game=game)

    async def _pair_listed(self, seek: Seek, other: Seek, key: str | None, connection: Connection) -> Effect:
        game, removed = await self._start(connection, other, seek.user, seek.color, (other.id, seek.id))
        reply = {"seek": seek.id, "g": game.id}
        if key is not None:
            await store.set_reply(connection, seek.user.id, key, reply)
        return Effect(reply=reply, gone=removed.seeks, stopped=removed.stopped, game=game)

    async def _start(
        self, connection: Connection, seek: Seek, opponent: User, color: Wish, wanted: Sequence[str]
    ) -> tuple[NewGame, RemovedOffers]:
        """Create the game of ``seek`` with ``opponent``, the requester. Also returns what it removes.

        Raises ``SeekTaken`` or ``CannotStart``.
        """
        white, black = seat((seek.user, seek.color), (opponent, color), self._randbelow)
        game = new_game(new_id(), seek.terms, white, black, self._randbelow)
        removed = await withdraw(connection, game, wanted)
        game = await self._starter.start(game, connection)
        return game, removed
