"""A guess of how far a helped mate is: what a search for one goes after first. Nothing is ruled out by it."""

from __future__ import annotations

import chess
from chess import msb, scan_forward, square_distance


def mate_distance(board: chess.Board, winner: chess.Color) -> int:
    """How far ``winner`` seems from mating, in no unit: material to make, men in the way, the kings' places."""
    mine, other = board.occupied_co[winner], board.occupied_co[not winner]
    king, enemy = msb(board.kings & mine), msb(board.kings & other)
    apart = max(0, square_distance(king, enemy) - 2)
    queens = board.queens & mine
    # A queen comes first; her king helps where she cannot.
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
    """How far ``winner`` seems from mating with a single minor piece though he has pawns, the enemy king among his own
    men; None if that is not what he has, or if a pawn of his is free to go on. His king is not needed for it and may
    never get there.
    """
    mine, other = board.occupied_co[winner], board.occupied_co[not winner]
    pawns = board.pawns & mine
    if not pawns or (board.queens | board.rooks) & mine or not (board.knights | board.bishops) & mine:
        return None
    if not _is_single_minor(board, mine) or not _are_held(pawns, board.pawns & other, white=winner):
        return None
    enemy = msb(board.kings & other)
    return _until_smothered(board, winner) + _until_shut_in(board, winner, enemy)


def _until_shut_in(board: chess.Board, winner: chess.Color, enemy: chess.Square) -> int:
    """How far the ``enemy`` king is from a corner, and how many ways out he has."""
    distance = 2 * min(_distances(chess.BB_CORNERS, enemy))
    for square in scan_forward(chess.BB_KING_ATTACKS[enemy] & ~board.occupied_co[not winner]):
        if not board.is_attacked_by(winner, square):
            distance += 3
    return distance


def _distances(squares: chess.Bitboard, square: chess.Square) -> list[int]:
    return [square_distance(square, other) for other in scan_forward(squares)]


def _until_promotion(board: chess.Board, winner: chess.Color) -> int:
    """Steps of the pawn that has the fewest men in its way, and of the king to where it could clear the way."""
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
    """Whether each of ``pawns`` has one of the ``enemies`` ahead on its file."""
    for _ in range(5):
        enemies |= enemies >> 8 if white else enemies << 8
    return not pawns & ~enemies


def _is_single_minor(board: chess.Board, mine: chess.Bitboard) -> bool:
    """Or as good as a single one: bishops that all go on squares of one colour."""
    minors, bishops = (board.knights | board.bishops) & mine, board.bishops & mine
    one_color = not bishops & chess.BB_LIGHT_SQUARES or not bishops & chess.BB_DARK_SQUARES
    return minors.bit_count() < 2 or (not board.knights & mine and one_color)


def _until_smothered(board: chess.Board, winner: chess.Color) -> int:
    """A single minor mates only a king that its own officers are in the way of, a bishop only in its own corner."""
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
