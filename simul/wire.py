"""How exhibitions look on the wire: the messages of docs/protocol.md, "A simul", as types.

They cost nothing at run time: mypy checks the functions that build these maps against them, and
``codegen/protocol_types.py`` writes the client's types from them.
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
"""Whether the host's time runs on every board where he is to move, or only where he is."""

HostColor = Literal["w", "b", "random", "alternating"]
"""What the host plays: alternating, beginning with White at board 1."""

SimulStatus = Literal["created", "running", "finished", "cancelled"]

BoardTurn = Literal["host", "player"]

BoardStatus = Literal["created", "live", "over"]
"""As of a game: created until both have moved."""

BoardEnd = Literal["draw", "resign", "abort"]
"""What becomes of a board that the host ends: a draw, his loss, or no game."""

SimulRole = Literal["host", "applicant", "player"]
"""What the viewer is here."""

DrawRule = Literal["free", "none"] | int
"""When a draw may be agreed: at any time, never, or once the host has made so many moves."""


HostControlWire = BoardControlWire | Literal["none"] | None
"""The host's in ``round`` mode: one clock for all boards, an allowance a move, no clock; null: as ``tc``."""


class OfferedVariantWire(TypedDict):
    """A game that is offered; an applicant chooses one."""

    game: str
    variant: str


class LateJoinMoveWire(TypedDict):
    """Late joiners are let in until the host has made so many moves at a board."""

    move: int


class LateJoinMinutesWire(TypedDict):
    """Late joiners are let in for so many minutes."""

    minutes: int


LateJoinWire = LateJoinMoveWire | LateJoinMinutesWire | None


class ConditionsWire(TypedDict):
    """Who may join. ``members``: neither guests nor bots; ``invited``: only who is on the host's list."""

    min_rating: int | None
    max_rating: int | None
    guests: bool
    members: bool
    invited: bool


class SimulTermsWire(TypedDict):
    """What is announced; ``game`` and ``variant`` are the first of ``variants``."""

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
    """An applicant, or a player who has no board yet; his ``rating`` is that of the game he asks for.

    ``game`` and ``variant`` are there where they differ from the exhibition's, the rest where the host has set it.
    """

    rating: int | None
    provisional: NotRequired[bool]
    game: NotRequired[str]
    variant: NotRequired[str]
    player_extra_s: NotRequired[int]
    host_extra_s: NotRequired[int]
    color: NotRequired[Color]


class BoardClockWire(TypedDict):
    """As the clock of a game, without periods. In ``round`` mode the host's side is that of his last visit."""

    w: int
    b: int
    run: Color | None
    at: int
    delay_left: NotRequired[int]
    held: NotRequired[str]


class SimulBoardWire(TypedDict):
    """One board. ``color`` is the host's; ``passes`` are left to the player.

    ``leaps`` is there where the last move was no plain step, and null in an event after which it is one again.

    ``game`` and ``variant`` are there where they differ from the exhibition's, ``later`` where it is set, extra seconds
    where there are any, ``reason`` when the game is over.
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
    """The host's: boards won, drawn and lost, still played, and ended without a result."""

    wins: int
    draws: int
    losses: int
    live: int
    aborted: int


class FinalScoreWire(ScoreWire):
    """Of a finished exhibition: the host's points in per cent, his moves, the time they took him and one of them on
    average, and how long it all took. ``percent`` and ``move_ms`` are null where there is nothing to divide by."""

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
    """At ``until`` the clock of the player at ``board`` begins to run."""

    board: int
    until: int


class PreparedWire(TypedDict):
    """The move a player has ready for when the host comes."""

    ply: int
    move: str


class SimulOwnWire(TypedDict):
    """What only the viewer is told; ``notes`` (by board, or by user id without one) and ``invited`` the host alone."""

    you: SimulRole | None
    your_board: int | None
    prepared: PreparedWire | None
    passes_left: int | None
    notes: NotRequired[dict[str, str]]
    invited: NotRequired[list[UserWire]]


class SimulSnapshotWire(SimulTermsWire, SimulOwnWire):
    """An exhibition as one viewer may see it. ``players`` have no board yet: while it runs they are at ``boards``.

    ``order`` are the boards in the order in which the host will come to them (``round`` mode).
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
