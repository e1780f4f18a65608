"""The numbered events of an exhibition and what comes unnumbered: types of docs/protocol.md, as in ``wire.py``."""

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
    """An event of an exhibition; ``seq`` is one higher than the last."""

    simul: str
    seq: int


class SimulJoinedWire(SimulNumberedWire):
    """Somebody wants to play."""

    t: Literal["simul.joined"]
    user: SimulPersonWire


class SimulLeftWire(SimulNumberedWire):
    """An applicant or player has gone."""

    t: Literal["simul.left"]
    user: UserWire


class SimulAcceptedWire(SimulNumberedWire):
    """An applicant is a player now."""

    t: Literal["simul.accepted"]
    user: SimulPersonWire


class SimulRejectedWire(SimulNumberedWire):
    """The host does not want this applicant."""

    t: Literal["simul.rejected"]
    user: UserWire


class SimulKickedWire(SimulNumberedWire):
    """The host does not want this applicant or player, and he cannot come back."""

    t: Literal["simul.kicked"]
    user: UserWire


class SimulEditedWire(SimulNumberedWire):
    """The whole announcement as it is now, or ``person``: the map of one player or applicant."""

    t: Literal["simul.edited"]
    terms: NotRequired[SimulTermsWire]
    person: NotRequired[SimulPersonWire]


class SimulStartedWire(SimulNumberedWire):
    """It begins; ``applicants`` is there, and empty, when nobody is left who asked to join."""

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
    """What has changed at ``board``; a board that is new is there as a whole, and its player is no applicant any more.

    ``score`` comes with a board that is new or over, ``host_clock`` where the host's one clock has changed with it.
    ``later`` is there, and false, when a board is over that was put off.
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
    """The host is at ``board``; null: on his way. In ``round`` mode the board is the last of the order now."""

    t: Literal["simul.at"]
    board: int | None
    host_clock: NotRequired[HostClockWire | None]


class SimulLaterWire(SimulNumberedWire):
    """The host comes to ``board`` after all others; not ``on``: he is there."""

    t: Literal["simul.later"]
    board: int
    on: bool


class SimulBreakWire(SimulNumberedWire):
    """All clocks stand, at the latest until ``until``; null: play goes on."""

    t: Literal["simul.break"]
    until: int | None
    host_clock: NotRequired[HostClockWire | None]


class SimulAwayWire(SimulNumberedWire):
    """The host has been gone since ``since``, and his clocks stand; null: he is back."""

    t: Literal["simul.away"]
    since: int | None
    host_clock: NotRequired[HostClockWire | None]


class SimulPassedWire(SimulNumberedWire):
    """The player at ``board`` has let the host go on; ``passes`` are left to him."""

    t: Literal["simul.passed"]
    board: int
    passes: int


class SimulCountdownWire(SimulNumberedWire):
    """The host waits at ``board``: the player's clock begins to run at ``until``; null: nobody is waited for."""

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


class SimulCancelledWire(SimulNumberedWire):
    """It does not take place."""

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
    """The viewer's own part of the snapshot as it is now: to him alone."""

    t: Literal["simul.you"]
    simul: str


class SimulCrowdWire(TypedDict):
    """How many watch, and whether the host is here."""

    t: Literal["simul.crowd"]
    simul: str
    watchers: int
    host_online: bool


SimulHintWire = SimulYouWire | SimulCrowdWire
