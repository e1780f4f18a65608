"""The lobby as the rest of the server sees it: seeks, challenges and rematches, on behalf of users.

Every request method returns the fields of the ``ok`` reply once its effect is committed and everybody concerned has
been told, or raises ``Refusal`` with the code of the protocol. A request that has begun is finished even when its
caller is cancelled: a socket that closes does not leave half of a pairing.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from game_core.errors import Refusal
from lobby import pairing, store
from lobby.accounts.identity import delete_expired
from lobby.challenges.challenge_desk import ChallengeDesk
from lobby.challenges.challenges import challenge_card
from lobby.errors import Unavailable
from lobby.fair_start import FairStart
from lobby.ids import is_id
from lobby.ledger import TROUBLE, Effect, Ledger
from lobby.moderation.bans import Bans
from lobby.players import find_player
from lobby.pools.pool_book import PoolBook, pool_wire
from lobby.pools.pool_desk import PoolDesk
from lobby.pools.pool_store import load_waiters
from lobby.pools.pools import WAVE_MS, Place
from lobby.ratings import rating_store
from lobby.seeks.seek_desk import SeekDesk, Used, withdraw
from lobby.seeks.seeks import SeekBook

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterator

    from lobby.accounts.user import User
    from lobby.ledger import Fence
    from lobby.pairing import GameFacts, RandomBelow
    from lobby.ports import Connection, GameStarter, Pool, Publisher
    from lobby.proposals import Proposal
    from lobby.wire.lobby import (
        ChallengeAwayWire,
        ChallengeCardWire,
        ChallengeWire,
        DeclineReason,
        OpenSeeksWire,
        PoolEnd,
        PoolName,
        PoolWire,
    )

log = logging.getLogger(__name__)

T = TypeVar("T")

KEYS_KEPT_S = 86_400
"""How long a client may repeat a request: longer than any page tries."""

CHALLENGES_KEPT_MS = 30 * 86_400_000
"""How long the link of an answered challenge leads to its game."""

WAVE_TICKS = WAVE_MS // 1000
"""Ticks between two waves of quick pairing."""

SWEEP_EVERY = 600
"""Ticks between the removals of what nobody asks for any more."""


class Lobby:
    """Who plays with whom.

    The server calls ``load`` before it serves, ``tick`` once a second, ``came`` and ``left`` when a user's first
    socket opens and his last one closes, and ``close`` at the end.

    Args:
        pool: the database; its connections decode ``jsonb``.
        starter: makes games.
        publisher: tells people.
        now_ms: the wall clock, Unix ms.
        randbelow: ``secrets.randbelow``, or a die that tests have loaded.
        bans: who may not play; without any everybody may.
        fence: begins every transaction: raises ``Unavailable`` if another server has the lobby by now.
        seq: number of the last event of whoever had it before; None: by the wall clock.
    """

    def __init__(
        self,
        pool: Pool,
        starter: GameStarter,
        publisher: Publisher,
        *,
        now_ms: Callable[[], int],
        randbelow: RandomBelow,
        bans: Bans | None = None,
        fence: Fence | None = None,
        seq: int | None = None,
    ) -> None:
        self._pool = pool
        self._bans = Bans(pool, now_ms) if bans is None else bans
        starter = FairStart(starter, self._bans)
        self._starter = starter
        self._now_ms = now_ms
        self._randbelow = randbelow
        self._book = SeekBook(seq=now_ms() if seq is None else seq)
        self._pools = PoolBook()
        self._ledger = Ledger(pool, self._book, self._pools, starter, publisher, now_ms, fence)
        self._seeks = SeekDesk(self._ledger, starter, now_ms, randbelow)
        self._challenges = ChallengeDesk(self._ledger, starter, now_ms, randbelow)
        self._waiting = PoolDesk(self._ledger, starter, now_ms, randbelow)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ticks = 0
        self._sweep_at = 0
        """The tick from which on the next sweep is due."""

    # --- life ----------------------------------------------------------------------------------------

    async def load(self) -> None:
        """Take over the seeks and the places in pools of an earlier run; whose they are and who is not here has 30 s
        to come back."""
        self._book.load(await store.load_seeks(self._pool), self._now_ms())
        self._pools.load(await load_waiters(self._pool), self._now_ms())
        await self._challenges.load(self._book.is_here)

    async def close(self) -> None:
        """Finish what has begun. No request may come after this."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def tick(self) -> None:
        """Let time pass: expire seeks and challenges, pair those in pools, find out about doubtful commits.

        A database that is away is logged and tried again a second later. A fault in one of these is logged too, and
        keeps none of the others from being done.
        """
        tick, self._ticks = self._ticks, self._ticks + 1
        for step in self._steps(tick):
            try:
                await step()
            except (*TROUBLE, Unavailable) as error:
                log.warning("the lobby could not be swept, next try in a second: %r", error)
                return
            except Exception:
                log.exception("one of what the lobby does every second failed")

    def _steps(self, tick: int) -> Iterator[Callable[[], Awaitable[object]]]:
        yield self._ledger.settle
        yield self._drop_banned
        yield self._seeks.expire
        yield self._waiting.expire
        if tick % WAVE_TICKS == 0:
            yield lambda: self._finish(self._waiting.pair(), "wave")
        yield self._challenges.expire
        yield self._challenges.tell_away
        if tick >= self._sweep_at:
            yield lambda: store.forget_requests(self._pool, KEYS_KEPT_S)
            yield lambda: store.forget_challenges(self._pool, self._now_ms() - CHALLENGES_KEPT_MS)
            yield lambda: delete_expired(self._pool)
            yield lambda: rating_store.sweep(self._pool)
            yield self._challenges.sweep
            yield self._challenges.cancel_closed
            self._sweep_at = tick + SWEEP_EVERY

    async def _drop_banned(self) -> None:
        """Whoever came in through the moment between the ban and this."""
        for person in self._bans.people():
            await self.drop(person)

    def rename(self, user: User) -> None:
        """Something about ``user`` has changed, and that is stored: he may be called or count as something else, or
        have gone for good."""
        self._ledger.rename(user)
        if user.kind != "guest":  # a guest has no account that could be closed, and is no bot
            self._begin(self._later(partial(self._retire, user.id)), f"{user.id} has changed")

    async def _retire(self, person: str) -> None:
        """Take back what ``person`` may not have any more as the bot or the closed account that he is by now."""
        found = await self._ledger.read(partial(find_player, person=person))
        if found is None or not (found.is_closed or found.kind == "bot"):
            return
        # Not by the book, which may hear of a place later: whoever wants one now finds what is found here.
        await self._waiting.drop(person, "left")
        if found.is_closed:
            await self._seeks.drop(person)
            await self._challenges.cancel_closed()

    def came(self, user_id: str) -> None:
        """The user's first socket is open."""
        self._book.came(user_id)
        self._pools.came(user_id)
        if self._challenges.came(user_id):
            self._begin(self._later(partial(self._challenges.tell_back, user_id)), f"{user_id} is back")
        for seek in self._book.of_user(user_id):
            # Somebody who fits may have been listed while he was away.
            self._begin(self._later(partial(self._seeks.pair_listed, seek)), f"pair {seek.id}")

    def left(self, user_id: str) -> None:
        """The user's last socket is closed: his seeks and his place in a pool wait 10 s for him."""
        self._book.left(user_id, self._now_ms())
        self._pools.left(user_id, self._now_ms())
        self._challenges.left(user_id)

    async def drop(self, person: str) -> None:
        """``person`` may not play now: his seeks are withdrawn, and he waits in no pool.

        Raises:
            Unavailable: the database does not answer; the next ``tick`` tries again.
        """
        if self._book.of_user(person):
            await self._finish(self._seeks.drop(person), "drop seeks")
        if self._pools.get(person) is not None:
            await self.pool_drop(person, "ban")

    def is_looking(self, person: str) -> bool:
        """Whether ``person`` has a seek open, or waits in a pool."""
        return self._seeks.has_any(person) or self._pools.get(person) is not None

    async def sits_down(self, person: str) -> None:
        """A live game of ``person`` has begun that the lobby has not made: he looks for none any more.

        Raises:
            Unavailable: the database does not answer.
        """
        if self._pools.get(person) is not None:
            await self.pool_drop(person, "paired")
        if self._seeks.has_any(person):
            await self._finish(self._seeks.drop_live(person), "drop seeks")

    # --- what there is -------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        """Number of the last lobby event."""
        return self._book.seq

    def next_seq(self) -> int:
        """A number for an event of the lobby that is none of its seeks; the caller publishes it at once."""
        self._book.seq += 1
        return self._book.seq

    def snapshot(self, *, games: int, online: int) -> OpenSeeksWire:
        """The ``lobby`` message of the protocol."""
        return self._book.snapshot(games=games, online=online)

    def waiting(self, user_id: str) -> PoolWire | None:
        """How the user waits in a pool, as a ``pool`` message; None if he does not."""
        waiter = self._pools.get(user_id)
        return None if waiter is None else pool_wire(waiter)

    async def challenges_of(self, user: User) -> list[ChallengeWire | ChallengeAwayWire]:
        """The open challenges by and for ``user``, as they are pushed: for who has just connected."""
        return await self._challenges.waiting(user)

    async def challenge_card(self, challenge_id: str) -> ChallengeCardWire | None:
        """What a challenge's page shows, ``status`` and ``g`` (its game) included; None when there is none."""
        if not is_id(challenge_id):
            return None
        challenge = await self._ledger.read(partial(store.find_challenge, challenge_id=challenge_id))
        return None if challenge is None else challenge_card(challenge, self._now_ms())

    # --- requests ------------------------------------------------------------------------------------

    async def reply_to(self, user: User, key: str) -> dict[str, Any] | None:
        """What ``user`` was answered to the request with ``key``; None if that is new."""
        return await self._ledger.read(partial(store.find_reply, person=user.id, key=key))

    async def seek(self, user: User, proposal: Proposal, *, key: str | None = None) -> dict[str, Any]:
        """``seek``: the reply has ``seek``, and ``g`` when it paired at once."""
        return await self._finish(self._seeks.seek(user, proposal, key), "seek")

    async def unseek(self, user: User, seek_id: str, *, key: str | None = None) -> dict[str, Any]:
        """``unseek``."""
        return await self._finish(self._seeks.unseek(user, seek_id, key), "unseek")

    async def accept(self, user: User, seek_id: str, *, key: str | None = None) -> dict[str, Any]:
        """``accept``: the reply has ``g``. Of several who race for a seek all but one get ``conflict``."""
        return await self._finish(self._seeks.accept(user, seek_id, key), "accept")

    async def challenge(
        self,
        user: User,
        proposal: Proposal,
        *,
        to: str | None = None,
        level: int | None = None,
        key: str | None = None,
    ) -> dict[str, Any]:
        """``challenge``: the reply has ``challenge`` and ``url``; against oneself it has ``g``."""
        return await self._finish(self._challenges.challenge(user, proposal, to, level, key), "challenge")

    async def challenge_accept(self, user: User, challenge_id: str, *, key: str | None = None) -> dict[str, Any]:
        """``challenge.accept``: the reply has ``g``."""
        return await self._finish(self._challenges.accept(user, challenge_id, key), "challenge.accept")

    async def challenge_decline(
        self, user: User, challenge_id: str, reason: DeclineReason = "generic", *, key: str | None = None
    ) -> dict[str, Any]:
        """``challenge.decline``."""
        return await self._finish(self._challenges.decline(user, challenge_id, reason, key), "challenge.decline")

    async def challenge_cancel(self, user: User, challenge_id: str, *, key: str | None = None) -> dict[str, Any]:
        """``challenge.cancel``."""
        return await self._finish(self._challenges.cancel(user, challenge_id, key), "challenge.cancel")

    async def pool_join(
        self, user: User, pool: PoolName, *, rated: bool = False, key: str | None = None
    ) -> dict[str, Any]:
        """``pool.join``: the reply has ``pool``."""
        return await self._finish(self._waiting.join(user, Place(pool, rated), key), "pool.join")

    async def pool_leave(self, user: User, *, key: str | None = None) -> dict[str, Any]:
        """``pool.leave``."""
        return await self._finish(self._waiting.leave(user, key), "pool.leave")

    async def pool_drop(self, person: str, why: PoolEnd) -> None:
        """Take ``person`` out of his pool, as a ban does. Raises ``Unavailable``."""
        await self._finish(self._waiting.drop(person, why), "pool drop")

    async def rematch(self, previous: GameFacts, next_id: str) -> str:
        """Create the rematch of ``previous``, colours reversed, under the id ``next_id``, and tell both players.

        Called by the table once both have agreed. Returns the id of the rematch: that of an earlier call when the
        table asks again after a crash.
        """
        return await self._finish(self._rematch(previous, next_id), "rematch")

    async def _rematch(self, previous: GameFacts, next_id: str) -> str:
        async def create(connection: Connection) -> Effect:
            made = await store.rematch_of(connection, previous.id)
            if made is not None:
                return Effect(reply={"g": made})
            game = pairing.rematch(previous, next_id, self._randbelow)
            used = Used() if game.white.id == game.black.id else await withdraw(connection, game)
            game = await self._starter.start(game, connection)
            return Effect(reply={"g": game.id}, gone=used.seeks, stopped=used.stopped, game=game)

        reply = await self._ledger.change(previous.white.id, None, create)
        made: str = reply["g"]
        return made

    # --- tasks ---------------------------------------------------------------------------------------

    async def _later(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """What follows from what somebody did, and from which nobody waits for an answer."""
        try:
            await work()
        except (*TROUBLE, Refusal) as error:
            log.warning("somebody came back or has changed, but what follows from it did not happen: %s", error)

    def _begin(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        task = asyncio.create_task(work, name=f"lobby {name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _finish(self, work: Coroutine[Any, Any, T], name: str) -> T:
        task = self._begin(work, name)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_log_fault)
            raise
        finally:
            del task  # it has the error, whose trace has this frame: only the collector could free them


def _log_fault(task: asyncio.Task[Any]) -> None:
    """Whoever asked has given up waiting: a refusal is of interest to nobody any more, a fault is."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, Refusal):
        log.error("%s failed", task.get_name(), exc_info=error)
