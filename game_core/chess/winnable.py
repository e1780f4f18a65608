"""Quick check of whether a side can still mate by any series of legal moves (Articles 1.3, 5.2b, 6.9, 9.6), for
standard chess and Chess960.

Three questions, each asked only if the previous one is undecided: the material, whether anything can be locked at all,
and then the bound of ``reach`` along forced moves. "Cannot" is certain; "can" is the answer in all other cases.
"""

from __future__ import annotations

from itertools import islice

import chess

from game_core.chess.reach import mates_in_reach

FEW_MEN = 4
"""With at most this many men a forced capture is looked for even if the pawns are free: it may leave bare kings."""

FORCED_MEN = 6
"""With at most this many men a few forced moves may leave too little material to mate, however free the pawns are."""

FEW_MOVES = 3
"""With at most this many legal moves the outcome of all of them is looked at."""

FEW_MOVES_SHUT_IN = 9
"""With at most this many legal moves a side whose king has none may run out of moves."""

MAX_FORCED_PLIES = 8
"""How far a line of only moves is followed. Longer ones occur only in studies."""


def can_win(board: chess.Board, color: chess.Color) -> bool:
    """Return whether ``color`` may still mate. Never False if a mate is reachable, however badly the opponent plays."""
    if board.has_insufficient_material(color):
        return False
    return not may_be_locked(board) or _mates_in_forced_line(board)[0 if color else 1]


def is_dead(board: chess.Board) -> bool:
    """Return whether neither side can win any more, so that the game is drawn at once (5.2b)."""
    if board.is_insufficient_material():
        return True
    return may_be_locked(board) and not any(_mates_in_forced_line(board))


def may_be_dead(board: chess.Board, *, check: bool, is_irreversible: bool) -> bool:
    """Return whether a search for a mate is worth while after a move that led to ``board``.

    A cheap filter. A dead position that it misses is found later in the game.

    Args:
        check: whether the side to move is in check.
        is_irreversible: the last move cannot be undone. A reversible move does not make a position dead unless the next
            moves are forced.
    """
    if not is_irreversible and not check and _easy_moves(board, board.turn) > FEW_MOVES:
        return False
    if _is_plainly_suspect(board):
        return is_irreversible or not any(islice(board.generate_legal_moves(), FEW_MOVES, None))
    if not check:
        return False
    moves = list(islice(board.generate_legal_moves(), 2))
    if len(moves) != 1:
        return False
    board = board.copy(stack=False)
    board.push(moves[0])
    return _is_plainly_suspect(board)


def _is_plainly_suspect(board: chess.Board) -> bool:
    """Return whether there are few men, locked pawns, or a side with few moves whose king has at most one."""
    men = board.occupied.bit_count()
    if FEW_MEN < men <= FORCED_MEN or may_be_locked(board):
        return True
    return any(_is_shut_in(board, color) for color in chess.COLORS)


def _is_shut_in(board: chess.Board, color: chess.Color) -> bool:
    own = board.occupied_co[color]
    if _easy_moves(board, color) > FEW_MOVES_SHUT_IN:
        return False
    around = chess.BB_KING_ATTACKS[chess.msb(board.kings & own)] & ~own
    most = FEW_MOVES_SHUT_IN
    for square in chess.scan_forward(around):
        if not board.attackers_mask(not color, square):
            if most == FEW_MOVES:
                return False
            most = FEW_MOVES
    if board.turn != color:
        board = board.copy(stack=False)
        board.push(chess.Move.null())
    return not any(islice(board.generate_legal_moves(), most, None))


def _easy_moves(board: chess.Board, color: chess.Color) -> int:
    """Return the number of straight pawn moves and knight moves, ignoring pins."""
    own, free = board.occupied_co[color], ~board.occupied
    pawns = board.pawns & own
    if color:
        steps = pawns << 8 & free
        leaps = (steps & chess.BB_RANK_3) << 8 & free
    else:
        steps = pawns >> 8 & free
        leaps = (steps & chess.BB_RANK_6) >> 8 & free
    moves = (steps & chess.BB_ALL).bit_count() + leaps.bit_count()
    for square in chess.scan_forward(board.knights & own):
        moves += (chess.BB_KNIGHT_ATTACKS[square] & ~own).bit_count()
    return moves


def may_be_locked(board: chess.Board) -> bool:
    """Return whether a closer look is worth while: few men, or no pawn that could step forward and ever pass or meet
    another.

    This keeps the usual position cheap. It misses positions that are dead although pawns can move; they are found when
    the pawns have run into each other.
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
    """Return whether pawns, alone on the board, could ever pass or capture one another."""
    white_path, black_path = white, black
    for _ in range(5):
        white_path |= white_path << 8 & ~black
        black_path |= black_path >> 8 & ~white
    if white_path & chess.BB_RANK_8 or black_path & chess.BB_RANK_1:
        return True
    to_right, to_left = white_path & ~chess.BB_FILE_H, white_path & ~chess.BB_FILE_A
    return bool((to_right << 9 | to_left << 7) & black_path)


def _mates_in_forced_line(board: chess.Board) -> tuple[bool, bool]:
    """Return whether White, and whether Black, may still mate after the forced moves, if moves are forced."""
    board = board.copy(stack=False)
    white = black = True
    for _ in range(MAX_FORCED_PLIES):
        # Without pawns nothing can be shut in.
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
