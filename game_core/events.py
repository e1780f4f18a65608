"""Events of a game: the only source of its state, and what the journal stores.

An event carries results and not inputs: durations and remaining times, never instants, so a log replays to the same
state on any machine at any time. Its position in the log gives its sequence number.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from game_core.color import Color
from game_core.leaps import Leaps

Result = Literal["1-0", "0-1", "1/2-1/2", "*"]

EndReason = Literal[
    "checkmate",
    "stalemate",
    "dead_position",
    "resignation",
    "timeout",
    "timeout_draw",
    "agreement",
    "threefold",
    "fivefold",
    "fifty_moves",
    "seventyfive_moves",
    "no_moves",
    "all_captured",
    "draw_rule",
    "goal",
    "abandoned",
    "aborted",
    "illegal_move",
    "default_time",
    "arbiter",
    "claim",
]
"""All reasons of the protocol for the end of a game."""

Unrated = Literal["limit", "short", "later"]
"""Why a game that was agreed to be rated changes no rating: the two have played as many games as count, it has too few
moves, or ratings change later, when the public may see the end."""


class ClockReading(msgspec.Struct, frozen=True, omit_defaults=True):
    """Both clocks at the instant an event became visible, in milliseconds."""

    w: int
    b: int
    run: Color | None = None
    """The side whose time runs after the event."""
    period: tuple[int, int] | None = None
    """Index of each side's period, if the control has several."""
    moves: tuple[int, int] | None = None
    """Moves of each side that count towards the control, if it has several periods."""
    held: str | None = None
    """Why the clocks are held although the game continues."""
    spent: int = 0
    """Delay modes: how much of the present move's delay (Bronstein: of its time) is used already."""


class Event(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """Base of all events."""


class Moved(Event, frozen=True, tag="move"):
    ply: int
    by: Color
    move: str
    san: str
    """The move in the game's own notation: SAN for chess, PDN for draughts."""
    position: str
    check: bool = False
    clock: ClockReading | None = None
    draw: bool = False
    spent_ms: int = 0
    """Time charged for this move since the last event with a clock, in ms."""
    lag_ms: int = 0
    """Lag forgiven for this move; the lag quota is rebuilt from it."""
    leaps: Leaps | None = None
    """The piece's path; None for a single step."""
    draw_in: int | None = None
    """Moves of each side until a limit draws the game; None while none applies."""


class Offered(Event, frozen=True, tag="offer"):
    what: Literal["draw", "takeback", "rematch"]
    do: Literal["offer", "accept", "decline"]
    by: Color
    next: str | None = None


class TakenBack(Event, frozen=True, tag="takeback"):
    plies: int
    position: str
    clock: ClockReading | None = None
    draw_in: int | None = None
    """As in a move, for the position that was returned to."""


class ClockSet(Event, frozen=True, tag="clock"):
    clock: ClockReading
    why: str
    by: Color | None = None


class Ended(Event, frozen=True, tag="end"):
    result: Result
    reason: str
    clock: ClockReading | None = None
    ratings: dict[Color, int] | None = None
    unrated: Unrated | None = None
    no_show: bool = False
    """The game was aborted because the side to move did not make its first move in time."""


AnyEvent = Moved | Offered | TakenBack | ClockSet | Ended
