"""Parsing of moves such as ``28x19``, ``28-19``, ``28x23x19`` or ``c3:e5``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from game_core.draughts.paths import can_land
from game_core.errors import AmbiguousMove, IllegalMove, InvalidMove

if TYPE_CHECKING:
    from collections.abc import Mapping

    from game_core.draughts.board import Board, Move
    from game_core.draughts.men import Men

LONGEST = 200
"""Longest accepted text in characters; no capture needs more."""

_BETWEEN = re.compile(r"[-x:]")


def squares_of(board: Board, text: str) -> tuple[int, ...] | None:
    """Return the squares of ``text`` in order, at least two; None if there are none."""
    if len(text) > LONGEST:
        return None
    words = _BETWEEN.split(text.lower())
    squares = tuple(board.field.named.get(word, 0) for word in words)
    return squares if len(squares) > 1 and all(squares) else None


def find_move(board: Board, men: Men, legal: Mapping[str, Move], text: str) -> Move:
    """Return the one of ``legal`` that ``text`` means: its ends, and some or all of the landing squares between.

    Raises:
        InvalidMove: the text has no squares of this board.
        IllegalMove: there is no such move.
        AmbiguousMove: there are several.
    """
    exact = legal.get(text)
    if exact is not None:
        return exact
    squares = squares_of(board, text)
    if squares is None:
        names = board.field.names
        first, last = names[board.field.bits[0]], names[board.field.bits[-1]]
        raise InvalidMove(
            f"{text[:20]!r} is not a move; expected squares from {first} to {last} with - or x between as in "
            f"{next(iter(legal), f'{first}-{last}')!r}"
        )
    start, *between, end = squares
    found = [move for move in legal.values() if (move.start, move.end) == (start, end)]
    if between:
        through = tuple(between)
        found = [move for move in found if can_land(board, men, move, through)]
        # If all landing squares are written, longer captures are not meant.
        found = [move for move in found if move.taken.bit_count() == len(squares) - 1] or found
    if len(found) == 1:
        return found[0]
    if found:
        raise AmbiguousMove(f"{text} could be any of {', '.join(move.text for move in found)}")
    raise IllegalMove(_objection(board, men, legal, text, start))


def _objection(board: Board, men: Men, legal: Mapping[str, Move], text: str, start: int) -> str:
    own = men.sides[0]
    if not start & own:
        return f"{text}: there is no piece to move on {board.field.names[start]}"
    if any(move.taken for move in legal.values()):
        return f"{text} is not legal: you must capture, {' or '.join(list(legal)[:5])}"
    if start & board.resting(men):
        moves = board.laws.king_moves
        return f"the king on {board.field.names[start]} has made {moves} moves in a row; another piece must move"
    return f"the {'king' if start & men.kings else 'man'} on {board.field.names[start]} cannot play {text}"
