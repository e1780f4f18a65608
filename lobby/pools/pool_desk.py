"""Requests about pools, and the pairing wave.

Each change is one transaction, as with seeks. The wave proposes pairs from the book. A pair is made only if both rows
are still there, so nobody is paired who has just left, moved to another pool or begun another game. A person with a
live game cannot wait in a pool (``players.py``).
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.errors import Refusal
from lobby.errors import Conflict, Forbidden
from lobby.ids import new_id
from lobby.ledger import Effect, Stopped
from lobby.moderation.blocks import blocked_pairs, is_either_blocked
from lobby.pairing import new_game
from lobby.players import CannotStart, check_free, lock_open
from lobby.pools import pool_store
from lobby.pools.pools import PoolKey, Waiter, seated, wave
from lobby.seeks.seek_desk import rating_in, withdraw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lobby.accounts.user import User
    from lobby.ledger import Ledger
    from lobby.pairing import RandomBelow
    from lobby.pools.pools import Pairing
    from lobby.ports import Connection, GameStarter, Pool
    from lobby.wire.lobby import Kind, PoolEnd

log = logging.getLogger(__name__)

PAIRED_AT_ONCE = 4
"""Concurrent pairings of one wave. Leaves connections for players."""


class NotWaiting(Conflict):
    """A player who was to be paired does not wait in the pool any more.

    Attributes:
        missing: the places that they had.
    """

    def __init__(self, missing: Sequence[Waiter]) -> None:
        super().__init__(f"no longer waiting: {', '.join(waiter.user.name for waiter in missing)}")
        self.missing = missing


class PoolDesk:
    """The pools of all users. Candidates come from the book; the database decides."""

    def __init__(self, ledger: Ledger, starter: GameStarter, now_ms: Callable[[], int], randbelow: RandomBelow) -> None:
        self._ledger = ledger
        self._book = ledger.pools
        self._starter = starter
        self._now_ms = now_ms
        self._randbelow = randbelow

    async def join(self, user: User, place: PoolKey, key: str | None) -> dict[str, Any]:
        """Add ``user`` to ``place``. The reply has ``pool``."""
        if place.rated and user.kind == "guest":
            raise Forbidden("rated: guests can play casual games only")
        _refuse_bot(user.kind)
        return await self._ledger.change(user.id, key, partial(self._begin, user, place))

    async def leave(self, user: User, key: str | None) -> dict[str, Any]:
        """Remove ``user`` from their pool."""

        return await self._stop([user.id], "left", key)

    async def take(self, user: User, person: str, place: PoolKey, key: str | None) -> dict[str, Any]:
        """Pair ``user`` with ``person``, who waits in ``place``, a casual pool. The reply has ``g``.

        It is decided as a pair of a wave is: the row of ``person`` must still be there, and both must be free. ``user``
        need not wait themselves.
        """
        _refuse_bot(user.kind)
        try:
            return await self._ledger.change(user.id, key, partial(self._pair_with, user, person, place))
        except CannotStart as error:
            if person in error.people:
                await self._stop([person], "left")
            raise
        except NotWaiting as error:
            self._set_aside(error)
            raise

    async def drop(self, person: str, why: PoolEnd) -> None:
        """Remove ``person`` from their pool without a request of theirs."""
        await self._stop([person], why)

    async def expire(self) -> None:
        """Remove people who have been away for too long."""
        due = self._book.due(self._now_ms())
        if due:
            # A person without a row was paired just now, and that transaction announces it.
            await self._stop(due, "away")

    async def pair(self) -> None:
        """Run one wave over all pools. People who cannot be paired now take part in the next one."""
        places = tuple(self._book.places())
        if not places:
            return
        people = [waiter.user.id for _, waiters in places for waiter in waiters]
        excluded = await self._ledger.read(partial(_excluded_pairs, people=people))
        for place, waiters in places:
            # A person who joined meanwhile takes part in the next wave; one who left is refused by the database.
            await self._start_all(place, wave(waiters, self._now_ms(), excluded, self._randbelow))

    async def _start_all(self, place: PoolKey, pairings: Sequence[Pairing]) -> None:
        todo = iter(pairings)

        async def worker() -> None:
            for pairing in todo:
                await self._start(place, pairing)

        await asyncio.gather(*(worker() for _ in range(min(PAIRED_AT_ONCE, len(pairings)))))

    async def _stop(self, people: Sequence[str], why: PoolEnd, key: str | None = None) -> dict[str, Any]:
        async def stop(connection: Connection) -> Effect:
            found = await pool_store.stop_waiting(connection, people)
            return Effect(stopped=tuple(Stopped(person, n, why) for person, n in found.items()))

        return await self._ledger.change(people[0], key, stop)

    async def _start(self, place: PoolKey, pairing: Pairing) -> None:
        work = partial(self._pair, place, pairing, (pairing.white, pairing.black))
        try:
            await self._ledger.change(pairing.white.user.id, None, work)
        except CannotStart as error:
            # Whatever made a person ineligible also removes them. Until then they must not block other pairings.
            log.info("a user who waits in a pool may not play: %s", error)
            await self._stop(error.people, "left")
        except NotWaiting as error:
            log.debug("a pairing failed: %s", error)
            self._set_aside(error)
        except Refusal as error:
            # The database is away, or one of them may not play: then that one is taken out of the pool in a moment.
            log.warning("two users were not paired and keep waiting: %s", error)

    async def _pair(
        self, place: PoolKey, pairing: Pairing, waiting: Sequence[Waiter], connection: Connection
    ) -> Effect:
        """Begin the game of ``pairing``. ``waiting`` are those of the two whose place must still be there; the other,
        if there is one, is the requester."""
        white, black = pairing.white, pairing.black
        game = new_game(new_id(), place.terms, white.user, black.user, self._randbelow)
        removed = await withdraw(connection, game)
        # The number shows that this is the place that was seen, and not a later one elsewhere.
        stopped = {one.person: one.n for one in removed.stopped}
        missing = [one for one in waiting if stopped.get(one.user.id) != one.n]
        if missing:
            raise NotWaiting(missing)
        first, last = sorted((white, black), key=lambda one: one not in waiting)
        await check_free(connection, first.user, last.user)
        game = await self._starter.start(game, connection)
        return Effect(reply={"g": game.id}, gone=removed.seeks, stopped=removed.stopped, game=game)

    async def _pair_with(self, user: User, person: str, place: PoolKey, connection: Connection) -> Effect:
        if person == user.id:
            raise Forbidden("this is your own search")
        waiter = self._book.get(person)
        if waiter is None or waiter.place != place or place.rated or not self._book.is_listed(waiter, self._now_ms()):
            raise Conflict("this player is not waiting any more")
        if await is_either_blocked(connection, person, user.id):
            raise Forbidden("you two cannot play each other")
        # A player who aborted may change their mind, but their opponent must not meet them again within the hour.
        if await pool_store.has_aborted(connection, person, user.id):
            raise Conflict("this player has just aborted a game with you; choose another opponent")
        # As in ``_begin``, and in the order in which the game will lock both: the session may not know of a new kind.
        players = await lock_open(connection, user, waiter.user)
        _refuse_bot(players[user.id].kind)
        other = await self._waiter(connection, user, place)
        return await self._pair(place, seated(waiter, other, self._randbelow), (waiter,), connection)

    def _set_aside(self, error: NotWaiting) -> None:
        for waiter in error.missing:
            # The change that removed the row is about to be applied. A place elsewhere has a greater number.
            self._book.set_aside(waiter.user.id, waiter.n)

    async def _waiter(self, connection: Connection, user: User, place: PoolKey) -> Waiter:
        rating = await rating_in(connection, user, place.terms)
        colors = await pool_store.colors_of(connection, user.id)
        now_ms = self._now_ms()
        return Waiter(
            user=user,
            place=place,
            since_ms=now_ms,
            rating=None if rating is None else rating.rating,
            provisional=None if rating is None else rating.provisional,
            balance=colors.count("w") - colors.count("b"),
            last=colors[0] if colors else None,
            hidden_until_ms=now_ms + await pool_store.hidden_ms(connection, user.id),
        )

    async def _begin(self, user: User, place: PoolKey, connection: Connection) -> Effect:
        _refuse_bot((await lock_open(connection, user))[user.id].kind)
        await check_free(connection, user)
        waiter = await self._waiter(connection, user, place)
        moves = self._book.get(user.id) is not None
        done = await pool_store.begin_waiting(connection, waiter, moves=moves)
        if done is None:
            # A request for another pool during the pairing must not lead to a second game.
            raise Conflict("you are no longer waiting: you have been paired")
        n, since_ms = done
        return Effect(reply={"pool": place.pool}, waiter=msgspec.structs.replace(waiter, n=n, since_ms=since_ms))


def _refuse_bot(kind: Kind) -> None:
    if kind == "bot":
        # People in a pool expect a human opponent. In the list of seeks a bot is marked as one.
        raise Forbidden("bots cannot join pools; create a seek or wait for a challenge")


async def _excluded_pairs(pool: Pool, people: Sequence[str]) -> set[frozenset[str]]:
    """Return the pairs of ``people`` who must not be paired."""
    return await blocked_pairs(pool, people) | await pool_store.aborted_among(pool, people)
