"""The pieces on a draughts board, with the side to move."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from game_core.color import Color


class KingRun(NamedTuple):
    """Consecutive moves of one king without a capture."""

    king: int = 0
    """The bit of that king."""
    moves: int = 0


class Runs(NamedTuple):
    """The runs of both sides, if the laws limit them; otherwise both stay empty."""

    white: KingRun = KingRun()
    black: KingRun = KingRun()

    def after(self, turn: Color, start: int, end: int, *, steps: bool) -> Runs:
        """Return the runs after a move of ``turn``.

        Args:
            start, end: of the move.
            steps: whether a king moves without a capture.
        """
        run = self.white if turn == "w" else self.black
        moves = run.moves if run.king == start else 0
        run = KingRun(end, moves + 1) if steps else NO_RUN
        return Runs(run, self.black) if turn == "w" else Runs(self.white, run)

    def of(self, men: Men) -> Runs:
        """Return the runs that still count: the king is on the board and its side has men."""
        white, black = self
        if not (white.king & men.white & men.kings and men.white & ~men.kings):
            white = NO_RUN
        if not (black.king & men.black & men.kings and men.black & ~men.kings):
            black = NO_RUN
        runs = Runs(white, black)
        return NO_RUNS if runs == NO_RUNS else runs


NO_RUN = KingRun()

NO_RUNS = Runs()


class Men(NamedTuple):
    """Pieces and side to move: what makes two positions the same."""

    white: int
    black: int
    kings: int
    """The kings of both sides."""
    turn: Color
    runs: Runs = NO_RUNS
    """Runs affect which moves are legal, so positions with different runs are different. ``NO_RUNS`` itself if none
    counts."""

    @property
    def sides(self) -> tuple[int, int]:
        """The pieces of the side to move, and those of the other."""
        return (self.white, self.black) if self.turn == "w" else (self.black, self.white)
