"""Whether a side can still win by any series of legal moves (Articles 1.3, 5.2b, 6.9, 9.6).

Three questions, each asked only if the one before left it open: the material, whether anything can be locked at all,
and then the bound of ``reach`` along the moves that are forced. The answer "cannot" is certain; "can" is said of
everything that these do not settle.
"""

from __future__ import annotations

from itertools import islice

import chess

from game_core.chess.reach import mates_in_reach

FEW_MEN = 4
"""Up to so many men a forced capture is looked for even if the pawns are free: it may leave bare kings."""

MAX_FORCED_PLIES = 8
"""How far a line of only moves is followed; longer ones come up in studies only."""


def can_win(board: chess.Board, color: chess.Color) -> bool:
    """Whether ``color`` may still mate. Never False where a mate can be reached, however badly the opponent plays."""
    if board.has_insufficient_material(color):
        return False
    return not may_be_locked(board) or _mates_in_forced_line(board)[0 if color else 1]


def is_dead(board: chess.Board) -> bool:
    """Whether neither side can win any more, so that the game is drawn at once (5.2b)."""
    if board.is_insufficient_material():
        return True
    return may_be_locked(board) and not any(_mates_in_forced_line(board))


def may_be_locked(board: chess.Board) -> bool:
    """Whether it is worth looking closer: few men, or no pawn that could step forward and ever pass or meet another.

    This keeps the usual position cheap. It lets go of positions that are dead although pawns move: they are found out
    when those have run into each other.
    """
    pawns, occupied = board.pawns, board.occupied
    if occupied.bit_count() <= FEW_MEN:
        return True
    if not pawns:
        return False
    white, black = pawns & board.occupied_co[chess.WHITE], pawns & board.occupied_co[chess.BLACK]
    if not (white << 8 & chess.BB_ALL | black >> 8) & ~occupied:
        return True
    return not _pawns_break(white, black)


def _pawns_break(white: chess.Bitboard, black: chess.Bitboard) -> bool:
    """Whether pawns, alone on the board, could come to pass or to take one another."""
    white_path, black_path = white, black
    for _ in range(5):
        white_path |= white_path << 8 & ~black
        black_path |= black_path >> 8 & ~white
    if white_path & chess.BB_RANK_8 or black_path & chess.BB_RANK_1:
        return True
    to_right, to_left = white_path & ~chess.BB_FILE_H, white_path & ~chess.BB_FILE_A
    return bool((to_right << 9 | to_left << 7) & black_path)


def _mates_in_forced_line(board: chess.Board) -> tuple[bool, bool]:
    """Whether White, and whether Black, may still mate where the only moves lead, if there are only moves."""
    board = board.copy(stack=False)
    white = black = True
    for _ in range(MAX_FORCED_PLIES):
        # Without pawns there is nothing to shut pieces in.
        in_reach = mates_in_reach(board) if board.pawns else (True, True)
        white = white and in_reach[0] and not board.has_insufficient_material(chess.WHITE)
        black = black and in_reach[1] and not board.has_insufficient_material(chess.BLACK)
        moves = list(islice(board.generate_legal_moves(), 2))
        if not moves:
            mate = board.is_check()
            return white and mate and not board.turn, black and mate and board.turn
        if len(moves) > 1:
            break
        board.push(moves[0])
    return white, black
