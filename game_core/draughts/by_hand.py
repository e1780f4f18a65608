"""What hands can do on a draughts board: move one of one's own pieces to an empty square, over others or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.draughts.board import Board, Move
from game_core.draughts.notation.fen import parse_fen
from game_core.draughts.notation.spelling import squares_of
from game_core.draughts.position import Position
from game_core.errors import AmbiguousMove, IllegalMove, InvalidMove
from game_core.leaps import Leaps
from game_core.rules import Played

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.color import Color


class DraughtsHand:
    """Hands at a draughts board. Only own pieces bind: captures are compulsory as it is."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def play(self, position: Position, move: str) -> tuple[Played, bool]:
        """Make ``move``. An ambiguous one is refused: hands would not be."""
        try:
            return position.play(move), False
        except (AmbiguousMove, InvalidMove):
            raise
        except IllegalMove:
            return self._put(position, move), True

    def lie(self, fen: str) -> Position:
        return Position.first(self._board, parse_fen(self._board, fen))

    def owner(self, position: Position, square: str) -> Color | None:
        bit = self._board.field.named.get(square, 0)
        return "w" if position.men.white & bit else "b" if position.men.black & bit else None

    def touches(self, position: Position, move: str) -> Sequence[str]:
        """Return the square of the piece that moves."""
        del position
        return (self._origin(move),)

    def bound(self, position: Position, touched: Sequence[str], *, rook_first: bool) -> Sequence[str] | None:
        """Return the moves of the first touched piece that has any."""
        del rook_first
        for square in touched:
            found = [move for move in position.legal if self._origin(move) == square]
            if found:
                return found
        return None

    def is_unfinished(self, position: Position, move: str) -> bool:
        """Return False: men become kings without a hand."""
        del position, move
        return False

    def needs_arbiter(self, position: Position) -> bool:
        """Return False: the opponent alone decides."""
        del position
        return False

    def is_written(self, position: Position, move: str, notation: str, text: str, language: str) -> bool:
        """Compare the squares."""
        del notation, language
        try:
            return position.play(text).move == move
        except IllegalMove:
            return squares_of(self._board, text) == squares_of(self._board, move)

    def may_win_on_time(self, position: Position, color: Color) -> bool:
        """Return True: the rule is one of chess."""
        del position, color
        return True

    def _origin(self, move: str) -> str:
        squares = squares_of(self._board, move)
        assert squares is not None, "the move was made"
        return self._board.field.names[squares[0]]

    def _put(self, position: Position, text: str) -> Played:
        """Return the position after an irregular move. Of a capture every piece of the opponent that is jumped over in
        a straight line is removed."""
        board, men = self._board, position.men
        field = board.field
        squares = squares_of(board, text)
        assert squares is not None, "a text without squares is no move at all"
        start, *path = squares
        own, foes = men.sides
        names = [field.names[square] for square in squares]
        if not start & own:
            raise IllegalMove(f"you have no piece on {names[0]}")
        end = path[-1]
        if end & (own | foes) & ~start:
            raise IllegalMove(f"{text}: there is a piece on {names[-1]}")
        taken, at = 0, start
        is_capture = "-" not in text
        for landed in path if is_capture else ():
            if any(ray & landed for _, ray in field.leap_rays[at]):
                taken |= field.between(at, landed) & foes
            at = landed
        if taken == foes:
            raise IllegalMove(f"{text}: an irregular move cannot take the last piece")
        move = Move(start, end, ("x" if is_capture else "-").join(names), taken, tuple(path))
        return Played(
            position=Position.first(board, board.after(men, move)),
            move=move.text,
            notation=move.text,
            check=False,
            leaps=self._leaps(names[1:], taken) if taken else None,
        )

    def _leaps(self, path: list[str], taken: int) -> Leaps:
        field = self._board.field
        return Leaps(tuple(path), tuple(name for bit, name in field.names.items() if bit & taken))
