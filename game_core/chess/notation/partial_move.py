"""A description of a move, and the search for the one legal move that fits it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import chess

from game_core.chess.legality import find_step
from game_core.errors import AmbiguousMove, IllegalMove

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from game_core.chess.laws import Laws


class Castling(NamedTuple):
    """Castling to one side."""

    kingside: bool


class PartialMove(NamedTuple):
    """A partial description of a move. Masks are the library's sets of squares."""

    pieces: tuple[chess.PieceType, ...]
    """The possible kinds of piece."""
    from_mask: chess.Bitboard
    to_mask: chess.Bitboard
    promotion: chess.PieceType | None
    """None: no statement, which does not fit a promotion."""


def find_move(board: chess.Board, described: PartialMove | Castling, text: str, laws: Laws) -> chess.Move:
    """Return the legal move of ``board`` that fits ``described``, castling in the board's notation.

    Raises ``IllegalMove`` if there is none and ``AmbiguousMove`` if there are several; ``text`` is for the message.
    """
    if isinstance(described, Castling):
        castling = _castling(board, described)
        if castling is None:
            raise IllegalMove(f"{text}: castling is not possible now")
        return castling
    moves = _moves(board, described)
    if moves:
        return _only(moves, text)
    if _has_both_squares(described):
        _explain(board, described, laws)
    names = " or ".join(chess.piece_name(piece) for piece in described.pieces) if len(described.pieces) < 3 else "piece"
    raise IllegalMove(f"{text}: no {names} of the side to move can go there like that")


def find_any(board: chess.Board, readings: Iterable[PartialMove], text: str) -> chess.Move | None:
    """Return the legal move that fits any of ``readings``; None if there is none.

    Raises ``AmbiguousMove`` if there are several; ``text`` is for the message.
    """
    moves = {move for described in readings for move in _moves(board, described)}
    return _only(moves, text) if moves else None


def _moves(board: chess.Board, described: PartialMove) -> list[chess.Move]:
    moves = list(_ordinary(board, described))
    if not moves and _has_both_squares(described) and chess.KING in described.pieces:
        return list(_castlings_by_squares(board, described))
    return moves


def _has_both_squares(described: PartialMove) -> bool:
    """Return whether both squares are given."""
    return described.from_mask.bit_count() == described.to_mask.bit_count() == 1


def _only(moves: Collection[chess.Move], text: str) -> chess.Move:
    if len(moves) > 1:
        names = " or ".join(sorted(move.uci() for move in moves)[:5])
        raise AmbiguousMove(f"{text!r} could be {names}")
    (move,) = moves
    return move


def _ordinary(board: chess.Board, described: PartialMove) -> Iterator[chess.Move]:
    """Yield the fitting moves other than castling."""
    own = board.occupied_co[board.turn]
    from_mask = 0
    for piece in described.pieces:
        from_mask |= board.pieces_mask(piece, board.turn)
    any_file = bool(described.from_mask & chess.BB_FILE_A and described.from_mask & chess.BB_FILE_H)
    # Castling moves to the rook's square here, one's own. The rest are the ordinary destinations.
    for move in board.generate_legal_moves(from_mask & described.from_mask, described.to_mask & ~own):
        if described.promotion is not None and move.promotion != described.promotion:
            continue
        # "In the case of captures by a pawn, the file of departure must be indicated" (C.9): d5 is not exd5.
        if any_file and board.pawns & chess.BB_SQUARES[move.from_square] and (move.from_square ^ move.to_square) & 7:
            continue
        yield move


def _castling(board: chess.Board, described: Castling) -> chess.Move | None:
    for move in board.generate_castling_moves():
        if board.is_kingside_castling(move) == described.kingside:
            return move
    return None


def _castlings_by_squares(board: chess.Board, described: PartialMove) -> Iterator[chess.Move]:
    """Yield castling that is given by the king's square and either the rook's or the king's destination."""
    for move in board.generate_castling_moves(described.from_mask):
        rank = chess.square_rank(move.from_square)
        kingside = board.is_kingside_castling(move)
        king_to = chess.square(6 if kingside else 2, rank)
        if described.to_mask & (chess.BB_SQUARES[king_to] | chess.BB_SQUARES[_rook(board, move, kingside=kingside)]):
            yield move


def _rook(board: chess.Board, move: chess.Move, *, kingside: bool) -> chess.Square:
    """Return the square of the rook that castles in ``move``."""
    if board.chess960:
        return move.to_square
    return chess.square(7 if kingside else 0, chess.square_rank(move.from_square))


def _explain(board: chess.Board, described: PartialMove, laws: Laws) -> None:
    """Raise ``IllegalMove`` with the reason, if both squares are given and the piece is of the given kind."""
    from_square, to_square = chess.msb(described.from_mask), chess.msb(described.to_mask)
    piece = board.piece_type_at(from_square)
    if piece is None or piece in described.pieces:
        wire = chess.Move(from_square, to_square, described.promotion).uci()
        find_step(board, wire, laws, check=board.is_check())
