"""A board as the laws of a variant set it up, and the men on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.draughts.field import EightWayField, Field
from game_core.draughts.men import NO_RUNS, Men

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.draughts.laws import Laws


class Move(msgspec.Struct, frozen=True):
    """A legal move. However a capture went between them, the same start, end and pieces taken are one move."""

    start: int
    end: int
    text: str
    """As it goes over the wire."""
    taken: int = 0
    """The bits of all that leave the board."""
    path: tuple[int, ...] = ()
    """Of a capture the squares landed on, the end included: the first way to make it in a fixed order."""
    crowned: bool = False
    """A man came to the last row in mid-capture and went on as a king."""


class Board:
    """The field of a variant and what its laws make of it.

    Attributes:
        field, laws: of the variant.
        forward: by side, the ways in which its men step, as shifts of ``field``.
        crown: by side, the row on which its men become kings.
        counts_runs: whether moves in a row of one king are limited.
        most: pieces that a side has at the start.
        steps: the move from one bit to another, where nothing is taken.
        start: the men at the start.
    """

    def __init__(self, laws: Laws) -> None:
        self.laws = laws
        self.field = field = (
            EightWayField(laws.size, naming=laws.naming)
            if laws.takes_straight
            else Field(laws.size, naming=laws.naming, mirrored=laws.mirrored, orthogonal=laws.orthogonal)
        )
        ways = 3 if laws.orthogonal else 2
        self.forward: dict[Color, tuple[int, ...]] = {"w": field.shifts[:ways], "b": field.shifts[-ways:]}
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
        """The men after a legal move."""
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
        """The king of the side to move that has made all the moves in a row that it may; 0 if there is none."""
        king, moves = men.runs.white if men.turn == "w" else men.runs.black
        return king if moves == self.laws.king_moves else 0

    def is_sideways(self, move: Move) -> bool:
        """Whether a step stays on its row: on an orthogonal board men can take it back."""
        return self.laws.orthogonal and any(row & move.start and row & move.end for row in self.field.rows)

    def ways_to_take(self, turn: Color, *, king: bool) -> tuple[int, ...]:
        """The directions in which a piece takes, as indices of the field's shifts."""
        shifts = self.field.shifts if king or self.laws.men_take_back else self.forward[turn]
        return tuple(self.field.shifts.index(shift) for shift in shifts)

    def taken_on(self, move: Move, path: tuple[int, ...]) -> list[int]:
        """What ``move`` takes by way of ``path``, in turn."""
        left = move.taken
        taken = []
        for start, end in zip((move.start, *path), path, strict=False):
            prey = self.field.between(start, end) & left
            taken.append(prey)
            left &= ~prey
        return taken
