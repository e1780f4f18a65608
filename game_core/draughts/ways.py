"""The ways in which a capture may go, for those who show it or spell it out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from game_core.draughts.search import Retrace
from game_core.draughts.sweep import Lines, Sweep
from game_core.rules import Leaps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.draughts.board import Board, Men, Move


def find_ways(board: Board, men: Men, move: Move, through: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """The paths of ``move``, a capture that is legal for ``men``, that land on the squares of ``through`` in turn."""
    if not board.laws.at_once:
        return Retrace(board, men, move, through).all()
    return _sweep(board, men, move.start, move.taken).paths(move.end, 0, through)


@lru_cache(maxsize=1)
def _sweep(board: Board, men: Men, start: int, taken: int) -> Sweep:
    """Remembered, for many captures by one piece of the same others are asked for one after the other."""
    own, foes = men.sides
    king = bool(start & men.kings)
    lines = Lines(board.field, own | foes & ~taken, ways=board.ways_to_take(men.turn, king=king), king=king)
    return Sweep(lines, start, taken)


def leaps_of(board: Board, move: Move, path: tuple[int, ...]) -> Leaps:
    """``move`` by way of ``path``, with the names of squares."""
    names = board.field.names
    return Leaps(
        path=tuple(names[bit] for bit in path),
        taken=tuple(names[bit] for bit in board.taken_on(move, path)),
    )
