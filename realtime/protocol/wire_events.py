"""Wire types of the events of a game, as in docs/protocol.md; see ``wire_types``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from game_core.color import Color
from game_core.events import Result, Ruling, Unrated
from game_core.leaps import LeapsWire

OfferKind = Literal["draw", "takeback", "rematch", "position", "colors"]
OfferAct = Literal["offer", "accept", "decline"]


class ClockWire(TypedDict):
    """Milliseconds left on both clocks at the instant ``at`` (Unix ms of the server)."""

    w: int
    b: int
    run: Color | None
    at: int
    delay_left: NotRequired[int]
    first_move_by: NotRequired[int]
    period: NotRequired[dict[Color, int]]
    moves_to_go: NotRequired[dict[Color, int | None]]
    held: NotRequired[str]


class NumberedWire(TypedDict):
    """An event of a game; ``seq`` is one higher than that of the previous one."""

    g: str
    seq: int


class MoveEventWire(NumberedWire):
    """A move; ``san`` or ``pdn`` by the game's notation. ``leaps`` is present unless it is a single step, ``draw_in``
    while a limit applies."""

    t: Literal["move"]
    ply: int
    by: Color
    move: str
    san: NotRequired[str]
    pdn: NotRequired[str]
    position: str
    check: bool
    clock: ClockWire | None
    draw: NotRequired[bool]
    leaps: NotRequired[LeapsWire]
    draw_in: NotRequired[int]


class OfferEventWire(NumberedWire):
    """An offer, or the answer to one; ``next`` is the game of a rematch."""

    t: Literal["offer"]
    what: OfferKind
    do: OfferAct
    by: Color
    next: NotRequired[str]


class TakebackEventWire(NumberedWire):
    """``plies`` half-moves were taken back; ``draw_in`` as in a move."""

    t: Literal["takeback"]
    plies: int
    position: str
    clock: ClockWire | None
    draw_in: NotRequired[int]


class ClockEventWire(NumberedWire):
    """The clocks were set; ``by`` is null for the server."""

    t: Literal["clock"]
    clock: ClockWire | None
    why: str
    by: Color | None


class EndEventWire(NumberedWire):
    """The game is over."""

    t: Literal["end"]
    result: Result
    reason: str
    clock: ClockWire | None
    ratings: dict[Color, int] | None
    unrated: NotRequired[Unrated]
    no_show: NotRequired[bool]


class TouchEventWire(NumberedWire):
    """By the Laws: the side to move has touched a piece."""

    t: Literal["touch"]
    by: Color
    square: str


class SignalEventWire(NumberedWire):
    """By the Laws: the side to move has begun or ended to adjust pieces."""

    t: Literal["signal"]
    by: Color
    on: bool


class MadeEventWire(NumberedWire):
    """By the Laws: the side to move has put a piece down and not pressed the clock; ``san`` or ``pdn`` by the game's
    notation. The move may be illegal."""

    t: Literal["made"]
    ply: int
    by: Color
    move: str
    san: NotRequired[str]
    pdn: NotRequired[str]
    position: str
    touched: Sequence[str]
    draw: bool


class RulingEventWire(NumberedWire):
    """By the Laws: a decision on an irregularity of ``by``. ``times`` is the number of their illegal moves so far,
    ``given_ms`` what the opponent gets, ``touched`` what still binds ``by``."""

    t: Literal["ruling"]
    by: Color
    what: Ruling
    move: str | None
    times: int
    given_ms: int
    touched: Sequence[str]
    clock: ClockWire | None


class SeatedEventWire(NumberedWire):
    """By the Laws: a player has come to the board."""

    t: Literal["seated"]
    by: Color


class WrittenEventWire(NumberedWire):
    """By the Laws: a player has written the move of half-move ``ply`` on their score sheet, or corrected it."""

    t: Literal["written"]
    by: Color
    ply: int
    text: str
    right: bool


class SignedEventWire(NumberedWire):
    """By the Laws: a player has signed the result."""

    t: Literal["signed"]
    by: Color


GameEventWire = (
    MoveEventWire
    | OfferEventWire
    | TakebackEventWire
    | ClockEventWire
    | EndEventWire
    | TouchEventWire
    | SignalEventWire
    | MadeEventWire
    | RulingEventWire
    | SeatedEventWire
    | WrittenEventWire
    | SignedEventWire
)
