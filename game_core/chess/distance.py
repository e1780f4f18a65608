"""Heuristic distance to a helpmate, which orders the search. It excludes nothing."""

from __future__ import annotations

import chess
from chess import msb, scan_forward, square_distance


def mate_distance(board: chess.Board, winner: chess.Color) -> int:
    """Return the heuristic distance of ``winner`` to a mate: missing material, men in the way, positions of the
    kings."""
    mine, other = board.occupied_co[winner], board.occupied_co[not winner]
    king, enemy = msb(board.kings & mine), msb(board.kings & other)
    apart = max(0, square_distance(king, enemy) - 2)
    queens = board.queens & mine
    # A queen comes first; the winner's king helps where the queen cannot.
    distance = apart + 3 * min(apart, *_distances(queens, enemy)) if queens else 3 * apart
    if queens or board.rooks & mine:
        distance += 2 * other.bit_count()
    elif board.pawns & mine:
        distance += 10 + _until_promotion(board, winner) + 2 * other.bit_count()
    elif _is_single_minor(board, mine):
        distance += 10 + _until_smothered(board, winner)
    else:
        distance += 10 + 2 * other.bit_count()
    return distance + _until_shut_in(board, winner, enemy)


def smothered_distance(board: chess.Board, winner: chess.Color) -> int | None:
    """Return the distance of ``winner`` to a smothered mate with a single minor piece; None if the winner has no pawns
    or more pieces, or a pawn of theirs is free to advance. The winner's king is not needed and may never get there."""
    mine, other = board.occupied_co[winner], board.occupied_co[not winner]
    pawns = board.pawns & mine
    if not pawns or (board.queens | board.rooks) & mine or not (board.knights | board.bishops) & mine:
        return None
    if not _is_single_minor(board, mine) or not _are_held(pawns, board.pawns & other, white=winner):
        return None
    enemy = msb(board.kings & other)
    return _until_smothered(board, winner) + _until_shut_in(board, winner, enemy)


def _until_shut_in(board: chess.Board, winner: chess.Color, enemy: chess.Square) -> int:
    """Return how far the ``enemy`` king is from a corner, and how many exits it has."""
    distance = 2 * min(_distances(chess.BB_CORNERS, enemy))
    for square in scan_forward(chess.BB_KING_ATTACKS[enemy] & ~board.occupied_co[not winner]):
        if not board.is_attacked_by(winner, square):
            distance += 3
    return distance


def _distances(squares: chess.Bitboard, square: chess.Square) -> list[int]:
    return [square_distance(square, other) for other in scan_forward(squares)]


def _until_promotion(board: chess.Board, winner: chess.Color) -> int:
    """Return the steps of the pawn with the fewest men in its way, plus those of the king to where it could clear the
    way."""
    mine, other = board.occupied_co[winner], board.occupied_co[not winner]
    distance = 4 * _steps(board.pawns & mine, other, white=winner)
    if board.pawns & other:
        distance += min(_distances(board.pawns & other, msb(board.kings & mine)))
    return distance


def _steps(pawns: chess.Bitboard, enemies: chess.Bitboard, *, white: bool) -> int:
    best = 8
    for square in scan_forward(pawns):
        rank = square // 8
        ahead = chess.BB_FILES[square % 8] & (~0 << 8 * (rank + 1) if white else (1 << 8 * rank) - 1)
        best = min(best, (7 - rank if white else rank) + 2 * (ahead & enemies).bit_count())
    return best


def _are_held(pawns: chess.Bitboard, enemies: chess.Bitboard, *, white: bool) -> bool:
    """Return whether each of ``pawns`` has one of the ``enemies`` ahead on its file."""
    for _ in range(5):
        enemies |= enemies >> 8 if white else enemies << 8
    return not pawns & ~enemies


def _is_single_minor(board: chess.Board, mine: chess.Bitboard) -> bool:
    """Return whether ``mine`` is a single minor piece, or bishops on squares of one colour, which are equivalent."""
    minors, bishops = (board.knights | board.bishops) & mine, board.bishops & mine
    one_color = not bishops & chess.BB_LIGHT_SQUARES or not bishops & chess.BB_DARK_SQUARES
    return minors.bit_count() < 2 or (not board.knights & mine and one_color)


def _until_smothered(board: chess.Board, winner: chess.Color) -> int:
    """Return the distance to a mate by a single minor piece: it mates only a king hemmed in by its own men, a bishop
    only in a corner of its colour."""
    mine, other = board.occupied_co[winner], board.occupied_co[not winner]
    enemy = msb(board.kings & other)
    officers = other & ~board.kings & ~board.pawns
    distance = 2 * sum(sorted(_distances(officers, enemy))[:2])
    if board.pawns & other and officers.bit_count() < 2:
        distance += 3 * _steps(board.pawns & other, mine, white=not winner)
    if board.knights & mine:
        return distance + min(_distances((board.knights | board.bishops) & mine, enemy))
    color = chess.BB_DARK_SQUARES if board.bishops & mine & chess.BB_DARK_SQUARES else chess.BB_LIGHT_SQUARES
    return distance + 3 * min(_distances(chess.BB_CORNERS & color, enemy))
