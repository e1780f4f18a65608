"""Conduct of each player in a game, derived from how it ended. Pure.

Only games against another person with a real-time clock count: in others nobody is kept waiting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import Color, other

if TYPE_CHECKING:
    from lobby.wire.moderation import Deed

LET_RUN_PART = 8
"""A player whose flag falls has let the clock run if the move took an eighth of the estimated time."""

LET_RUN_LEAST_MS, LET_RUN_MOST_MS = 20_000, 180_000
"""Bounds of that time: the longest thinks of a fast game, and three minutes in any game."""


class GameEnd(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended.

    Attributes:
        reason: of its ``end``.
        turn: the side to move.
        is_rated: it was agreed to be rated.
        has_begun: both players had moved, and a rated game had enough moves to count; True if unknown.
        requester: who requested the end, where the reason leaves that open; None: the server's own timer.
        estimate_ms: estimated time of the time control: base and 40 increments.
        thought_ms: time that had run on the clock of ``turn`` in this move; None: the clock was held during the move.
        waited_ms: how long a first move was waited for.
        first_move_ms: how long it may take.
        loser: who lost; None: nobody.
        fallen: whose flag alone was down at the end; None: there is none, or no clock is known. Not always that of
            ``turn``: by the Laws flags are claimed.
        is_by_laws: the game was played by the Laws.
    """

    reason: str
    turn: Color
    is_rated: bool
    has_begun: bool
    requester: Color | None
    estimate_ms: int
    thought_ms: int | None = None
    waited_ms: int = 0
    first_move_ms: int = 0
    loser: Color | None = None
    fallen: Color | None = None
    is_by_laws: bool = False


def conduct_of(ending: GameEnd) -> dict[Color, Deed]:
    """Return the conduct of each side. At most one side is at fault; in doubt neither is."""
    deeds: dict[Color, Deed] = {"w": "ok", "b": "ok"}
    found = _fault(ending)
    if found is not None:
        color, deed = found
        deeds[color] = deed
    return deeds


def _fault(ending: GameEnd) -> tuple[Color, Deed] | None:
    requester = ending.requester
    match ending.reason:
        case "aborted" if ending.is_by_laws:
            return None  # neither player came, so nobody was kept waiting
        case "aborted" if requester is None:
            return ending.turn, "no_show"
        case "aborted" if requester != ending.turn and 2 * ending.waited_ms >= ending.first_move_ms:
            # Aborting on an opponent who does not come is no fault, nor is using time that is left: otherwise one
            # player could put the other at fault.
            return None
        case "aborted":
            assert requester is not None, "the case before the last"
            return requester, "aborted"
        case "default_time" if ending.loser is not None:
            return ending.loser, "no_show"
        case "resignation" if not ending.has_begun and requester is not None:
            return requester, "aborted"
        case "timeout" | "timeout_draw" if ending.fallen == ending.turn and _is_long(ending):
            return ending.turn, "let_run"
        case "timeout" if ending.is_rated and not ending.has_begun:
            return ending.turn, "aborted"
        case "abandoned" if requester is not None:
            return other(requester), "left" if ending.has_begun else "aborted"
    return None


def _is_long(ending: GameEnd) -> bool:
    long_ms = min(max(ending.estimate_ms // LET_RUN_PART, LET_RUN_LEAST_MS), LET_RUN_MOST_MS)
    return ending.thought_ms is not None and ending.thought_ms >= long_ms
