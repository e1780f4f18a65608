"""What has happened in a game: the only source of its state, and what the journal stores.

An event carries results, not inputs: durations and remaining times, never instants, so a log replays to
the same state on any machine at any time. Each has a sequence number given by its place in the log.
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
"""Every way the protocol knows for a game to end."""

Unrated = Literal["limit", "short", "later"]
"""Why the end of a game that was agreed to be rated changes no rating: the two have played as many as count, they have
made too few moves, or it changes them later, when the public may see the end."""


class ClockReading(msgspec.Struct, frozen=True, omit_defaults=True):
    """Both clocks at the instant an event became visible, in milliseconds."""

    w: int
    b: int
    run: Color | None = None
    """Whose time is running once the event is out."""
    period: tuple[int, int] | None = None
    """Index of the period each side is in, where the control has several."""
    moves: tuple[int, int] | None = None
    """Moves that counted towards the control, a side, where the control has several periods."""
    held: str | None = None
    """Why the clocks stand although the game goes on."""
    spent: int = 0
    """Delay modes: how much of the present move's delay (Bronstein: of its time) is used up already."""


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
    """Time charged for this move, in ms, since the last event with a clock."""
    lag_ms: int = 0
    """Time forgiven for the network; the lag quota is rebuilt from it."""
    leaps: Leaps | None = None
    """How the piece went; None for a plain step."""
    draw_in: int | None = None
    """After how many more moves of each side a limit makes it a draw; None while none counts."""


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
    """As of a move, in the position that was come back to."""


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


AnyEvent = Moved | Offered | TakenBack | ClockSet | Ended
