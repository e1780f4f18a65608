"""Wire types of games and of the socket, as in docs/protocol.md.

They exist for type checking: mypy checks the functions that build these dicts, and ``codegen/protocol_types.py``
generates the client's types from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict

from game_core.color import Color
from game_core.errors import ErrorCode
from game_core.events import Result, Unrated
from game_core.host_control import BoardControlWire
from game_core.leaps import LeapsWire
from game_core.time_control import ControlWire, Speed
from lobby.wire.lobby import ChatLineWire, RoomName, UserWire

Status = Literal["created", "live", "over"]
OfferKind = Literal["draw", "takeback", "rematch"]
OfferAct = Literal["offer", "accept", "decline"]

# --- a game ------------------------------------------------------------------------------------------


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


class SeatWire(TypedDict):
    """One side in a list of games."""

    user: UserWire
    rating: int | None
    provisional: bool | None


class PlayerWire(SeatWire):
    """One side of a game."""

    online: bool
    country: NotRequired[str]


class OffersWire(TypedDict):
    """The side that has an open offer of each kind."""

    draw: Color | None
    takeback: Color | None
    rematch: Color | None


class MatchWire(TypedDict):
    """The match before this game: number of games, and points of the present White and Black."""

    games: int
    w: float
    b: float


class GameTermsWire(TypedDict):
    """Agreed terms. If the sides have different controls ``tcs`` has both, and ``tc`` is White's, in a simul the
    participant's. ``delay_s`` or ``delay_moves`` is the public delay, if there is one. ``simul_host`` is the side of
    the host at a board of a simul."""

    g: str
    game: str
    variant: str
    rated: bool
    rules: str
    speed: Speed
    tc: ControlWire | None
    tcs: NotRequired[dict[Color, BoardControlWire | None]]
    delay_s: NotRequired[int]
    delay_moves: NotRequired[int]
    simul_host: NotRequired[Color]


class GameSnapshotWire(GameTermsWire):
    """A game as seen by one viewer. ``leaps`` is parallel to ``moves``, null for single steps, and absent if all are;
    ``legal_leaps`` are the paths of legal moves that are not single steps; ``draw_in`` is present while a limit
    applies; ``pausable`` in games whose players may stop the clocks; ``hints`` in those in which the opponent of a
    robot may ask for hints."""

    t: Literal["game"]
    seq: int
    players: dict[Color, PlayerWire]
    you: Color | None
    fen: str | None
    moves: Sequence[str]
    notation: Sequence[str]
    times: Sequence[int]
    position: str
    turn: Color
    leaps: NotRequired[list[LeapsWire | None]]
    draw_in: NotRequired[int]
    legal: NotRequired[list[str]]
    legal_leaps: NotRequired[dict[str, list[LeapsWire]]]
    pausable: NotRequired[bool]
    hints: NotRequired[bool]
    clock: ClockWire | None
    offers: OffersWire
    status: Status
    result: Result
    reason: str | None
    ratings: NotRequired[dict[Color, int]]
    unrated: NotRequired[Unrated]
    no_show: NotRequired[bool]
    watchers: int
    simul: str | None
    next: str | None
    match: MatchWire | None


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


GameEventWire = MoveEventWire | OfferEventWire | TakebackEventWire | ClockEventWire | EndEventWire


class HoldWire(TypedDict):
    """The clocks are held."""

    t: Literal["hold"]
    g: str
    why: str


class TickWire(TypedDict):
    """About once a second while a clock runs, and when the time for a first move begins again."""

    t: Literal["tick"]
    g: str
    clock: ClockWire


class LegalWire(TypedDict):
    """Sent to the player to move, if they asked for it. ``leaps`` are the paths of moves that are not single steps, and
    absent if all are."""

    t: Literal["legal"]
    g: str
    ply: int
    legal: list[str]
    leaps: NotRequired[dict[str, list[LeapsWire]]]


class CrowdWire(TypedDict):
    """The number of spectators, the players who are present, and the ms until an absent one may be claimed against."""

    t: Literal["crowd"]
    topic: str
    watchers: int
    online: dict[Color, bool]
    left: dict[Color, int | None]


class PlayerChangeWire(TypedDict):
    """The player of ``color`` has another name or kind."""

    t: Literal["player"]
    g: str
    color: Color
    user: UserWire


class HintAskedWire(TypedDict):
    """To the robot of a game only: its opponent, who is to move after ``ply`` half-moves, asks for a hint."""

    t: Literal["hint.asked"]
    g: str
    ply: int


class RatedWire(TypedDict):
    """A delayed game has counted now, or turned out not to count."""

    t: Literal["rated"]
    g: str
    ratings: dict[Color, int] | None
    unrated: Unrated | None


GameHintWire = HoldWire | TickWire | LegalWire | CrowdWire | PlayerChangeWire | RatedWire | HintAskedWire


class ChatMessageWire(ChatLineWire):
    """A new line of chat."""

    t: Literal["chat"]
    topic: str
    room: RoomName


class ChatLinesWire(TypedDict):
    """Earlier lines of chat, which replace those the client has."""

    t: Literal["chat.lines"]
    topic: str
    room: RoomName
    lines: list[ChatLineWire]


# --- lists of games ----------------------------------------------------------------------------------


class ListedGameWire(GameTermsWire):
    """A line of a list of games. ``simul`` is that of which it is a board."""

    players: dict[Color, SeatWire]
    status: Status
    result: Result
    reason: str | None
    ratings: dict[Color, int] | None
    plies: int
    created: int
    ended: int | None
    simul: NotRequired[str]


class LiveGameWire(ListedGameWire):
    """A line of the list of games in play. ``boards`` is the number of boards in play of its simul, all of which this
    line stands for."""

    position: str
    last: str | None
    turn: Color
    watchers: int
    clock: ClockWire | None
    boards: NotRequired[int]


# --- the socket --------------------------------------------------------------------------------------


class WelcomeWire(TypedDict):
    """The server's first message."""

    t: Literal["welcome"]
    v: int
    user: UserWire | None
    now: int
    games: list[str]
    simuls: NotRequired[list[str]]
    limits: dict[str, Any]


class ErrorMessageWire(TypedDict):
    """A request that was refused."""

    t: Literal["error"]
    id: NotRequired[int]
    code: ErrorCode
    message: str
