"""The host's score: wins, draws and losses, percentage, and time used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import Color, other

if TYPE_CHECKING:
    from game_core.events import Result
    from simul.wire import FinalScoreWire, ScoreWire


class Score(msgspec.Struct, frozen=True):
    """Numbers of boards from the host's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    live: int = 0
    aborted: int = 0
    """Boards that ended without a result."""

    @property
    def boards(self) -> int:
        """The number of all boards."""
        return self.wins + self.draws + self.losses + self.live + self.aborted

    @property
    def percent(self) -> float | None:
        """The host's points in per cent of the decided boards, to one decimal; None if there are none."""
        played = self.wins + self.draws + self.losses
        return round(100 * (self.wins + self.draws / 2) / played, 1) if played else None

    def opened(self, boards: int = 1) -> Score:
        """Return the score after ``boards`` more have begun."""
        return msgspec.structs.replace(self, live=self.live + boards)

    def ended(self, result: Result, host: Color) -> Score:
        """Return the score after a board has ended with ``result``, where ``host`` is the host's colour."""
        field = outcome(result, host)
        return msgspec.structs.replace(self, live=self.live - 1, **{field: getattr(self, field) + 1})


class Final(msgspec.Struct, frozen=True):
    """What is stored of a finished simul beside the score."""

    moves: int
    """Number of the host's moves on all boards."""
    host_ms: int
    """Time of the host's moves by the clocks of the boards."""
    duration_ms: int
    """Wall-clock time from the start to the end of the last board."""

    @property
    def move_ms(self) -> int | None:
        """The host's average time a move; None without moves."""
        return round(self.host_ms / self.moves) if self.moves else None


def outcome(result: Result, host: Color) -> str:
    """Return the field of a score that a board with ``result`` counts for."""
    if result == "*":
        return "aborted"
    if result == "1/2-1/2":
        return "draws"
    return "wins" if result == win_of(host) else "losses"


def win_of(color: Color) -> Result:
    """Return the result of a win for ``color``."""
    return "1-0" if color == "w" else "0-1"


def loss_of(color: Color) -> Result:
    """Return the result of a loss for ``color``."""
    return win_of(other(color))


def player_points(result: Result, host: Color) -> float | None:
    """Return the player's points of a board with ``result``; None without a result."""
    return {"aborted": None, "draws": 0.5, "wins": 0.0, "losses": 1.0}[outcome(result, host)]


def score_wire(score: Score) -> ScoreWire:
    """Return the wire form of a score."""
    return {
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "live": score.live,
        "aborted": score.aborted,
    }


def final_wire(score: Score, final: Final) -> FinalScoreWire:
    """Return the score of a finished simul."""
    return {
        **score_wire(score),
        "percent": score.percent,
        "moves": final.moves,
        "host_ms": final.host_ms,
        "move_ms": final.move_ms,
        "duration_ms": final.duration_ms,
    }
