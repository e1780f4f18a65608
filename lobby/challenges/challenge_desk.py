"""Requests about challenges: by link, by name, against oneself, and the answers. Each change is one transaction."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from lobby import store
from lobby.accounts.identity import open_user_named
from lobby.challenges.challenges import (
    MAX_CHALLENGES,
    ROBOT,
    SELF,
    Challenge,
    away_messages,
    challenge_wire,
    check_accept,
    check_cancel,
    check_decline,
    check_hints,
    check_level,
    gone_messages,
    new_challenge,
)
from lobby.errors import Conflict, Forbidden, NotFound
from lobby.ids import LINK_LENGTH, is_id, new_id
from lobby.ledger import Effect
from lobby.moderation.blocks import is_either_blocked
from lobby.pairing import new_game, seat
from lobby.players import lock_open
from lobby.pools.absences import Absences
from lobby.proposals import agree, check_sheets
from lobby.robots.robot_accounts import level_of
from lobby.seeks.seek_desk import rating_in, withdraw

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.accounts.user import User
    from lobby.ledger import Ledger
    from lobby.pairing import RandomBelow
    from lobby.ports import Connection, GameStarter
    from lobby.proposals import Proposal
    from lobby.robots.robot_desk import RobotDesk
    from lobby.wire.lobby import ChallengeAwayWire, ChallengeWire, Closed, DeclineReason


class ChallengeDesk:
    """The challenges of all users. They are stored only in the database: each concerns two people, and no list shows
    them."""

    def __init__(
        self,
        ledger: Ledger,
        starter: GameStarter,
        robots: RobotDesk,
        now_ms: Callable[[], int],
        randbelow: RandomBelow,
    ) -> None:
        self._ledger = ledger
        self._robots = robots
        self._starter = starter
        self._now_ms = now_ms
        self._randbelow = randbelow
        self._absences = Absences()

    async def challenge(
        self, user: User, proposal: Proposal, to: str | None, level: int | None, key: str | None
    ) -> dict[str, Any]:
        """Create a challenge. The reply has ``challenge`` and ``url``; for a game against oneself or a robot ``g``."""
        check_level(to, level)
        if proposal.hints:
            check_hints(user, to, level, agree(user, proposal))
        if to == ROBOT and level is not None:
            return await self._ledger.change(user.id, key, partial(self._robots.start, user, proposal, level))
        if to == SELF:
            return await self._ledger.change(user.id, key, partial(self._start_alone, user, proposal))
        recipient = None
        if to is not None:
            recipient = await self._ledger.read(partial(open_user_named, name=to))
            if recipient is None:
                raise NotFound(f"to: there is no user {to}")
            of_robot = level_of(recipient.id)
            if of_robot is not None:
                return await self._ledger.change(user.id, key, partial(self._robots.start, user, proposal, of_robot))
            if recipient.id == user.id:
                raise Forbidden(f"to: this is you; for a game against yourself use {SELF!r}")
            if await self._ledger.read(partial(is_either_blocked, one=user.id, other=recipient.id)):
                raise Forbidden(f"to: you and {recipient.name} cannot play each other")
            if recipient.kind == "guest" and proposal.rated:
                raise Forbidden("to: guests can play casual games only")
        challenge = new_challenge(new_id(LINK_LENGTH), user, recipient, proposal, self._now_ms())
        return await self._ledger.change(user.id, key, partial(self._insert, challenge))

    async def accept(self, user: User, challenge_id: str, key: str | None, *, laws: bool) -> dict[str, Any]:
        """Accept a challenge and start its game. The reply has ``g``."""

        async def pair(connection: Connection) -> Effect:
            challenge = await self._lock(connection, challenge_id)
            rating = await rating_in(connection, user, challenge.terms)
            check_accept(challenge, user, None if rating is None else rating.rating, self._now_ms(), laws=laws)
            if await is_either_blocked(connection, challenge.user.id, user.id):
                raise Forbidden("you two cannot play each other")
            white, black = seat((challenge.user, challenge.color), (user, "random"), self._randbelow)
            as_black = black.id == challenge.user.id
            game = new_game(new_id(), challenge.terms, white, black, self._randbelow, as_black=as_black)
            removed = await withdraw(connection, game)
            game = await self._starter.start(game, connection)
            await store.close_challenge(connection, challenge.id, "accepted", game.id)
            messages = gone_messages(challenge, "accepted")
            reply = {"g": game.id}
            return Effect(reply=reply, gone=removed.seeks, stopped=removed.stopped, game=game, messages=messages)

        return await self._ledger.change(user.id, key, pair)

    async def decline(self, user: User, challenge_id: str, reason: DeclineReason, key: str | None) -> dict[str, Any]:
        """Decline a challenge by name."""
        return await self._close(user, challenge_id, key, check_decline, "declined", reason)

    async def cancel(self, user: User, challenge_id: str, key: str | None) -> dict[str, Any]:
        """Cancel one's own challenge."""
        return await self._close(user, challenge_id, key, check_cancel, "cancelled")

    async def load(self, is_here: Callable[[str], bool]) -> None:
        """After a start, treat absent challengers as if they had just left."""
        for person in await store.challengers(self._ledger.pool):
            if not is_here(person):
                self.left(person)

    def left(self, person: str) -> None:
        """The last socket of ``person`` is closed."""
        self._absences.left(person, self._now_ms())

    def came(self, person: str) -> bool:
        """Note that ``person`` is connected. Returns whether somebody has to be told by ``announce_back``."""
        return self._absences.came(person)

    async def announce_away(self) -> None:
        """Tell people whose challenger has been away for a while."""
        now_ms = self._now_ms()
        due = self._absences.due(now_ms)
        if not due:
            return
        challenges = await store.challenges_by(self._ledger.pool, due, now_ms)
        announced = self._absences.announce(due, {challenge.user.id for challenge in challenges}, now_ms)
        away = [challenge for challenge in challenges if challenge.user.id in announced]
        self._ledger.apply(Effect(messages=away_messages(away, away=True)))

    async def announce_back(self, person: str) -> None:
        """Tell the people whom ``person`` has challenged that they are back."""
        challenges = await self._ledger.read(partial(store.challenges_by, people=[person], now_ms=self._now_ms()))
        if not self._absences.is_away(person):
            self._ledger.apply(Effect(messages=away_messages(challenges, away=False)))

    async def waiting(self, user: User) -> list[ChallengeWire | ChallengeAwayWire]:
        """Return the open challenges by and for ``user``, and which of their challengers are away."""
        challenges = await self._ledger.read(partial(store.challenges_of, person=user.id, now_ms=self._now_ms()))
        away = [one for one in challenges if one.user.id != user.id and self._absences.is_away(one.user.id)]
        return [
            *(challenge_wire(challenge) for challenge in challenges),
            *(message for _, message in away_messages(away, away=True)),
        ]

    async def sweep(self) -> None:
        """Forget absences that concern no open challenge any more."""
        away = self._absences.away()
        challenges = await store.challenges_by(self._ledger.pool, away, self._now_ms())
        self._absences.forget(set(away) - {challenge.user.id for challenge in challenges})

    async def expire(self) -> None:
        """Close expired challenges."""
        for challenge in await store.expire_challenges(self._ledger.pool, self._now_ms()):
            self._ledger.apply(Effect(messages=gone_messages(challenge, "expired")))

    async def cancel_closed(self) -> None:
        """Cancel challenges by and for closed accounts."""
        for challenge in await store.cancel_closed(self._ledger.pool):
            self._ledger.apply(Effect(messages=gone_messages(challenge, "cancelled")))

    async def _start_alone(self, user: User, proposal: Proposal, connection: Connection) -> Effect:
        terms = agree(user, proposal)
        check_sheets(terms)
        if terms.rated:
            raise Forbidden("rated: a game against yourself cannot be rated")
        as_black = proposal.color == "b"
        game = new_game(new_id(), terms, user, user, self._randbelow, pausable=True, as_black=as_black)
        game = await self._starter.start(game, connection)
        return Effect(reply={"g": game.id}, game=game)

    async def _insert(self, challenge: Challenge, connection: Connection) -> Effect:
        people = [challenge.user] if challenge.to is None else [challenge.user, challenge.to]
        await lock_open(connection, *people)
        if await store.count_challenges(connection, challenge.user.id) >= MAX_CHALLENGES:
            raise Conflict(f"you have {MAX_CHALLENGES} open invitations; cancel one first")
        await store.insert_challenge(connection, challenge)
        # The challenger is told too: their other tabs list it.
        messages = tuple((person.id, challenge_wire(challenge)) for person in people)
        return Effect(reply={"challenge": challenge.id, "url": f"/challenge/{challenge.id}"}, messages=messages)

    async def _close(
        self,
        user: User,
        challenge_id: str,
        key: str | None,
        check: Callable[[Challenge, User, int], None],
        why: Closed,
        reason: DeclineReason | None = None,
    ) -> dict[str, Any]:
        async def close(connection: Connection) -> Effect:
            challenge = await self._lock(connection, challenge_id)
            check(challenge, user, self._now_ms())
            await store.close_challenge(connection, challenge.id, why, reason=reason)
            return Effect(messages=gone_messages(challenge, why, reason))

        return await self._ledger.change(user.id, key, close)

    async def _lock(self, connection: Connection, challenge_id: str) -> Challenge:
        challenge = await store.lock_challenge(connection, challenge_id) if is_id(challenge_id) else None
        if challenge is None:
            raise NotFound(f"there is no invitation {challenge_id!r}")
        return challenge
