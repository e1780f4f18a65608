"""Reading and writing of FEN, X-FEN and Shredder-FEN.

The library reads and writes all three but is lenient: it drops castling rights without a rook and fills in missing
fields.
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
"""Longest accepted text in characters. The longest FEN has fewer than 100."""


def parse_fen(text: str, *variants: Laws) -> chess.Board:
    """Parse a FEN, whose counters may be missing. The game may be over in the position.

    Args:
        text: the FEN.
        variants: at least one. The first in which the position is possible is used. Of standard chess and Chess960 the
            second is used if a king or rook with castling rights does not stand on its usual square.

    Raises ``BadPosition`` if the text is malformed or the position is impossible in a game.
    """
    fen = " ".join(text[: MAX_FEN + 1].split())
    match = _FEN.fullmatch(fen)
    if match is None:
        raise BadPosition(f"not a FEN: {fen[:100]!r}")
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
    raise BadPosition(f"{fen!r} is not a legal position: {why.lower().replace('_', ' ')}")


def format_fen(board: chess.Board, *, shredder: bool = False) -> str:
    """Return ``board`` as X-FEN, which equals FEN for usual positions, or as Shredder-FEN, with the rooks' files.

    An en passant square is included only if a capture on it is legal.
    """
    return board.fen(shredder=shredder)
