"""How games look on the wire, and what HTTP answers: the messages of docs/protocol.md as types.

They cost nothing at run time: mypy checks the functions that build these maps against them, and
``codegen/protocol_types.py`` writes the client's types from them.
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
from lobby.accounts.preferences import Setting
from lobby.wire.lobby import (
    ChallengeAwayWire,
    ChallengeGoneWire,
    ChallengeWire,
    ChatLineWire,
    PairedWire,
    PoolGoneWire,
    PoolWire,
    RoomName,
    UserWire,
)
from lobby.wire.moderation import NoticeWire
from lobby.wire.ratings import RatingWire

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


class OffersWire(TypedDict):
    """Whose offer of each kind is open."""

    draw: Color | None
    takeback: Color | None
    rematch: Color | None


class MatchWire(TypedDict):
    """The games of a rematch's match before this one, and the points of those who are White and Black now."""

    games: int
    w: float
    b: float


class GameTermsWire(TypedDict):
    """What was agreed. Where the sides have different controls ``tcs`` tells both, and ``tc`` is White's, in an
    exhibition the participant's. Where the public sees the game later, ``delay_s`` or ``delay_moves`` says how much."""

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


class GameSnapshotWire(GameTermsWire):
    """A game as one viewer may see it. ``leaps`` is parallel to ``moves``, null for plain steps, and there only where
    not all are; ``legal_leaps`` are the ways of those legal moves that are no plain steps; ``draw_in`` is there while a
    limit counts."""

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
    clock: ClockWire | None
    offers: OffersWire
    status: Status
    result: Result
    reason: str | None
    ratings: NotRequired[dict[Color, int]]
    unrated: NotRequired[Unrated]
    watchers: int
    simul: str | None
    next: str | None
    match: MatchWire | None


class NumberedWire(TypedDict):
    """An event of a game; ``seq`` is one higher than the last."""

    g: str
    seq: int


class MoveEventWire(NumberedWire):
    """A move; ``san`` or ``pdn``, as the game's notation is. ``leaps`` is there where it is no plain step, ``draw_in``
    while a limit counts."""

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
    """``plies`` half-moves are taken back; ``draw_in`` as of a move."""

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


GameEventWire = MoveEventWire | OfferEventWire | TakebackEventWire | ClockEventWire | EndEventWire


class HoldWire(TypedDict):
    """The clocks stand."""

    t: Literal["hold"]
    g: str
    why: str


class TickWire(TypedDict):
    """About once a second while a clock runs."""

    t: Literal["tick"]
    g: str
    clock: ClockWire


class LegalWire(TypedDict):
    """To the player whose turn it is, if he asked for it. ``leaps`` are the ways of the moves that are no plain steps,
    and there only if there are such."""

    t: Literal["legal"]
    g: str
    ply: int
    legal: list[str]
    leaps: NotRequired[dict[str, list[LeapsWire]]]


class CrowdWire(TypedDict):
    """How many watch, which players are here, and in how many ms one who left may be claimed against."""

    t: Literal["crowd"]
    topic: str
    watchers: int
    online: dict[Color, bool]
    left: dict[Color, int | None]


class PlayerChangeWire(TypedDict):
    """Who plays ``color`` is called something else now, or counts as something else."""

    t: Literal["player"]
    g: str
    color: Color
    user: UserWire


class RatedWire(TypedDict):
    """A game that the public sees later has counted now, or it turned out that it does not."""

    t: Literal["rated"]
    g: str
    ratings: dict[Color, int] | None
    unrated: Unrated | None


GameHintWire = HoldWire | TickWire | LegalWire | CrowdWire | PlayerChangeWire | RatedWire


class ChatMessageWire(ChatLineWire):
    """A line as it is said."""

    t: Literal["chat"]
    topic: str
    room: RoomName


class ChatLinesWire(TypedDict):
    """What was said before one came; it replaces whatever the client has."""

    t: Literal["chat.lines"]
    topic: str
    room: RoomName
    lines: list[ChatLineWire]


# --- the socket --------------------------------------------------------------------------------------


class WelcomeWire(TypedDict):
    """The server speaks first."""

    t: Literal["welcome"]
    v: int
    user: UserWire | None
    now: int
    games: list[str]
    limits: dict[str, Any]


class ErrorMessageWire(TypedDict):
    """A request that was refused."""

    t: Literal["error"]
    id: NotRequired[int]
    code: ErrorCode
    message: str


PersonalWire = PairedWire | ChallengeWire | ChallengeGoneWire | ChallengeAwayWire | PoolWire | PoolGoneWire | NoticeWire

# --- HTTP --------------------------------------------------------------------------------------------


class ListedGameWire(GameTermsWire):
    """A line of a list of games."""

    players: dict[Color, SeatWire]
    status: Status
    result: Result
    reason: str | None
    ratings: dict[Color, int] | None
    plies: int
    created: int
    ended: int | None


class LiveGameWire(ListedGameWire):
    """A line of the list of games being played."""

    position: str
    last: str | None
    turn: Color
    watchers: int
    clock: ClockWire | None


class GamesPageWire(TypedDict):
    """``GET /api/v1/games``; ``next`` as ``before`` gives the page after it."""

    games: list[ListedGameWire]
    next: str | None


class LiveGamesWire(TypedDict):
    """``GET /api/v1/games?live=1``."""

    games: list[LiveGameWire]
    next: None


class ResultsWire(TypedDict):
    """Finished games against others."""

    won: int
    drawn: int
    lost: int
    total: int


class ProfileWire(TypedDict):
    """``GET /api/v1/users/{name}``; ``playing`` is the newest game that is not over."""

    user: UserWire
    created: int
    closed: bool
    online: bool
    playing: str | None
    ratings: dict[str, RatingWire]
    games: ResultsWire


class VersusWire(TypedDict):
    """``GET /api/v1/users/{name}/versus/{other}``; ``games`` as ``user`` has it."""

    user: UserWire
    other: UserWire
    games: ResultsWire


class SearchResultWire(TypedDict):
    """``GET /api/v1/search``."""

    users: list[UserWire]
    game: str | None


class MySettingsWire(TypedDict):
    """``GET`` and ``PUT /api/v1/me/settings``."""

    settings: dict[str, Setting]


class StatusWire(TypedDict):
    """``GET /healthz`` and ``/readyz``."""

    status: str


class FailureBodyWire(TypedDict):
    """What is in a failure."""

    code: ErrorCode
    message: str


class FailureWire(TypedDict):
    """Every answer with a status of 400 or more."""

    error: FailureBodyWire
