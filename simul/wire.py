"""Wire types of simuls, as in docs/protocol.md, "A simul".

They exist for type checking: mypy checks the functions that build these dicts, and ``codegen/protocol_types.py``
generates the client's types from them.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from game_core.color import Color
from game_core.events import Result
from game_core.host_control import BoardControlWire
from game_core.leaps import LeapsWire
from game_core.time_control import ControlWire
from lobby.wire.lobby import UserWire

Mode = Literal["clock", "round"]
"""Whether the host's time runs at every board where they are to move, or only at the board where they are."""

HostColor = Literal["w", "b", "random", "alternating"]
"""The host's colour; alternating begins with White at board 1."""

SimulStatus = Literal["created", "running", "finished", "cancelled"]

BoardTurn = Literal["host", "player"]

BoardStatus = Literal["created", "live", "over"]
"""Status of a board, as of a game: created until both have moved."""

BoardEnd = Literal["draw", "resign", "abort"]
"""How the host ends a board: a draw, a loss of the host, or no result."""

SimulRole = Literal["host", "stand_in", "applicant", "player"]
"""The viewer's role."""

DrawRule = Literal["free", "none"] | int
"""When a draw may be agreed: at any time, never, or after this many moves of the host."""


HostControlWire = BoardControlWire | Literal["none"] | None
"""The host's clock in ``round`` mode: one clock for all boards, an allowance a move, or none; null: as ``tc``."""


class OfferedVariantWire(TypedDict):
    """A game that applicants may choose."""

    game: str
    variant: str


class LateJoinMoveWire(TypedDict):
    """Late joiners are accepted until the host has made this many moves at a board."""

    move: int


class LateJoinMinutesWire(TypedDict):
    """Late joiners are accepted for this many minutes."""

    minutes: int


LateJoinWire = LateJoinMoveWire | LateJoinMinutesWire | None


class ConditionsWire(TypedDict):
    """Who may join. ``members``: neither guests nor bots; ``invited``: only people on the host's list."""

    min_rating: int | None
    max_rating: int | None
    guests: bool
    members: bool
    invited: bool


class SimulTermsWire(TypedDict):
    """An announcement. ``game`` and ``variant`` are the first of ``variants``."""

    name: str
    text: str
    game: str
    variant: str
    variants: list[OfferedVariantWire]
    tc: ControlWire | None
    mode: Mode
    host_color: HostColor
    host_tc: HostControlWire
    host_extra_s: int
    host_extra_per_board_s: int
    countdown_s: int
    passes: int
    auto_next: bool
    rated: bool
    fen: str | None
    draws: DrawRule
    max_boards: int
    conditions: ConditionsWire
    auto_accept: bool
    late_join: LateJoinWire
    away_limit_s: int
    delay_s: int
    start_at: int | None


class SimulPersonWire(UserWire):
    """An applicant, or a player without a board. ``rating`` is that of the requested game.

    ``game`` and ``variant`` are present if they differ from the simul's, other fields if the host has set them.
    """

    rating: int | None
    provisional: NotRequired[bool]
    game: NotRequired[str]
    variant: NotRequired[str]
    player_extra_s: NotRequired[int]
    host_extra_s: NotRequired[int]
    color: NotRequired[Color]


class BoardClockWire(TypedDict):
    """The clock of a game without periods. In ``round`` mode the host's side is as of their last visit."""

    w: int
    b: int
    run: Color | None
    at: int
    delay_left: NotRequired[int]
    held: NotRequired[str]


class SimulBoardWire(TypedDict):
    """One board. ``color`` is the host's; ``passes`` is the number of passes left to the player.

    ``leaps`` is present if the last move was not a single step, and null in an event that resets it.

    ``game`` and ``variant`` are present if they differ from the simul's, ``later`` if it is set, extra seconds if there
    are any, ``reason`` when the game is over.
    """

    board: int
    g: str
    user: UserWire
    rating: int | None
    provisional: NotRequired[bool]
    game: NotRequired[str]
    variant: NotRequired[str]
    color: Color
    ply: int
    position: str
    last: str | None
    leaps: NotRequired[LeapsWire | None]
    clock: BoardClockWire | None
    turn: BoardTurn
    status: BoardStatus
    result: Result
    reason: NotRequired[str]
    later: NotRequired[bool]
    passes: NotRequired[int]
    player_extra_s: NotRequired[int]
    host_extra_s: NotRequired[int]


class ScoreWire(TypedDict):
    """The host's score: boards won, drawn, lost, live, and ended without a result."""

    wins: int
    draws: int
    losses: int
    live: int
    aborted: int


class FinalScoreWire(ScoreWire):
    """The score of a finished simul: the host's points in per cent, number of moves, total and average time of them,
    and the duration. ``percent`` and ``move_ms`` are null if undefined."""

    percent: float | None
    moves: int
    host_ms: int
    move_ms: int | None
    duration_ms: int


class HostClockWire(TypedDict):
    """The host's one clock for all boards: ``left`` at the instant ``at``, from which it runs if ``run``."""

    left: int
    run: bool
    at: int


class CountdownWire(TypedDict):
    """At ``until`` the clock of the player at ``board`` starts."""

    board: int
    until: int


class PreparedWire(TypedDict):
    """A player's prepared move."""

    ply: int
    move: str


class SimulOwnWire(TypedDict):
    """What only the viewer sees; ``notes`` (by board, or by user id without one) and ``invited`` only the host."""

    you: SimulRole | None
    your_board: int | None
    prepared: PreparedWire | None
    passes_left: int | None
    notes: NotRequired[dict[str, str]]
    invited: NotRequired[list[UserWire]]


class StandInWire(TypedDict):
    """Who may play for the host, whether they do, and whether the host, who is present, lets them take over."""

    stand_in: NotRequired[UserWire | None]
    acting: NotRequired[bool]
    offered: NotRequired[bool]


class SimulSnapshotWire(SimulTermsWire, SimulOwnWire, StandInWire):
    """A simul as seen by one viewer. ``players`` have no board yet; while it runs players are at ``boards``.

    ``order`` lists the boards in the order of the coming visits (``round`` mode). The fields of the
    stand-in are present if the host has named one.
    """

    t: Literal["simul"]
    simul: str
    seq: int
    host: UserWire
    status: SimulStatus
    applicants: list[SimulPersonWire]
    players: list[SimulPersonWire]
    boards: list[SimulBoardWire]
    order: list[int]
    at: int | None
    score: ScoreWire | FinalScoreWire
    host_online: bool
    away_since: int | None
    break_until: int | None
    host_clock: HostClockWire | None
    countdown: CountdownWire | None
    watchers: int
    created: int
    started: int | None
    finished: int | None
