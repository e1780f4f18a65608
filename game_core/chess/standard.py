"""Chess as everybody plays it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import chess

from game_core.chess.position import Position
from game_core.chess.winnable import can_win
from game_core.errors import BadPosition, IllegalMove
from game_core.rules import Outcome, Played

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.color import Color

_WIRE = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?", re.ASCII)


class Standard:
    """The rules of ``chess`` / ``standard``. Moves are UCI; castling is ``e1g1``, and ``e1h1`` is understood."""

    game = "chess"
    variant = "standard"
    notation: Literal["san", "pdn"] = "san"
    chess960 = False

    def start(self, fen: str | None) -> Position:
        """The initial position, or that of ``fen``. Raises ``BadPosition`` if it is malformed, cannot come about or is
        over already."""
        try:
            board = chess.Board(fen or chess.STARTING_FEN, chess960=self.chess960)
        except ValueError as error:
            raise BadPosition(str(error)) from error
        if not board.is_valid():
            raise BadPosition(f"not a position of a game: {board.status()!r}")
        position = Position(board)
        over = self.outcome(position)
        if over is not None:
            raise BadPosition(f"the game is over there already: {over.reason}")
        return position

    def draw_start(self, number: int) -> str | None:
        """None: there is one start position only."""
        del number
        return None

    def turn(self, position: Position) -> Color:
        return "w" if position.board.turn else "b"

    def fen(self, position: Position) -> str:
        return position.fen

    def is_check(self, position: Position) -> bool:
        return position.check

    def legal_moves(self, position: Position) -> Sequence[str]:
        return [move.uci() for move in position.board.legal_moves]

    def play(self, position: Position, move: str) -> Played:
        """Play ``move``. Raises ``IllegalMove``."""
        board = position.board
        if not _WIRE.fullmatch(move):
            raise IllegalMove(f"not a move: {move!r}; expected two squares as in e2e4, with a piece to promote to")
        try:
            parsed = board.parse_uci(move)
        except ValueError:
            raise IllegalMove(f"{move} is not legal here") from None
        after = board.copy(stack=False)
        san = after.san_and_push(parsed)
        after.clear_stack()
        final = board.is_irreversible(parsed)
        child = Position(after, () if final else position.keys)
        return Played(position=child, move=parsed.uci(), notation=san, check=child.check)

    def outcome(self, position: Position) -> Outcome | None:
        board = position.board
        if not any(board.generate_legal_moves()):
            if position.check:
                return Outcome(winner="b" if board.turn else "w", reason="checkmate")
            return Outcome(winner=None, reason="stalemate")
        if not can_win(board, chess.WHITE) and not can_win(board, chess.BLACK):
            return Outcome(winner=None, reason="dead_position")
        if position.repeats >= 5:
            return Outcome(winner=None, reason="fivefold")
        if board.halfmove_clock >= 150:
            return Outcome(winner=None, reason="seventyfive_moves")
        return None

    def claimable(self, position: Position) -> str | None:
        if self.outcome(position) is not None:
            return None
        if position.repeats >= 3:
            return "threefold"
        if position.board.halfmove_clock >= 100:
            return "fifty_moves"
        return None

    def can_win(self, position: Position, color: Color) -> bool:
        return can_win(position.board, color == "w")
