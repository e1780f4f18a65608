"""Positions from other programs: FEN, X-FEN and Shredder-FEN, in and out.

The library reads and writes all three. What it does not do is refuse: it drops castling rights for which it finds no
rook, and takes fields that are missing for granted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import chess

from game_core.errors import BadPosition

if TYPE_CHECKING:
    from game_core.chess.laws import Laws

_FEN = re.compile(
    r"[1-8KQRBNPkqrbnp/]{15,71} [wb] (?P<rights>-|(?! )[KQA-H]{0,2}[kqa-h]{0,2}) (?:-|[a-h][36])"
    r"(?: [0-9]{1,3} [0-9]{1,4})?",
    re.ASCII,
)

MAX_FEN = 200
"""Longest text that is looked at, in characters: the longest FEN has less than 100."""


def parse_fen(text: str, *variants: Laws) -> chess.Board:
    """The board of a FEN whose counters may be missing. The position may be one in which a game is over.

    Args:
        text: the FEN.
        variants: at least one; the first in which the position can come about is taken. Of standard chess and Chess960
            the second is meant where a king or rook that may castle does not stand as in the usual position.

    Raises ``BadPosition`` if the text is malformed or the position cannot come about in a game.
    """
    fen = " ".join(text[: MAX_FEN + 1].split())
    match = _FEN.fullmatch(fen)
    if match is None:
        raise BadPosition(f"not a fen: {fen[:100]!r}")
    rights = len(match["rights"].strip("-"))
    for laws in variants:
        try:
            board = laws.board(fen)
        except ValueError as error:
            raise BadPosition(str(error)) from error
        status = board.status()
        if not status and board.clean_castling_rights().bit_count() == rights:
            return board
    why = (status or chess.STATUS_BAD_CASTLING_RIGHTS).name or "several faults"
    raise BadPosition(f"no game leads to {fen!r}: {why.lower().replace('_', ' ')}")


def format_fen(board: chess.Board, *, shredder: bool = False) -> str:
    """``board`` as X-FEN, which is FEN for all usual positions, or with castling rights by the rooks' files.

    An en passant square is there only if a capture on it is legal.
    """
    return board.fen(shredder=shredder)
