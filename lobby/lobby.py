"""The lobby's interface for the rest of the server: seeks, challenges, pools and rematches of users.

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
from lobby.ledger import DATABASE_ERRORS, Effect, Ledger
from lobby.moderation.bans import Bans
from lobby.players import find_player
from lobby.pools.pool_book import PoolBook, pool_wire, waiter_wire
from lobby.pools.pool_desk import PoolDesk
from lobby.pools.pool_store import load_waiters
from lobby.pools.pools import WAVE_MS, PoolKey
from lobby.ratings import rating_store
from lobby.robots.robot_desk import RobotDesk
from lobby.robots.robot_lease import RobotLease
from lobby.seeks.seek_desk import RemovedOffers, SeekDesk, withdraw
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
        PoolWire,
        WaiterWire,
    )

log = logging.getLogger(__name__)

T = TypeVar("T")

KEYS_KEPT_S = 86_400
"""How long a client may repeat a request with the same key."""

CHALLENGES_KEPT_MS = 30 * 86_400_000
"""How long the link of an answered challenge leads to its game."""

WAVE_TICKS = WAVE_MS // 1000
"""Ticks between two waves of quick pairing."""

SWEEP_EVERY = 600
"""Ticks between two sweeps of expired rows."""


class Lobby:
    """Seeks, challenges and pools of all users.

    The server calls ``load`` before it serves, ``tick`` once a second, ``came`` and ``left`` when a user's first socket
    opens and their last one closes, and ``close`` at the end.

    Args:
        pool: the database; its connections decode ``jsonb``.
        starter: creates games.
        publisher: sends messages to users.
        now_ms: the wall clock, Unix ms.
        monotonic_ms: a clock that is never set back; None: ``now_ms``, in tests.
        randbelow: ``secrets.randbelow``, or a deterministic one in tests.
        bans: play bans; by default nobody is banned.
        fence: begins every transaction; raises ``Unavailable`` if another node leads the lobby by now.
        seq: number of the last event of the previous leader; None: derived from the wall clock.

    Attributes:
        publisher: as given.
        robots: the process that plays for the robots.
    """

    def __init__(
        self,
        pool: Pool,
        starter: GameStarter,
        publisher: Publisher,
        *,
        now_ms: Callable[[], int],
        monotonic_ms: Callable[[], int] | None = None,
        randbelow: RandomBelow,
        bans: Bans | None = None,
        fence: Fence | None = None,
        seq: int | None = None,
    ) -> None:
        self.publisher = publisher
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
        self.robots = RobotLease(self._book.is_here, monotonic_ms or now_ms)
        desk = RobotDesk(self.robots, starter, randbelow)
        self._challenges = ChallengeDesk(self._ledger, starter, desk, now_ms, randbelow)
        self._waiting = PoolDesk(self._ledger, starter, now_ms, randbelow)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ticks = 0
        self._sweep_at = 0
        """The tick of the next sweep."""

    # --- life ----------------------------------------------------------------------------------------

    async def load(self) -> None:
        """Load the seeks and pool places of an earlier run. Absent owners have 30 s to come back."""
        self._book.load(await store.load_seeks(self._pool), self._now_ms())
        self._pools.load(await load_waiters(self._pool, self._now_ms()), self._now_ms())
        await self._challenges.load(self._book.is_here)

    async def close(self) -> None:
        """Finish the requests under way. No request may follow."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def tick(self) -> None:
        """Expire seeks and challenges, pair the people in pools, and resolve commits in doubt.

        Each step is independent: an unavailable database or an error in one of them is logged, and tried again at the
        next tick.
        """
        tick, self._ticks = self._ticks, self._ticks + 1
        for step in self._steps(tick):
            try:
                await step()
            except (*DATABASE_ERRORS, Unavailable) as error:
                log.warning("expired entries of the lobby could not be removed, trying again in a second: %r", error)
                return
            except Exception:
                log.exception("a periodic task of the lobby failed")

    def _steps(self, tick: int) -> Iterator[Callable[[], Awaitable[object]]]:
        yield self._ledger.settle
        yield self._drop_banned
        yield self._seeks.expire
        yield self._waiting.expire
        if tick % WAVE_TICKS == 0:
            yield lambda: self._finish(self._waiting.pair(), "wave")
        yield self._challenges.expire
        yield self._challenges.announce_away
        if tick >= self._sweep_at:
            yield lambda: store.forget_requests(self._pool, KEYS_KEPT_S)
            yield lambda: store.forget_challenges(self._pool, self._now_ms() - CHALLENGES_KEPT_MS)
            yield lambda: delete_expired(self._pool)
            yield lambda: rating_store.sweep(self._pool)
            yield self._challenges.sweep
            yield self._challenges.cancel_closed
            self._sweep_at = tick + SWEEP_EVERY

    async def _drop_banned(self) -> None:
        """Remove banned people who entered between the ban and its announcement."""
        for person in self._bans.people():
            await self.drop(person)

    def rename(self, user: User) -> None:
        """Apply a stored change of ``user``: their name or kind, or the end of their account."""
        self._ledger.rename(user)
        if user.kind != "guest":  # guests cannot be closed or become bots
            self._begin(self._later(partial(self._retire, user.id)), f"{user.id} has changed")

    async def _retire(self, person: str) -> None:
        """Cancel what ``person`` may not have any more as a bot or as a closed account."""
        found = await self._ledger.read(partial(find_player, person=person))
        if found is None or not (found.is_closed or found.kind == "bot"):
            return
        # By the database and not by the book, which may learn of a place later. Whoever joins now sees the row read
        # here.
        await self._waiting.drop(person, "left")
        if found.is_closed:
            await self._seeks.drop(person)
            await self._challenges.cancel_closed()

    def came(self, user_id: str) -> None:
        """Note that the user's first socket is open."""
        self._book.came(user_id)
        self._pools.came(user_id)
        if self._challenges.came(user_id):
            self._begin(self._later(partial(self._challenges.announce_back, user_id)), f"{user_id} is back")
        for seek in self._book.of_user(user_id):
            # A matching seek may have been listed while the user was away.
            self._begin(self._later(partial(self._seeks.pair_listed, seek)), f"pair {seek.id}")

    def left(self, user_id: str) -> None:
        """Note that the user's last socket is closed: their seeks and pool place are kept for 10 s."""
        self._book.left(user_id, self._now_ms())
        self._pools.left(user_id, self._now_ms())
        self._challenges.left(user_id)

    async def drop(self, person: str) -> None:
        """Withdraw the seeks and pool place of ``person``, who may not play now.

        Raises:
            Unavailable: the database is not responding; the next ``tick`` tries again.
        """
        if self._book.of_user(person):
            await self._finish(self._seeks.drop(person), "drop seeks")
        if self._pools.get(person) is not None:
            await self.pool_drop(person, "ban")

    def is_looking(self, person: str) -> bool:
        """Return whether ``person`` has an open seek or waits in a pool."""
        return self._seeks.has_any(person) or self._pools.get(person) is not None

    async def sits_down(self, person: str) -> None:
        """Withdraw the seeks and pool place of ``person``, whose live game was started elsewhere.

        Raises:
            Unavailable: the database is not responding.
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
        """Return the next number for a lobby event that does not concern a seek. The caller publishes it at once."""
        self._book.seq += 1
        return self._book.seq

    def snapshot(self, *, games: int, online: int) -> OpenSeeksWire:
        """The ``lobby`` message of the protocol."""
        return self._book.snapshot(games=games, online=online)

    def waiting(self, user_id: str) -> PoolWire | None:
        """Return the user's place in a pool as a ``pool`` message; None if they have none."""
        waiter = self._pools.get(user_id)
        return None if waiter is None else pool_wire(waiter)

    def casual_waiters(self, most: int, is_shown: Callable[[str], bool] = lambda person: True) -> list[WaiterWire]:
        """Return the cards of people in casual pools, longest waiting first, at most ``most``.

        Left out are people who are away, who are not shown online (``is_shown``), and who have just finished a game
        whose end the public does not know yet: a person in a pool has no live game.
        """
        return [waiter_wire(waiter) for waiter in self._pools.casual(most, self._now_ms(), is_shown)]

    def waiting_counts(self, is_shown: Callable[[str], bool] = lambda person: True) -> dict[PoolKey, int]:
        """Return the number of such people who wait in each pool that has any."""
        return self._pools.counts(self._now_ms(), is_shown)

    async def challenges_of(self, user: User) -> list[ChallengeWire | ChallengeAwayWire]:
        """Return the open challenges by and for ``user`` as messages, for a socket that has just connected."""
        return await self._challenges.waiting(user)

    async def challenge_card(self, challenge_id: str) -> ChallengeCardWire | None:
        """Return what a challenge's page shows, with ``status`` and ``g`` (its game); None if there is no such
        challenge."""
        if not is_id(challenge_id):
            return None
        challenge = await self._ledger.read(partial(store.find_challenge, challenge_id=challenge_id))
        return None if challenge is None else challenge_card(challenge, self._now_ms())

    # --- requests ------------------------------------------------------------------------------------

    async def reply_to(self, user: User, key: str) -> dict[str, Any] | None:
        """Return the reply to the request of ``user`` with ``key``; None if the key is new."""
        return await self._ledger.read(partial(store.find_reply, person=user.id, key=key))

    async def seek(self, user: User, proposal: Proposal, *, key: str | None = None) -> dict[str, Any]:
        """Handle ``seek``. The reply has ``seek``, and ``g`` when it paired at once."""
        return await self._finish(self._seeks.seek(user, proposal, key), "seek")

    async def unseek(self, user: User, seek_id: str, *, key: str | None = None) -> dict[str, Any]:
        """Handle ``unseek``."""
        return await self._finish(self._seeks.unseek(user, seek_id, key), "unseek")

    async def accept(self, user: User, seek_id: str, *, laws: bool = False, key: str | None = None) -> dict[str, Any]:
        """Handle ``accept``. The reply has ``g``. Of several concurrent requests for a seek all but one get
        ``conflict``."""
        return await self._finish(self._seeks.accept(user, seek_id, key, laws=laws), "accept")

    async def challenge(
        self,
        user: User,
        proposal: Proposal,
        *,
        to: str | None = None,
        level: int | None = None,
        key: str | None = None,
    ) -> dict[str, Any]:
        """Handle ``challenge``. The reply has ``challenge`` and ``url``; for a game that starts at once ``g``."""
        return await self._finish(self._challenges.challenge(user, proposal, to, level, key), "challenge")

    async def challenge_accept(
        self, user: User, challenge_id: str, *, laws: bool = False, key: str | None = None
    ) -> dict[str, Any]:
        """Handle ``challenge.accept``. The reply has ``g``."""
        return await self._finish(self._challenges.accept(user, challenge_id, key, laws=laws), "challenge.accept")

    async def challenge_decline(
        self, user: User, challenge_id: str, reason: DeclineReason = "generic", *, key: str | None = None
    ) -> dict[str, Any]:
        """Handle ``challenge.decline``."""
        return await self._finish(self._challenges.decline(user, challenge_id, reason, key), "challenge.decline")

    async def challenge_cancel(self, user: User, challenge_id: str, *, key: str | None = None) -> dict[str, Any]:
        """Handle ``challenge.cancel``."""
        return await self._finish(self._challenges.cancel(user, challenge_id, key), "challenge.cancel")

    async def pool_join(self, user: User, pool: PoolKey, *, key: str | None = None) -> dict[str, Any]:
        """Handle ``pool.join``. The reply has ``pool``."""
        return await self._finish(self._waiting.join(user, pool, key), "pool.join")

    async def pool_leave(self, user: User, *, key: str | None = None) -> dict[str, Any]:
        """Handle ``pool.leave``."""
        return await self._finish(self._waiting.leave(user, key), "pool.leave")

    async def pool_take(self, user: User, person: str, pool: PoolKey, *, key: str | None = None) -> dict[str, Any]:
        """Handle ``pool.take``. The reply has ``g``. Of several concurrent requests for a person all but one get
        ``conflict``."""
        return await self._finish(self._waiting.take(user, person, pool, key), "pool.take")

    async def pool_drop(self, person: str, why: PoolEnd) -> None:
        """Remove ``person`` from their pool, for instance after a ban. Raises ``Unavailable``."""
        await self._finish(self._waiting.drop(person, why), "pool drop")

    async def rematch(self, previous: GameFacts, next_id: str) -> str:
        """Create the rematch of ``previous`` with the id ``next_id``, colours reversed, and tell both players.

        The table calls this once both have agreed. Returns the id of the rematch, which is that of an earlier call if
        the table asks again after a crash.
        """
        return await self._finish(self._rematch(previous, next_id), "rematch")

    async def _rematch(self, previous: GameFacts, next_id: str) -> str:
        async def create(connection: Connection) -> Effect:
            made = await store.rematch_of(connection, previous.id)
            if made is not None:
                return Effect(reply={"g": made})
            game = pairing.rematch(previous, next_id, self._randbelow)
            removed = RemovedOffers() if game.white.id == game.black.id else await withdraw(connection, game)
            game = await self._starter.start(game, connection)
            return Effect(reply={"g": game.id}, gone=removed.seeks, stopped=removed.stopped, game=game)

        reply = await self._ledger.change(previous.white.id, None, create)
        made: str = reply["g"]
        return made

    # --- tasks ---------------------------------------------------------------------------------------

    async def _later(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """Run follow-up work for which no client waits."""
        try:
            await work()
        except (*DATABASE_ERRORS, Refusal) as error:
            log.warning("the lobby could not process the return or change of a user: %s", error)

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
            del task  # the error's traceback refers to this frame: a reference cycle


def _log_fault(task: asyncio.Task[Any]) -> None:
    """Log an error of a task whose caller has given up. Refusals are not logged."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, Refusal):
        log.error("%s failed", task.get_name(), exc_info=error)
