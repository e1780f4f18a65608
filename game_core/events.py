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
    "both_flags",
    "wrong_position",
    "wrong_colors",
]
"""All reasons of the protocol for the end of a game."""

OfferKind = Literal["draw", "takeback", "rematch", "position", "colors"]
"""What is offered. The last two only by the Laws: to play anew, because that was wrong at the start."""

Ruling = Literal["illegal_move", "promotion", "no_move", "wrong_claim", "correction"]
"""What a ruling was about: an illegal move, a promotion without a piece, the clock pressed without a move, a wrong
claim of a draw, an irregular move of draughts that the opponent had corrected."""

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
    irregular: bool = False
    """By the Laws: an illegal move that the opponent may claim or let stand. Only ``position`` tells what it did."""


class Touched(Event, frozen=True, tag="touch"):
    """By the Laws: the side to move has touched a piece (4.3)."""

    by: Color
    square: str


class Signalled(Event, frozen=True, tag="signal"):
    """By the Laws: the side to move has said that it adjusts pieces, or that it has done so (4.2)."""

    by: Color
    on: bool


class Made(Event, frozen=True, tag="made"):
    """By the Laws: a piece was put down. The move is completed when the clock is pressed (6.7a)."""

    ply: int
    by: Color
    move: str
    san: str
    """As in ``Moved``, without marks of check if the move is illegal."""
    position: str
    """The position as the pieces lie."""
    touched: tuple[str, ...]
    """Squares of all pieces touched on this turn."""
    draw: bool = False
    irregular: bool = False
    """It is illegal. Nobody is told before the clock is pressed."""


class Ruled(Event, frozen=True, tag="ruling"):
    """By the Laws: a decision on an irregularity of ``by``, whose turn it is after it."""

    by: Color
    what: Ruling
    move: str | None
    """The move that was taken back, or the intended one of a claim."""
    times: int
    """Illegal moves of ``by`` so far."""
    given_ms: int
    """What the opponent gets; already on their clock."""
    touched: tuple[str, ...]
    """Squares of the pieces whose touch binds ``by`` again."""
    clock: ClockReading | None = None


class Seated(Event, frozen=True, tag="seated"):
    """By the Laws: a player has come to the board (6.6)."""

    by: Color


class WrittenDown(Event, frozen=True, tag="written"):
    """By the Laws: a player has written half-move ``ply`` on their score sheet, or corrected it (8.1)."""

    by: Color
    ply: int
    text: str
    right: bool
    """It names the move that was played, with ``(=)`` if a draw was offered with it."""


class Signed(Event, frozen=True, tag="signed"):
    """By the Laws: a player has signed the result (8.7)."""

    by: Color


class Offered(Event, frozen=True, tag="offer"):
    what: OfferKind
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


ClockEvent = Moved | TakenBack | ClockSet | Ended | Ruled
"""Events that carry the clocks, in games that have some."""

AnyEvent = ClockEvent | Offered | Touched | Signalled | Made | Seated | WrittenDown | Signed
