"""Ends of a game by the position on the board, and who can still win when time is out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.color import other
from game_core.draughts.limits import Balance
from game_core.draughts.moves import has_capture, has_move
from game_core.rules import Outcome

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.draughts.board import Board
    from game_core.draughts.men import Men

_ONE_KING = (1, 0)

_ONE_MAN = (0, 1)


def find_end(board: Board, men: Men) -> Outcome | None:
    """Return the end by the position on the board, regardless of history."""
    laws = board.laws
    winner = men.turn if laws.losing else other(men.turn)
    if not men.sides[0]:
        return Outcome(winner=winner, reason="all_captured")
    if not has_move(board, men):
        return Outcome(winner=winner, reason="no_moves")
    return _one_against_one(board, men) if laws.kings_draw or laws.lone_man_loses else None


def _one_against_one(board: Board, men: Men) -> Outcome | None:
    """Return what the laws say of two single pieces. A possible capture is played first."""
    if men.white & (men.white - 1) or men.black & (men.black - 1):
        return None
    white, black, _ = Balance.of(men)
    draw = board.laws.kings_draw and white == black == _ONE_KING
    man = board.laws.lone_man_loses and {white, black} == {_ONE_MAN, _ONE_KING}
    if not (draw or man) or has_capture(board, men):
        return None
    if draw:
        return Outcome(winner=None, reason="draw_rule")
    return Outcome(winner="w" if white == _ONE_KING else "b", reason="all_captured")


def can_win(board: Board, men: Men, color: Color) -> bool:
    """Return whether ``color`` wins when the other's time is out.

    With limits on endings, a lone king does not win against a king with or without others, nor in an ending that has a
    limit.
    """
    balance, limits = Balance.of(men), board.laws.limits
    if balance.less != _ONE_KING or not limits:
        return True
    if not balance.more[0] and not any(balance.more in limit.against_king for limit in limits):
        return True
    own = men.white if color == "w" else men.black
    return bool(own & (own - 1))
