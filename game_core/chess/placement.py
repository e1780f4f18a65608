"""Piece placement as bytes, one a square in the order of FEN, updated from move to move.

The library writes the placement field of a FEN by asking all 64 squares (21 of the 29 µs of a FEN). Here a move changes
two to four bytes, and runs of empty squares are counted by ``bytes.replace``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess

if TYPE_CHECKING:
    from game_core.chess.legality import Step

_EMPTY = ord(".")

_INDEX = [(7 - chess.square_rank(square)) * 9 + chess.square_file(square) for square in chess.SQUARES]
"""Index of a square in the 71 bytes: eight ranks from the eighth down, with a slash between them."""

_RUNS = [(b"." * length, b"%d" % length) for length in range(8, 0, -1)]
"""Empty squares and their number, the longest run first."""

_SYMBOLS = (bytes(6 + 1), b"\0pnbrqk", b"\0PNBRQK")
"""Symbols of the piece types: Black's at index 1 + False, White's at 1 + True."""


def spread_placement(field: str) -> bytes:
    """The 71 bytes of the placement ``field`` of a FEN."""
    squares = field.encode("ascii")
    for empty, digit in _RUNS:
        squares = squares.replace(digit, empty)
    return squares


def format_placement(squares: bytes) -> str:
    """The placement field of a FEN."""
    for empty, digit in _RUNS:
        squares = squares.replace(empty, digit)
    return squares.decode("ascii")


def move_placement(squares: bytes, step: Step, *, white: bool) -> bytes:
    """``squares`` after ``step`` of White or Black."""
    after = bytearray(squares)
    symbols = _SYMBOLS[1 + white]
    move = step.move
    after[_INDEX[move.from_square]] = _EMPTY
    if step.rook is not None:
        after[_INDEX[step.rook]] = _EMPTY
        rank = step.rook & 0b111000
        king_to, rook_to = (chess.C1, chess.D1) if step.rook < move.from_square else (chess.G1, chess.F1)
        after[_INDEX[rank | king_to]] = symbols[chess.KING]
        after[_INDEX[rank | rook_to]] = symbols[chess.ROOK]
    else:
        if step.taken is not None:
            after[_INDEX[step.taken]] = _EMPTY
        after[_INDEX[move.to_square]] = symbols[move.promotion or step.piece]
    return bytes(after)
