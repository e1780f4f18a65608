"""What hands can do on a chess board: touch pieces, and put one of one's own on any square without another of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
from chess import BB_SQUARES

from game_core.chess.laws import PROMOTIONS
from game_core.chess.notation.move_text import parse_move
from game_core.chess.position import Position
from game_core.errors import IllegalMove, InvalidMove
from game_core.rules import Played

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from game_core.chess.laws import Laws
    from game_core.color import Color

_SQUARES = {name: square for square, name in enumerate(chess.SQUARE_NAMES)}

_LETTERS = " PNBRQK"


class ChessHand:
    """Hands at the board of standard chess or Chess960."""

    def __init__(self, laws: Laws) -> None:
        self._laws = laws

    def play(self, position: Position, move: str) -> tuple[Played, bool]:
        """Make ``move``. It is irregular too if it captures the king (7.4a), which only an illegal move exposes."""
        if not _takes_king(position.board, _SQUARES.get(move[2:4])):
            try:
                return position.play(move), False
            except IllegalMove:
                pass
        return self._put(position, move), True

    def lie(self, fen: str) -> Position:
        return Position.first(self._laws, self._laws.board(fen))

    def owner(self, position: Position, square: str) -> Color | None:
        color = position.board.color_at(_SQUARES[square]) if square in _SQUARES else None
        return None if color is None else "w" if color else "b"

    def touches(self, position: Position, move: str) -> Sequence[str]:
        """Return the square of the piece, and that of the piece that it captures."""
        board, origin, target = position.board, move[:2], move[2:4]
        foes = board.occupied_co[not board.turn]
        if foes & BB_SQUARES[_SQUARES[target]]:
            return origin, target
        if board.ep_square == _SQUARES[target] and board.piece_type_at(_SQUARES[origin]) == chess.PAWN:
            return origin, f"{target[0]}{origin[1]}"
        return (origin,)

    def bound(self, position: Position, touched: Sequence[str], *, rook_first: bool) -> Sequence[str] | None:
        """Return the moves that Articles 4.3 and 4.4 leave."""
        board = position.board
        legal = [move for move in board.legal_moves if not _takes_king(board, move.to_square)]
        squares = [_SQUARES[name] for name in touched]
        own = [square for square in squares if board.color_at(square) == board.turn]
        # Other pieces may have been touched too: those that cannot move do not count (4.3).
        king = next((at for at, square in enumerate(own) if board.piece_type_at(square) == chess.KING), len(own))
        early, late = (
            [square for square in part if board.piece_type_at(square) == chess.ROOK]
            for part in (own[:king], own[king:])
        )
        if early:
            # 4.4b: who touches a rook and then the king "is not allowed to castle on that side".
            castling = [move for move in legal if _rook_of(board, move) == early[0]]
            if rook_first and castling and squares[0] == early[0]:
                return _texts([*castling, *(move for move in legal if move.from_square == early[0])])
            legal = [move for move in legal if _rook_of(board, move) not in early]
        if late and not any(move.from_square in own[:king] for move in legal):
            # 4.4a: "If a player deliberately touches his king and rook he must castle on that side if it is legal to
            # do so." 4.4c: otherwise "another legal move with his king"; if there is none, "any legal move".
            castling = [move for move in legal if _rook_of(board, move) == late[0]]
            return _texts(castling or [move for move in legal if move.from_square == own[king]])
        foes = [square for square in squares if square not in own]
        if own and foes:
            # 4.3c: "he must capture the opponent's piece with his piece or, if this is illegal, move or capture the
            # first piece touched which can be moved or captured."
            both = [move for move in legal if move.from_square == own[0] and _taken_by(board, move) == foes[0]]
            if both:
                return _texts(both)
        for square in squares:
            # 4.3: "the first piece touched which can be moved", "captured".
            found = [move for move in legal if square in (move.from_square, _taken_by(board, move))]
            if found:
                return _texts(found)
        return None

    def is_unfinished(self, position: Position, move: str) -> bool:
        """Return whether a pawn stands on the last rank that could be promoted there."""
        if len(move) != len("e7e8"):
            return False
        return position.board.is_legal(chess.Move.from_uci(f"{move}q"))

    def needs_arbiter(self, position: Position) -> bool:
        """Return whether a king is missing, a pawn stands on the last rank, or both kings are in check (A4c)."""
        board = position.board
        white, black = board.king(chess.WHITE), board.king(chess.BLACK)
        if white is None or black is None or board.pawns & chess.BB_BACKRANKS:
            return True
        return board.is_attacked_by(chess.BLACK, white) and board.is_attacked_by(chess.WHITE, black)

    def is_written(self, position: Position, move: str, notation: str, text: str, language: str) -> bool:
        """Compare in any notation (C.13). An illegal move is compared with the way it is written here."""
        try:
            return parse_move(position.board, text, self._laws, language, any_case=True).move == move
        except IllegalMove:
            return text == notation

    def may_win_on_time(self, position: Position, color: Color) -> bool:
        """Return whether ``color`` has more than a lone king, king and bishop or knight, or two knights without a pawn
        on the board (14E). That such a side may have a forced win is not looked for."""
        board = position.board
        men = board.occupied_co[color == "w"] & ~board.kings
        if not men & ~(board.knights | board.bishops):
            is_lone_pair = men.bit_count() == 2 and not men & board.bishops and not board.pawns
            return men.bit_count() > 1 and not is_lone_pair
        return True

    def _put(self, position: Position, move: str) -> Played:
        """Return the position after an illegal ``move``. The counts of moves and repetitions begin anew with it."""
        before = position.board
        start, end, promotion = _squares_of(before, move)
        piece = before.piece_type_at(start)
        assert piece is not None
        board = before.copy(stack=False)
        rook = _castling_rook(before, start, end) if piece == chess.KING else None
        if rook is not None:
            notation = "O-O" if rook > start else "O-O-O"
            board.remove_piece_at(rook)
            rank = start & 0b111000
            king_to, rook_to = (chess.G1, chess.F1) if rook > start else (chess.C1, chess.D1)
            end = rank | king_to
            board.set_piece_at(rank | rook_to, chess.Piece(chess.ROOK, before.turn))
        else:
            if before.color_at(end) == before.turn:
                raise IllegalMove(f"{move}: your own piece stands on {move[2:4]}")
            notation = _notation(piece, start, end, promotion, takes=bool(before.occupied & BB_SQUARES[end]))
        board.remove_piece_at(start)
        board.set_piece_at(end, chess.Piece(promotion or piece, before.turn))
        board.turn = not before.turn
        board.ep_square = None
        board.halfmove_clock = 0
        board.fullmove_number += not before.turn
        if piece == chess.KING:
            board.castling_rights &= ~(chess.BB_RANK_1 if before.turn else chess.BB_RANK_8)
        board.castling_rights = board.clean_castling_rights()
        after = Position.first(self._laws, board)
        return Played(position=after, move=move, notation=notation, check=after.check)


def _squares_of(board: chess.Board, move: str) -> tuple[chess.Square, chess.Square, chess.PieceType | None]:
    """Return where a piece is taken from and put, and the piece that replaces a pawn. Raises ``IllegalMove``."""
    start, end = _SQUARES.get(move[:2]), _SQUARES.get(move[2:4])
    if start is None or end is None or start == end or move[4:] not in PROMOTIONS:
        raise InvalidMove(f"{move[:12]!r} is not a move; expected two squares as in 'e2e4', or 'e7e8q' to promote")
    if board.color_at(start) != board.turn:
        raise IllegalMove(f"you have no piece on {move[:2]}")
    promotion = PROMOTIONS[move[4:]]
    if promotion and not (board.pawns & BB_SQUARES[start] and chess.BB_BACKRANKS & BB_SQUARES[end]):
        raise IllegalMove(f"{move}: only a pawn is replaced, and only on the last rank")
    return start, end, promotion


def _castling_rook(board: chess.Board, start: chess.Square, end: chess.Square) -> chess.Square | None:
    """Return the rook of a castling by hand, if king and rook have room for it; None: the king moves alone."""
    if board.color_at(end) == board.turn and board.piece_type_at(end) == chess.ROOK:
        rook = end
    elif not board.chess960 and start in (chess.E1, chess.E8) and abs(end - start) == len("O-"):
        rook = start + 3 if end > start else start - 4
    else:
        return None
    rank = start & 0b111000
    room = BB_SQUARES[rank | (chess.G1 if rook > start else chess.C1)]
    room |= BB_SQUARES[rank | (chess.F1 if rook > start else chess.D1)]
    if rook & 0b111000 != rank or room & board.occupied & ~BB_SQUARES[start] & ~BB_SQUARES[rook]:
        return None
    return rook if board.rooks & board.occupied_co[board.turn] & BB_SQUARES[rook] else None


def _notation(
    piece: chess.PieceType, start: chess.Square, end: chess.Square, promotion: chess.PieceType | None, *, takes: bool
) -> str:
    """Return a move as a player would write it, without disambiguation and marks of check."""
    name = chess.SQUARE_NAMES[end]
    if piece != chess.PAWN:
        return f"{_LETTERS[piece]}{'x' if takes else ''}{name}"
    if takes:
        name = f"{chess.FILE_NAMES[chess.square_file(start)]}x{name}"
    return f"{name}={_LETTERS[promotion]}" if promotion else name


def _takes_king(board: chess.Board, square: chess.Square | None) -> bool:
    foes = board.occupied_co[not board.turn]
    return square is not None and bool(board.kings & foes & BB_SQUARES[square])


def _taken_by(board: chess.Board, move: chess.Move) -> chess.Square | None:
    """Return the square of what a legal ``move`` captures."""
    if board.is_en_passant(move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    return move.to_square if board.color_at(move.to_square) == (not board.turn) else None


def _rook_of(board: chess.Board, move: chess.Move) -> chess.Square | None:
    """Return the rook of a legal castling; None if ``move`` is another move."""
    if not board.is_castling(move):
        return None
    if board.chess960:
        return move.to_square
    return move.from_square + 3 if move.to_square > move.from_square else move.from_square - 4


def _texts(moves: Iterable[chess.Move]) -> Sequence[str] | None:
    """Return wire moves; None if there are none."""
    return [move.uci() for move in moves] or None
