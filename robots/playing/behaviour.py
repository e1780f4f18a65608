"""How a robot behaves: its thinking time, its answers to offers, and when it gives up. Pure.

Scores are those of ``JobAnswer``: hundredths of a pawn or man, from the robot's side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from robots.levels import WIN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

CLOCK_PART = (0.01, 0.03)
"""Range of the part of its clock that a robot spends on a move of medium difficulty."""

LONGEST_S = 30.0
"""Longest thought of a game with a clock."""

QUICK_S = (0.3, 0.8)
"""An obvious move: the only one, or a recapture."""

UNTIMED_S = (1.0, 3.0)
"""A move without a clock."""

CORRESPONDENCE_S = (10.0, 600.0)
"""A move with days to think: within ten minutes."""

OPENING_PLIES = 6
"""Moves of both sides that are played faster."""

SHORT_S = 10.0
"""With less on the clock, speed comes first."""

DRAW_FROM_PLY = 40
"""A robot neither offers nor accepts a draw before this ply ..."""

LEVEL_SCORE = 25
"""... nor while the game is further from even than this, unless it is worse itself."""

DULL_MOVES = 6
"""Own moves in a row with an even score before it offers a draw, and between two offers four times as many."""

LOST = {("chess", "standard"): -900, ("chess", "chess960"): -900}
"""Scores at which a game is lost. In other variants only a certain loss counts: three kings may not beat one, and in
losing forms an advantage may soon be gone."""

LOST_MOVES = 4
"""Own moves in a row that a game has to be lost before the robot resigns."""

RESIGNS_FROM = 4
"""Lower levels play to the end, so that beginners can give mate."""

Control = dict[str, Any]
"""A time control of the protocol."""


class ThinkingTime(msgspec.Struct, frozen=True):
    """Time for one move, in seconds."""

    wanted_s: float
    """For a move of medium difficulty."""
    longest_s: float
    """What may be spent without risking the clock."""

    def of(self, difficulty: float, *, is_obvious: bool, chance: Random) -> float:
        """Return the time for a move of this difficulty, 0 to 1."""
        wanted_s = self.wanted_s * (0.5 + difficulty)
        if is_obvious:
            wanted_s = min(wanted_s, chance.uniform(*QUICK_S))
        return min(wanted_s, self.longest_s)


def step_s(control: Control) -> float:
    """Return the increment or delay of a time control in its first period, in seconds."""
    first = control["periods"][0] if "periods" in control else control
    return float(first.get("inc_s") or first.get("delay_s") or first.get("bronstein_s") or 0)


def thinking_time(control: Control | None, left_s: float | None, ply: int, chance: Random) -> ThinkingTime:
    """Return the time for the next move.

    Args:
        control: the robot's time control; None: no clock.
        left_s: seconds on its clock; None: no clock.
        ply: half-moves on the board.
    """
    if control is None or left_s is None:
        return ThinkingTime(chance.uniform(*UNTIMED_S), UNTIMED_S[1] * 2)
    if "move_s" in control:
        left_s = float(control["move_s"])  # anew at each visit
    if "days" in control:
        low, high = CORRESPONDENCE_S
        wanted_s = low * (high / low) ** chance.random()
        return ThinkingTime(wanted_s, high)
    step = step_s(control)
    wanted_s = left_s * chance.uniform(*CLOCK_PART) + step * chance.uniform(0.2, 0.6)
    if ply < OPENING_PLIES:
        wanted_s *= 0.5
    # A part of what is left can never use up all of it; with a second of increment the clock even grows.
    longest_s = left_s * (0.02 if left_s < SHORT_S else 0.1) + (0.4 * step if left_s > 1 else 0)
    return ThinkingTime(min(wanted_s, LONGEST_S), min(longest_s, LONGEST_S))


def is_recapture(last: str, last_notation: str, move: str) -> bool:
    """Return whether ``move`` answers the opponent's capture: in chess on the same square, in draughts by any capture.

    Args:
        last: the opponent's move in wire notation.
        last_notation: the same in SAN or PDN.
    """
    return "x" in last_notation and ("x" in move or move[2:4] == last[2:4])


def accepts_draw(score: int | None, ply: int) -> bool:
    """Return whether a robot accepts a draw. Without a score it does not know."""
    return score is not None and ply >= DRAW_FROM_PLY and score <= LEVEL_SCORE


def claims_draw(score: int) -> bool:
    """Return whether a robot claims a draw that it may claim."""
    return score <= 0


def offers_draw(scores: Sequence[int], ply: int, moves_since_offer: int) -> bool:
    """Return whether a robot offers a draw with its move.

    Args:
        scores: of its own moves so far, the last one included.
        moves_since_offer: own moves since its last offer.
    """
    recent = scores[-DULL_MOVES:]
    return (
        ply >= 2 * DRAW_FROM_PLY
        and len(recent) == DULL_MOVES
        and all(abs(score) <= LEVEL_SCORE for score in recent)
        and moves_since_offer >= 4 * DULL_MOVES
    )


def resigns(game: str, variant: str, level: int, scores: Sequence[int]) -> bool:
    """Return whether a robot resigns, given the scores of its own moves so far."""
    limit = LOST.get((game, variant), -WIN)
    recent = scores[-LOST_MOVES:]
    return level >= RESIGNS_FROM and len(recent) == LOST_MOVES and all(score <= limit for score in recent)


def clock_s(control: Control | None) -> float | None:
    """Return the estimated time of a side in seconds: base and 40 increments, or what the host of a simul has for one
    move. None: no clock, or days a move."""
    if control is None or "days" in control:
        return None
    if "move_s" in control:
        return float(control["move_s"])
    periods: Sequence[Mapping[str, Any]] = control.get("periods", (control,))
    return float(sum(period["base_s"] for period in periods)) + 40 * step_s(control)
