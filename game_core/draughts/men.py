"""The men on a board of draughts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from game_core.color import Color


class Run(NamedTuple):
    """Moves in a row that one king of a side made without a capture."""

    king: int = 0
    """The bit of that king."""
    moves: int = 0


class Runs(NamedTuple):
    """The runs of both sides, where laws limit them; else both stay empty."""

    white: Run = Run()
    black: Run = Run()

    def after(self, turn: Color, start: int, end: int, *, steps: bool) -> Runs:
        """The runs after a move of ``turn``.

        Args:
            start, end: of the move.
            steps: whether a king moves without a capture.
        """
        run = self.white if turn == "w" else self.black
        moves = run.moves if run.king == start else 0
        run = Run(end, moves + 1) if steps else NO_RUN
        return Runs(run, self.black) if turn == "w" else Runs(self.white, run)

    def of(self, men: Men) -> Runs:
        """Those that still count: the king stands, and its side has men."""
        white, black = self
        if not (white.king & men.white & men.kings and men.white & ~men.kings):
            white = NO_RUN
        if not (black.king & men.black & men.kings and men.black & ~men.kings):
            black = NO_RUN
        runs = Runs(white, black)
        return NO_RUNS if runs == NO_RUNS else runs


NO_RUN = Run()

NO_RUNS = Runs()


class Men(NamedTuple):
    """Where everybody stands and who is to move: what makes two positions the same."""

    white: int
    black: int
    kings: int
    """Of both sides."""
    turn: Color
    runs: Runs = NO_RUNS
    """They decide which moves are legal, so positions that differ in them are not the same. ``NO_RUNS`` itself if
    nothing counts."""

    @property
    def sides(self) -> tuple[int, int]:
        """The pieces of the side to move, and of the other."""
        return (self.white, self.black) if self.turn == "w" else (self.black, self.white)
