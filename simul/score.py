"""How the host has done: + = -, his share of the points, and the time it took him."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import Color, other

if TYPE_CHECKING:
    from game_core.events import Result
    from simul.wire import FinalScoreWire, ScoreWire


class Score(msgspec.Struct, frozen=True):
    """Boards, as the host has them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    live: int = 0
    aborted: int = 0
    """Ended without a result: nobody's points."""

    @property
    def boards(self) -> int:
        """How many there are in all."""
        return self.wins + self.draws + self.losses + self.live + self.aborted

    @property
    def percent(self) -> float | None:
        """The host's points in per cent of those played for, to one decimal; None where there were none."""
        played = self.wins + self.draws + self.losses
        return round(100 * (self.wins + self.draws / 2) / played, 1) if played else None

    def opened(self, boards: int = 1) -> Score:
        """After so many boards more have begun."""
        return msgspec.structs.replace(self, live=self.live + boards)

    def ended(self, result: Result, host: Color) -> Score:
        """After a board where the host has the colour ``host`` has ended with ``result``."""
        field = outcome(result, host)
        return msgspec.structs.replace(self, live=self.live - 1, **{field: getattr(self, field) + 1})


class Final(msgspec.Struct, frozen=True):
    """What is kept of a finished exhibition beside the score."""

    moves: int
    """The host's, on all boards."""
    host_ms: int
    """What these took him, by the clocks of the boards."""
    duration_ms: int
    """From the start to the end of the last board, by the wall clock."""

    @property
    def move_ms(self) -> int | None:
        """One move of the host on average; None where he made none."""
        return round(self.host_ms / self.moves) if self.moves else None


def outcome(result: Result, host: Color) -> str:
    """The field of a score that a board with ``result`` counts for."""
    if result == "*":
        return "aborted"
    if result == "1/2-1/2":
        return "draws"
    return "wins" if result == win_of(host) else "losses"


def win_of(color: Color) -> Result:
    """The result when ``color`` has won."""
    return "1-0" if color == "w" else "0-1"


def loss_of(color: Color) -> Result:
    """The result when ``color`` has lost."""
    return win_of(other(color))


def player_points(result: Result, host: Color) -> float | None:
    """What the player has of a board with ``result``; None for one without."""
    return {"aborted": None, "draws": 0.5, "wins": 0.0, "losses": 1.0}[outcome(result, host)]


def score_wire(score: Score) -> ScoreWire:
    """The score of the protocol."""
    return {
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "live": score.live,
        "aborted": score.aborted,
    }


def final_wire(score: Score, final: Final) -> FinalScoreWire:
    """The score of a finished exhibition."""
    return {
        **score_wire(score),
        "percent": score.percent,
        "moves": final.moves,
        "host_ms": final.host_ms,
        "move_ms": final.move_ms,
        "duration_ms": final.duration_ms,
    }
