"""The ways in which a capture may go, for those who show it or spell it out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from game_core.draughts.lines import Lines
from game_core.draughts.search import Retrace
from game_core.draughts.sweep import Sweep
from game_core.rules import Leaps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.draughts.board import Board, Move
    from game_core.draughts.men import Men

MOST_RETRACED = 6
"""Pieces that a capture takes whose ways are looked for. Longer ones may go round rings in countless ways, and there
may be dozens of them: to find their ways took 0.8 s. Of these the way that was found first is told."""


def find_ways(board: Board, men: Men, move: Move, through: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """The paths of ``move``, a capture that is legal for ``men``, that land on the squares of ``through`` in turn."""
    if not board.laws.at_once:
        return Retrace(board, men, move, through).all()
    return _sweep(board, men, move.start, move.taken).paths(move.end, move.taken, through)


def can_land(board: Board, men: Men, move: Move, through: tuple[int, ...]) -> bool:
    """Whether ``move``, a capture that is legal for ``men``, may land on the squares of ``through`` in turn.

    Of one that takes more than ``MOST_RETRACED`` only by the way that is told, or if ``through`` is a whole way: to
    search for others takes up to 17 ms, and whoever guesses may guess as often as he may speak.
    """
    if move.taken.bit_count() <= MOST_RETRACED:
        return next(find_ways(board, men, move, through), None) is not None
    told = iter(move.path)
    if all(square in told for square in through):
        return True
    at, left = move.start, move.taken
    for end in (*through, move.end):
        on_line = any(ray & end for _, ray in board.field.leap_rays[at])
        prey = board.field.between(at, end) & left if on_line else 0
        if prey.bit_count() != 1:
            return False
        at, left = end, left ^ prey
    return not left


@lru_cache(maxsize=1)
def _sweep(board: Board, men: Men, start: int, taken: int) -> Sweep:
    """Remembered, for many captures by one piece of the same others are asked for one after the other."""
    own, foes = men.sides
    king = bool(start & men.kings)
    ways = board.ways_to_take(men.turn, king=king)
    return Sweep(Lines(board.field, own | foes & ~taken, taken, ways=ways, king=king), start)


def leaps_of(board: Board, move: Move, path: tuple[int, ...]) -> Leaps:
    """``move`` by way of ``path``, with the names of squares."""
    names = board.field.names
    return Leaps(
        path=tuple(names[bit] for bit in path),
        taken=tuple(names[bit] for bit in board.taken_on(move, path)),
    )
