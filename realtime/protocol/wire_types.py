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
from game_core.laws.terms import LawsTermsWire
from game_core.leaps import LeapsWire
from game_core.time_control import ControlWire, Speed
from lobby.wire.lobby import ChatLineWire, RoomName, UserWire
from realtime.protocol.wire_events import ClockWire

Status = Literal["created", "live", "over"]
LawsKind = Literal["blitz", "rapid", "standard"]
"""What the Laws call a game by its time control. The speeds of the server are others."""

# --- a game ------------------------------------------------------------------------------------------


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
    """The side that has an open offer of each kind; ``position`` and ``colors`` are present by the Laws only."""

    draw: Color | None
    takeback: Color | None
    rematch: Color | None
    position: NotRequired[Color | None]
    colors: NotRequired[Color | None]


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


class MadeMoveWire(TypedDict):
    """A move that is made and not completed; ``san`` or ``pdn`` by the game's notation."""

    move: str
    san: NotRequired[str]
    pdn: NotRequired[str]
    position: str
    draw: bool


class SheetEntryWire(TypedDict):
    """A move as a player wrote it; ``right``: it is the one that was played."""

    text: str
    right: bool


class LawsWire(LawsTermsWire):
    """The state of a game by the Laws as played over a board. ``bound`` is sent to the side to move: the moves that the
    pieces touched leave; null: all. ``positions`` are those after completed illegal moves, each with the number of
    half-moves before it. ``sheets`` is null unless the players write them."""

    kind: LawsKind
    rulings: Literal["at_once", "by_claim"]
    flag: Literal["server", "claim"]
    seated: dict[Color, bool]
    adjusting: bool
    touched: Sequence[str]
    bound: Sequence[str] | None
    made: MadeMoveWire | None
    illegal: dict[Color, int]
    may_claim: bool
    positions: Sequence[tuple[int, str]]
    sheets: dict[Color, list[SheetEntryWire]] | None
    signed: dict[Color, bool]


class GameSnapshotWire(GameTermsWire):
    """A game as seen by one viewer. ``leaps`` is parallel to ``moves``, null for single steps, and absent if all are;
    ``legal_leaps`` are the paths of legal moves that are not single steps; ``draw_in`` is present while a limit
    applies; ``pausable`` in games whose players may stop the clocks; ``hints`` in those in which the opponent of a
    robot may ask for hints; ``laws`` in games by the Laws as played over a board."""

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
    laws: NotRequired[LawsWire]
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
    absent if all are; ``bound`` is as in ``laws`` of a snapshot, and present in games by the Laws."""

    t: Literal["legal"]
    g: str
    ply: int
    legal: list[str]
    leaps: NotRequired[dict[str, list[LeapsWire]]]
    bound: NotRequired[Sequence[str] | None]


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
    """A line of a list of games. ``simul`` is that of which it is a board; ``laws`` has the terms of a game by the Laws
    as played over a board."""

    players: dict[Color, SeatWire]
    status: Status
    result: Result
    reason: str | None
    ratings: dict[Color, int] | None
    plies: int
    created: int
    ended: int | None
    simul: NotRequired[str]
    laws: NotRequired[LawsTermsWire]


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
