"""Parsing and legality of a single move.

The library answers "is this move legal?" by generating moves of its kind. Here the piece's attack table tells whether
it can go there, and the variant's hooks tell whether it may: in standard chess one lookup from the king's square.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import chess
from chess import BB_SQUARES

from game_core.errors import IllegalMove

if TYPE_CHECKING:
    from game_core.chess.laws import Laws

_SQUARES = {name: square for square, name in enumerate(chess.SQUARE_NAMES)}

_KING_LINES = [
    chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0] | chess.BB_DIAG_ATTACKS[square][0]
    for square in chess.SQUARES
]
"""All squares on a line with a king on the square. A piece can be pinned only there."""


class Step(NamedTuple):
    """A legal move, with what is needed to make and write it."""

    move: chess.Move
    """In the library's notation for the board: castling is ``e1g1`` in standard, king takes rook in Chess960."""
    piece: chess.PieceType
    taken: chess.Square | None
    """Square of the captured piece; beside the destination for en passant."""
    rook: chess.Square | None
    """Square of the castling rook."""


def find_step(board: chess.Board, wire: str, laws: Laws, *, check: bool) -> Step:
    """Return the legal move that ``wire`` names on ``board``; ``check`` is whether the side to move is in check.

    Raises ``IllegalMove`` with the reason for anything else, including malformed text, null moves and drops.
    """
    from_square = _SQUARES.get(wire[:2])
    to_square = _SQUARES.get(wire[2:4])
    promotions = laws.promotions
    if from_square is None or to_square is None or wire[4:] not in promotions:
        raise IllegalMove(f"{wire[:12]!r} is not a move; expected two squares as in 'e2e4', or 'e7e8q' to promote")
    promotion = promotions[wire[4:]]
    own = board.occupied_co[board.turn]
    if not own & BB_SQUARES[from_square]:
        raise IllegalMove(f"there is no piece to move on {wire[:2]}")
    piece = board.piece_type_at(from_square)
    assert piece is not None
    if piece == chess.PAWN:
        taken = _pawn_takes(board, from_square, to_square, wire)
        if (promotion is not None) != (to_square >= chess.A8 or to_square <= chess.H1):
            raise IllegalMove(f"{wire}: a pawn must promote on the last rank, and only there")
    else:
        if promotion is not None:
            raise IllegalMove(f"{wire}: only a pawn promotes")
        if piece == chess.KING:
            rook = _castling_rook(board, from_square, to_square)
            if rook is not None:
                return _castle(board, from_square, to_square, rook, wire)
        if not board.attacks_mask(from_square) & ~own & BB_SQUARES[to_square]:
            raise IllegalMove(f"the {chess.piece_name(piece)} on {wire[:2]} cannot go to {wire[2:4]}")
        taken = to_square if board.occupied & BB_SQUARES[to_square] else None
    if not laws.is_valid(board, from_square, to_square, taken, check=check):
        raise IllegalMove(laws.refusal(wire, check=check))
    return Step(chess.Move(from_square, to_square, promotion), piece, taken, None)


def is_safe(
    board: chess.Board, from_square: chess.Square, to_square: chess.Square, taken: chess.Square | None, *, check: bool
) -> bool:
    """Return whether the mover's king is not attacked after a pseudo-legal move other than castling."""
    king = (board.kings & board.occupied_co[board.turn]).bit_length() - 1
    if from_square == king:
        king = to_square
    elif not check and (taken is None or taken == to_square):
        line = chess.BB_RAYS[king][from_square]
        if not line or line & BB_SQUARES[to_square]:
            return True
    occupied = board.occupied & ~BB_SQUARES[from_square] | BB_SQUARES[to_square]
    gone = 0
    if taken is not None:
        gone = BB_SQUARES[taken]
        if taken != to_square:
            occupied &= ~gone
    return not board.attackers_mask(not board.turn, king, occupied) & ~gone


def has_legal_move(board: chess.Board, *, check: bool) -> bool:
    """Return whether there is a legal move; ``check`` is whether the side to move is in check."""
    if not check:
        # Nearly always a pawn that is not on a line with its king can step forward: a legal move that is cheap to find.
        free = ~board.occupied
        ahead = free >> 8 if board.turn else free << 8
        king = (board.kings & board.occupied_co[board.turn]).bit_length() - 1
        if board.pawns & board.occupied_co[board.turn] & ahead & ~_KING_LINES[king]:
            return True
    return any(board.generate_legal_moves())


def _pawn_takes(
    board: chess.Board, from_square: chess.Square, to_square: chess.Square, wire: str
) -> chess.Square | None:
    """Return the square of what a pawn captures by this move. Raises ``IllegalMove`` if the move is not a pawn move."""
    target = BB_SQUARES[to_square]
    if chess.BB_PAWN_ATTACKS[board.turn][from_square] & target:
        if board.occupied_co[not board.turn] & target:
            return to_square
        if to_square == board.ep_square:
            return to_square - 8 if board.turn else to_square + 8
        raise IllegalMove(f"{wire}: the pawn has nothing to capture on {wire[2:4]}")
    forward = to_square - from_square if board.turn else from_square - to_square
    if not board.occupied & target:
        if forward == 8:
            return None
        home = chess.BB_RANK_2 if board.turn else chess.BB_RANK_7
        if (
            forward == 16
            and BB_SQUARES[from_square] & home
            and not board.occupied & BB_SQUARES[(from_square + to_square) // 2]
        ):
            return None
    raise IllegalMove(f"the pawn on {wire[:2]} cannot go to {wire[2:4]}")


def _castling_rook(board: chess.Board, from_square: chess.Square, to_square: chess.Square) -> chess.Square | None:
    """Return the rook's square if this king's move means castling, legal or not."""
    if board.rooks & board.occupied_co[board.turn] & BB_SQUARES[to_square]:
        return to_square
    if not board.chess960 and from_square in (chess.E1, chess.E8):
        if to_square == from_square + 2:
            return from_square + 3
        if to_square == from_square - 2:
            return from_square - 4
    return None


def _castle(
    board: chess.Board, from_square: chess.Square, to_square: chess.Square, rook: chess.Square, wire: str
) -> Step:
    """Return castling with ``rook``, if it is legal now."""
    if not board.chess960 and to_square == rook:
        to_square = from_square + 2 if rook > from_square else from_square - 2
    move = chess.Move(from_square, to_square)
    if not board.castling_rights & BB_SQUARES[rook] or move not in board.generate_castling_moves():
        raise IllegalMove(f"{wire}: castling is not possible now")
    return Step(move, chess.KING, None, rook)
