"""Challenges: an offer to play, for anyone with the link or for one person by name.

open ──accept──> accepted (has a game)
  ├───decline──> declined      by the recipient
  ├───cancel───> cancelled     by the challenger
  └───time─────> expired
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from game_core.time_control import format_time_control
from lobby.accounts.user import User, user_wire
from lobby.errors import BadMessage, Conflict, Forbidden
from lobby.proposals import Proposal, Range, Terms, agree, check_client, rating_range, terms_of_wire, terms_wire
from lobby.robots.robot_accounts import HINT_LEVELS, LEVELS
from lobby.wire.lobby import Closed, DeclineReason, Wish

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lobby.wire.lobby import (
        ChallengeAwayWire,
        ChallengeCardWire,
        ChallengeGoneWire,
        ChallengeTermsWire,
        ChallengeWire,
    )

DAY_MS = 86_400_000

OPEN_MS = DAY_MS
"""Lifetime of a challenge by link."""

DIRECT_MS = 14 * DAY_MS
"""Lifetime of a challenge by name: 14 days."""

MAX_CHALLENGES = 20
"""Open challenges of one person: enough for an evening at a club, too few to spam a server."""

SELF = "self"
ROBOT = "robot"


class Challenge(msgspec.Struct, frozen=True, kw_only=True):
    """One challenge, open or answered."""

    id: str
    user: User
    """The challenger."""
    to: User | None
    """The recipient; None: the first person who follows the link."""
    terms: Terms
    color: Wish
    """The colour the challenger wants."""
    expires_ms: int
    """Unix ms."""
    opponents: Range = Range()
    closed: Closed | None = None
    game: str | None = None
    """The game that was started."""
    reason: DeclineReason | None = None
    """Why it was declined."""


def new_challenge(challenge_id: str, user: User, to: User | None, proposal: Proposal, now_ms: int) -> Challenge:
    """Return the challenge that ``proposal`` asks for. Raises like ``agree`` and ``rating_range``."""
    return Challenge(
        id=challenge_id,
        user=user,
        to=to,
        terms=agree(user, proposal),
        color=proposal.color,
        expires_ms=now_ms + (OPEN_MS if to is None else DIRECT_MS),
        opponents=rating_range(proposal),
    )


def check_level(to: str | None, level: int | None) -> None:
    """Check that ``level`` exists, and that a challenge to the robot has one. Raises ``BadMessage``."""
    if level is not None and level not in LEVELS:
        raise BadMessage(f"level: expected {LEVELS[0]} to {LEVELS[-1]}")
    if to == ROBOT and level is None:
        raise BadMessage(f"level: a game against the robot needs one, {LEVELS[0]} to {LEVELS[-1]}")


def check_hints(user: User, to: str | None, level: int | None, terms: Terms) -> None:
    """Check that ``user`` may have hints against ``to`` of ``level``. Raises ``BadMessage`` or ``Forbidden``."""
    if to != ROBOT or level not in HINT_LEVELS:
        raise BadMessage(f"hints: only against the robot of levels {HINT_LEVELS[0]} to {HINT_LEVELS[-1]}")
    if user.kind == "bot":
        raise Forbidden("hints: bots get none")
    if terms.laws is not None:
        raise BadMessage("hints: not in a game by the Laws as played over a board")


def check_accept(challenge: Challenge, user: User, rating: int | None, now_ms: int, *, laws: bool) -> None:
    """Check that ``user``, who has ``rating``, may accept ``challenge``; ``laws``: their client knows the Laws.

    Raises:
        Forbidden: it is their own, for somebody else, or for other ratings.
        Unsupported: it is for a game by the Laws.
        Conflict: it is no longer open.
    """
    if challenge.user.id == user.id:
        raise Forbidden("this is your own invitation; share its link")
    if challenge.to is not None and challenge.to.id != user.id:
        raise Forbidden(f"this invitation is for {challenge.to.name}")
    if challenge.terms.rated and user.kind == "guest":
        raise Forbidden("guests can play casual games only")
    if rating not in challenge.opponents:
        raise Forbidden("your rating is outside the range of this invitation")
    check_client(challenge.terms, laws=laws)
    check_open(challenge, now_ms)


def check_decline(challenge: Challenge, user: User, now_ms: int) -> None:
    """Check that ``user`` may decline ``challenge``. Raises ``Forbidden`` or ``Conflict``."""
    if challenge.to is None or challenge.to.id != user.id:
        raise Forbidden("only the invited user can decline")
    check_open(challenge, now_ms)


def check_cancel(challenge: Challenge, user: User, now_ms: int) -> None:
    """Check that ``user`` may cancel ``challenge``. Raises ``Forbidden`` or ``Conflict``."""
    if challenge.user.id != user.id:
        raise Forbidden("only the sender can cancel it")
    check_open(challenge, now_ms)


def check_open(challenge: Challenge, now_ms: int) -> None:
    """Check that ``challenge`` is open. Raises ``Conflict``."""
    if challenge.closed == "accepted":
        raise Conflict("this invitation has already been accepted")
    if challenge.closed is not None:
        raise Conflict(f"this invitation {'has' if challenge.closed == 'expired' else 'was'} {challenge.closed}")
    if challenge.expires_ms <= now_ms:
        raise Conflict("this invitation has expired")


def challenge_wire(challenge: Challenge) -> ChallengeWire:
    """Return the ``challenge`` message, with the start position if there is one."""
    return {"t": "challenge", **_challenge_terms(challenge)}


def _challenge_terms(challenge: Challenge) -> ChallengeTermsWire:
    return {
        "challenge": challenge.id,
        "from": user_wire(challenge.user),
        "to": None if challenge.to is None else user_wire(challenge.to),
        **terms_wire(challenge.terms),
        "opponent_tc": format_time_control(challenge.terms.opponent_tc),
        "fen": challenge.terms.fen,
        "color": challenge.color,
        "expires": challenge.expires_ms,
    }


def challenge_card(challenge: Challenge, now_ms: int) -> ChallengeCardWire:
    """Return what the page of a challenge's link shows: the challenge, and whether it is open or has a game."""
    expired: Closed | None = "expired" if challenge.expires_ms <= now_ms else None
    return {
        **_challenge_terms(challenge),
        "status": challenge.closed or expired or "open",
        "g": challenge.game,
        "reason": challenge.reason,
    }


def away_messages(challenges: Iterable[Challenge], *, away: bool) -> tuple[tuple[str, ChallengeAwayWire], ...]:
    """Return a ``challenge.away`` message for the recipient of each challenge by name, with their user id."""
    return tuple(
        (challenge.to.id, {"t": "challenge.away", "challenge": challenge.id, "away": away})
        for challenge in challenges
        if challenge.to is not None
    )


def gone_messages(
    challenge: Challenge, why: Closed, reason: DeclineReason | None = None
) -> tuple[tuple[str, ChallengeGoneWire], ...]:
    """Return ``challenge.gone`` messages for both people concerned, with their user ids."""
    message: ChallengeGoneWire = {"t": "challenge.gone", "challenge": challenge.id, "why": why}
    if reason is not None:
        message["reason"] = reason
    people = [challenge.user] if challenge.to is None else [challenge.user, challenge.to]
    return tuple((user.id, message) for user in people)


def challenge_spec(challenge: Challenge) -> dict[str, Any]:
    """Return the JSON that is stored of a challenge beside its columns."""
    return terms_wire(challenge.terms) | {
        "opponent_tc": format_time_control(challenge.terms.opponent_tc),
        "fen": challenge.terms.fen,
        "color": challenge.color,
        "min_rating": challenge.opponents.low,
        "max_rating": challenge.opponents.high,
    }


def challenge_of_spec(
    challenge_id: str,
    user: User,
    to: User | None,
    spec: dict[str, Any],
    expires_ms: int,
    closed: Closed | None,
    game: str | None,
    reason: DeclineReason | None,
) -> Challenge:
    """Rebuild a challenge from its row: the inverse of ``challenge_spec``."""
    return Challenge(
        id=challenge_id,
        user=user,
        to=to,
        terms=terms_of_wire(spec),
        color=spec["color"],
        expires_ms=expires_ms,
        opponents=Range(spec["min_rating"], spec["max_rating"]),
        closed=closed,
        game=game,
        reason=reason,
    )
