"""Wire types of lists of simuls and of the results table, as in docs/protocol.md."""

from __future__ import annotations

from typing import TypedDict

from game_core.color import Color
from game_core.events import Result
from game_core.time_control import ControlWire
from lobby.wire.lobby import UserWire
from simul.wire import FinalScoreWire, HostColor, Mode, OfferedVariantWire, ScoreWire, SimulStatus


class SimulCardWire(TypedDict):
    """List entry. Applicants, accepted players and boards are counts."""

    simul: str
    name: str
    host: UserWire
    game: str
    variant: str
    variants: list[OfferedVariantWire]
    tc: ControlWire | None
    mode: Mode
    host_color: HostColor
    rated: bool
    status: SimulStatus
    max_boards: int
    applicants: int
    players: int
    boards: int
    score: ScoreWire | FinalScoreWire
    start_at: int | None
    created: int
    started: int | None
    finished: int | None


class SimulsPageWire(TypedDict):
    """``GET /api/v1/simuls``. ``next``, passed as ``before``, gives the next page."""

    simuls: list[SimulCardWire]
    next: str | None


class SimulRowWire(TypedDict):
    """A line of the results table. ``points`` are the player's, null without a result."""

    board: int
    g: str
    user: UserWire
    rating: int | None
    game: str
    variant: str
    color: Color
    result: Result
    reason: str | None
    points: float | None
    moves: int
    host_ms: int


class SimulTableWire(TypedDict):
    """``GET /api/v1/simuls/{id}/table.json``; ``color`` is the host's."""

    simul: str
    name: str
    host: UserWire
    status: SimulStatus
    started: int | None
    finished: int | None
    score: ScoreWire | FinalScoreWire
    boards: list[SimulRowWire]
