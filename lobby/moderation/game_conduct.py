"""What each player did in a game, as far as its end tells. Pure.

Only games against somebody else with a clock that runs are looked at: in others nobody is kept waiting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import Color, other

if TYPE_CHECKING:
    from lobby.wire.moderation import Deed

LET_RUN_PART = 8
"""Whose flag falls after a move on which this part of the estimated time had run has let it run ..."""

LET_RUN_LEAST_MS, LET_RUN_MOST_MS = 20_000, 180_000
"""... but not less than the longest thoughts of a fast game, and three minutes are enough of any."""


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended.

    Attributes:
        reason: of its ``end``.
        turn: who was to move.
        is_rated: it was agreed to be rated.
        has_begun: both had moved, in a rated game so often that it counts; or it cannot be told.
        asked: who asked for the end, of those whom the reason leaves open; None: the server's own timer.
        estimate_ms: of the time control, base and 60 increments.
        thought_ms: what had run on the clock of ``turn`` since his move began; None: the server has held it since.
        waited_ms: how long a first move was waited for.
        first_move_ms: how long it may take.
    """

    reason: str
    turn: Color
    is_rated: bool
    has_begun: bool
    asked: Color | None
    estimate_ms: int
    thought_ms: int | None = None
    waited_ms: int = 0
    first_move_ms: int = 0


def deeds_of(ending: Ending) -> dict[Color, Deed]:
    """What each side did; at most one of them did something amiss. Where it cannot be told, nobody did."""
    deeds: dict[Color, Deed] = {"w": "ok", "b": "ok"}
    found = _amiss(ending)
    if found is not None:
        color, deed = found
        deeds[color] = deed
    return deeds


def _amiss(ending: Ending) -> tuple[Color, Deed] | None:
    asked = ending.asked
    match ending.reason:
        case "aborted" if asked is None:
            return ending.turn, "no_show"
        case "aborted" if asked != ending.turn and 2 * ending.waited_ms >= ending.first_move_ms:
            # Who loses patience with somebody who does not come does nothing wrong, nor does who still had time: else
            # the one could make the other guilty.
            return None
        case "aborted":
            assert asked is not None, "the case before the last"
            return asked, "aborted"
        case "resignation" if not ending.has_begun and asked is not None:
            return asked, "aborted"
        case "timeout" | "timeout_draw" if ending.thought_ms is not None and ending.thought_ms >= _long_ms(ending):
            return ending.turn, "let_run"
        case "timeout" if ending.is_rated and not ending.has_begun:
            return ending.turn, "aborted"
        case "abandoned" if asked is not None:
            return other(asked), "left" if ending.has_begun else "aborted"
    return None


def _long_ms(ending: Ending) -> int:
    return min(max(ending.estimate_ms // LET_RUN_PART, LET_RUN_LEAST_MS), LET_RUN_MOST_MS)
