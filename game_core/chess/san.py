"""Standard algebraic notation (FIDE Laws, Appendix C; as in PGN) of a move that is known to be legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
from chess import BB_SQUARES

if TYPE_CHECKING:
    from game_core.chess.laws import Laws
    from game_core.chess.legality import Step

_LETTERS = " PNBRQK"


def format_san(board: chess.Board, step: Step, laws: Laws, *, check: bool) -> str:
    """Return the SAN of a move that is not yet made on ``board``, without the mark of check or mate.

    ``check`` is whether the side to move is in check.
    """
    move, piece, taken, rook = step
    if rook is not None:
        return "O-O" if rook > move.from_square else "O-O-O"
    to_name = chess.SQUARE_NAMES[move.to_square]
    if piece == chess.PAWN:
        name = to_name if taken is None else f"{chess.FILE_NAMES[move.from_square & 7]}x{to_name}"
        return f"{name}={_LETTERS[move.promotion]}" if move.promotion else name
    is_only_king = piece == chess.KING and (board.kings & board.occupied_co[board.turn]).bit_count() == 1
    origin = "" if is_only_king else _origin(board, step, laws, check=check)
    return f"{_LETTERS[piece]}{origin}{'' if taken is None else 'x'}{to_name}"


def _origin(board: chess.Board, step: Step, laws: Laws, *, check: bool) -> str:
    """Return the disambiguation among pieces of the same kind: empty, the file, the rank, or both (C.10)."""
    from_square, to_square = step.move.from_square, step.move.to_square
    twins = board.pieces_mask(step.piece, board.turn) & ~BB_SQUARES[from_square]
    if not twins:
        return ""
    twins &= _attacks(board, step.piece, to_square)
    others = 0
    for square in chess.scan_reversed(twins):
        if laws.is_valid(board, square, to_square, step.taken, check=check):
            others |= BB_SQUARES[square]
    if not others:
        return ""
    file, rank = chess.FILE_NAMES[from_square & 7], chess.RANK_NAMES[from_square >> 3]
    if not others & chess.BB_FILES[from_square & 7]:
        return file
    return f"{file}{rank}" if others & chess.BB_RANKS[from_square >> 3] else rank


def _attacks(board: chess.Board, piece: chess.PieceType, square: chess.Square) -> chess.Bitboard:
    """Return the squares from which a knight, bishop, rook, queen or king reaches ``square``."""
    if piece == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    if piece == chess.KING:
        return chess.BB_KING_ATTACKS[square]
    found = 0
    if piece != chess.ROOK:
        found |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & board.occupied]
    if piece != chess.BISHOP:
        found |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & board.occupied]
        found |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & board.occupied]
    return found
