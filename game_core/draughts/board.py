"""The board of a variant, with the operations that depend on its laws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.draughts.field import EightWayField, Field
from game_core.draughts.men import NO_RUNS, Men

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.draughts.laws import Laws


class Move(msgspec.Struct, frozen=True):
    """A legal move. Captures with the same start, end and captured pieces are the same move, whatever their path."""

    start: int
    end: int
    text: str
    """Wire notation."""
    taken: int = 0
    """Bits of all captured pieces."""
    path: tuple[int, ...] = ()
    """The landing squares of a capture, its end included: the first path in a fixed order."""
    crowned: bool = False
    """A man became a king during the capture."""


class Board:
    """The squares of a variant's board and what its laws make of them.

    Attributes:
        field, laws: of the variant.
        forward: directions of men's steps by side, as shifts of ``field``.
        crown: promotion row by side.
        counts_runs: whether consecutive moves of one king are limited.
        most: number of a side's pieces at the start.
        steps: the move between two bits without a capture.
        start: the start position.
    """

    def __init__(self, laws: Laws) -> None:
        self.laws = laws
        self.field = field = (
            EightWayField(laws.size, naming=laws.naming)
            if laws.takes_straight
            else Field(laws.size, naming=laws.naming, mirrored=laws.mirrored, orthogonal=laws.orthogonal)
        )
        directions = 3 if laws.orthogonal else 2
        self.forward: dict[Color, tuple[int, ...]] = {"w": field.shifts[:directions], "b": field.shifts[-directions:]}
        self.counts_runs = laws.king_moves is not None
        self.crown: dict[Color, int] = {"w": field.rows[0], "b": field.rows[-1]}
        rows = slice(laws.rows_behind, laws.rows_behind + laws.men_rows)
        self.start = Men(white=sum(field.rows[::-1][rows]), black=sum(field.rows[rows]), kings=0, turn=laws.first)
        self.most = self.start.white.bit_count()
        names = field.names
        self.steps = {
            start: {
                end: Move(start, end, f"{names[start]}-{names[end]}")
                for _, ray in field.rays[start]
                for end in field.bits
                if ray & end
            }
            for start in field.bits
        }

    def after(self, men: Men, move: Move) -> Men:
        """Return the men after a legal move."""
        own, foes = men.sides
        own = own & ~move.start | move.end
        foes &= ~move.taken
        kings = men.kings & ~move.taken
        steps = bool(kings & move.start)
        if steps:
            kings = kings & ~move.start | move.end
        elif move.crowned or move.end & self.crown[men.turn]:
            kings |= move.end
        moved = Men(own, foes, kings, "b") if men.turn == "w" else Men(foes, own, kings, "w")
        if not self.counts_runs:
            return moved
        runs = men.runs.after(men.turn, move.start, move.end, steps=steps and not move.taken)
        return moved if runs == NO_RUNS else moved._replace(runs=runs.of(moved))

    def resting(self, men: Men) -> int:
        """Return the king of the side to move that has used up its consecutive moves; 0 if there is none."""
        king, moves = men.runs.white if men.turn == "w" else men.runs.black
        return king if moves == self.laws.king_moves else 0

    def is_sideways(self, move: Move) -> bool:
        """Return whether a step stays on its row: on an orthogonal board a man can reverse it."""
        return self.laws.orthogonal and any(row & move.start and row & move.end for row in self.field.rows)

    def capture_directions(self, turn: Color, *, king: bool) -> tuple[int, ...]:
        """Return the capture directions of a piece, as indices of the field's shifts."""
        shifts = self.field.shifts if king or self.laws.men_take_back else self.forward[turn]
        return tuple(self.field.shifts.index(shift) for shift in shifts)

    def taken_on(self, move: Move, path: tuple[int, ...]) -> list[int]:
        """Return what ``move`` captures on ``path``, in order."""
        left = move.taken
        taken = []
        for start, end in zip((move.start, *path), path, strict=False):
            prey = self.field.between(start, end) & left
            taken.append(prey)
            left &= ~prey
        return taken
