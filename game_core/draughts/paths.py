"""Paths of a capture, for display and for notation."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from game_core.draughts.lines import CaptureLines
from game_core.draughts.search import Retrace
from game_core.draughts.sweep import Sweep
from game_core.rules import Leaps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.draughts.board import Board, Move
    from game_core.draughts.men import Men

MAX_RETRACED = 6
"""Most captured pieces of a capture whose paths are searched. Longer ones may circle in countless ways, and there may
be dozens of them: finding their paths took 0.8 s. Of these the first path found is used."""


def find_paths(board: Board, men: Men, move: Move, through: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the paths of ``move``, a legal capture, that land on the squares of ``through`` in order."""
    if not board.laws.at_once:
        return Retrace(board, men, move, through).all()
    return _sweep(board, men, move.start, move.taken).paths(move.end, move.taken, through)


def can_land(board: Board, men: Men, move: Move, through: tuple[int, ...]) -> bool:
    """Return whether ``move``, a legal capture, may land on the squares of ``through`` in order.

    With more than ``MAX_RETRACED`` captured pieces only for the path that is shown, or if ``through`` is complete: a
    search takes up to 17 ms, and a client may repeat it.
    """
    if move.taken.bit_count() <= MAX_RETRACED:
        return next(find_paths(board, men, move, through), None) is not None
    landed = iter(move.path)
    if all(square in landed for square in through):
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
    """Return a cached sweep: captures by one piece of the same others are asked for one after the other."""
    own, foes = men.sides
    king = bool(start & men.kings)
    directions = board.capture_directions(men.turn, king=king)
    return Sweep(CaptureLines(board.field, own | foes & ~taken, taken, directions=directions, king=king), start)


def leaps_of(board: Board, move: Move, path: tuple[int, ...]) -> Leaps:
    """Return ``move`` on ``path`` with names of squares."""
    names = board.field.names
    return Leaps(
        path=tuple(names[bit] for bit in path),
        taken=tuple(names[bit] for bit in board.taken_on(move, path)),
    )
