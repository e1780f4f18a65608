"""Wire types of a simul's numbered events and unnumbered messages, as in docs/protocol.md."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from game_core.color import Color
from game_core.events import Result
from game_core.leaps import LeapsWire
from lobby.wire.lobby import UserWire
from simul.wire import (
    BoardClockWire,
    BoardStatus,
    BoardTurn,
    FinalScoreWire,
    HostClockWire,
    ScoreWire,
    SimulBoardWire,
    SimulOwnWire,
    SimulPersonWire,
    SimulStatus,
    SimulTermsWire,
)


class SimulNumberedWire(TypedDict):
    """An event of a simul; ``seq`` is one higher than that of the previous one."""

    simul: str
    seq: int


class SimulJoinedWire(SimulNumberedWire):
    """A person has applied."""

    t: Literal["simul.joined"]
    user: SimulPersonWire


class SimulLeftWire(SimulNumberedWire):
    """An applicant or player has left."""

    t: Literal["simul.left"]
    user: UserWire


class SimulAcceptedWire(SimulNumberedWire):
    """An applicant was accepted as a player."""

    t: Literal["simul.accepted"]
    user: SimulPersonWire


class SimulRejectedWire(SimulNumberedWire):
    """The host has rejected an applicant."""

    t: Literal["simul.rejected"]
    user: UserWire


class SimulKickedWire(SimulNumberedWire):
    """The host has removed an applicant or player, who cannot apply again."""

    t: Literal["simul.kicked"]
    user: UserWire


class SimulEditedWire(SimulNumberedWire):
    """The whole announcement after a change, or ``person``: the entry of one player or applicant."""

    t: Literal["simul.edited"]
    terms: NotRequired[SimulTermsWire]
    stand_in: NotRequired[UserWire | None]
    person: NotRequired[SimulPersonWire]


class SimulStartedWire(SimulNumberedWire):
    """The simul starts. ``applicants`` is present, and empty, if no applicants are left."""

    t: Literal["simul.started"]
    status: SimulStatus
    applicants: NotRequired[list[SimulPersonWire]]
    players: list[SimulPersonWire]
    boards: list[SimulBoardWire]
    order: list[int]
    score: ScoreWire
    at: int | None
    started: int
    host_clock: HostClockWire | None


class SimulBoardEventWire(SimulNumberedWire):
    """Changes at ``board``. A new board is sent whole, and its player is not an applicant any more.

    ``score`` comes with a board that is new or over, ``host_clock`` if the host's one clock has changed with it.
    ``later`` is present, and false, when a board that was put off is over.
    """

    t: Literal["simul.board"]
    board: int
    g: NotRequired[str]
    user: NotRequired[UserWire]
    rating: NotRequired[int | None]
    provisional: NotRequired[bool]
    game: NotRequired[str]
    variant: NotRequired[str]
    color: NotRequired[Color]
    ply: NotRequired[int]
    position: NotRequired[str]
    last: NotRequired[str | None]
    leaps: NotRequired[LeapsWire | None]
    clock: NotRequired[BoardClockWire | None]
    turn: NotRequired[BoardTurn]
    status: NotRequired[BoardStatus]
    result: NotRequired[Result]
    reason: NotRequired[str]
    later: NotRequired[bool]
    passes: NotRequired[int]
    player_extra_s: NotRequired[int]
    host_extra_s: NotRequired[int]
    score: NotRequired[ScoreWire]
    host_clock: NotRequired[HostClockWire | None]


class SimulAtWire(SimulNumberedWire):
    """The host is at ``board``; null: on the way. In ``round`` mode the board becomes the last in order."""

    t: Literal["simul.at"]
    board: int | None
    host_clock: NotRequired[HostClockWire | None]


class SimulLaterWire(SimulNumberedWire):
    """The host puts ``board`` off until after all others; with ``on`` false they are there."""

    t: Literal["simul.later"]
    board: int
    on: bool


class SimulBreakWire(SimulNumberedWire):
    """All clocks are stopped until ``until`` at the latest; null: play continues."""

    t: Literal["simul.break"]
    until: int | None
    host_clock: NotRequired[HostClockWire | None]


class SimulAwayWire(SimulNumberedWire):
    """The host has been away since ``since`` and their clocks are stopped; null: they are present. ``acting``: the
    stand-in plays for them; ``offered``: the host plays and lets the stand-in take over."""

    t: Literal["simul.away"]
    since: int | None
    acting: NotRequired[bool]
    offered: NotRequired[bool]
    host_clock: NotRequired[HostClockWire | None]


class SimulPassedWire(SimulNumberedWire):
    """The player at ``board`` has passed; ``passes`` is the number left."""

    t: Literal["simul.passed"]
    board: int
    passes: int


class SimulCountdownWire(SimulNumberedWire):
    """The host waits at ``board``: the player's clock starts at ``until``; null: the countdown has ended."""

    t: Literal["simul.countdown"]
    board: int
    until: int | None


class SimulFinishedWire(SimulNumberedWire):
    """The last board is over."""

    t: Literal["simul.finished"]
    status: SimulStatus
    break_until: None
    away_since: None
    score: FinalScoreWire
    finished: int
    acting: NotRequired[bool]
    offered: NotRequired[bool]


class SimulCancelledWire(SimulNumberedWire):
    """The simul is cancelled."""

    t: Literal["simul.cancelled"]
    status: SimulStatus
    applicants: list[SimulPersonWire]
    players: list[SimulPersonWire]


SimulEventWire = (
    SimulJoinedWire
    | SimulLeftWire
    | SimulAcceptedWire
    | SimulRejectedWire
    | SimulKickedWire
    | SimulEditedWire
    | SimulStartedWire
    | SimulBoardEventWire
    | SimulAtWire
    | SimulLaterWire
    | SimulBreakWire
    | SimulAwayWire
    | SimulPassedWire
    | SimulCountdownWire
    | SimulFinishedWire
    | SimulCancelledWire
)

# --- unnumbered --------------------------------------------------------------------------------------


class SimulYouWire(SimulOwnWire):
    """The viewer's own part of the snapshot, sent to them alone."""

    t: Literal["simul.you"]
    simul: str


class SimulCrowdWire(TypedDict):
    """The number of spectators, and whether the host is present."""

    t: Literal["simul.crowd"]
    simul: str
    watchers: int
    host_online: bool


SimulHintWire = SimulYouWire | SimulCrowdWire
