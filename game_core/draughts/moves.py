"""All legal moves of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.draughts.board import Move
from game_core.draughts.captures import Search
from game_core.draughts.field import each, nearest

if TYPE_CHECKING:
    from game_core.draughts.board import Board, Men
    from game_core.draughts.captures import Capture


def find_moves(board: Board, men: Men) -> dict[str, Move]:
    """The legal moves by their text: captures if there are any, else steps."""
    captures = Search(board, men).all()
    moves = _named(board, captures) if captures else _steps(board, men)
    return {move.text: move for move in moves}


def has_move(board: Board, men: Men) -> bool:
    """Whether the side to move has any."""
    own, foes = men.sides
    field = board.field
    empty = field.all & ~own & ~foes
    kings = own & men.kings
    forward = board.forward[men.turn]
    return any(field.step(own if shift in forward else kings, shift) & empty for shift in field.shifts) or bool(
        Search(board, men).takers()
    )


def has_capture(board: Board, men: Men) -> bool:
    """Whether the side to move must take something."""
    return bool(Search(board, men).takers())


def _steps(board: Board, men: Men) -> list[Move]:
    field = board.field
    own, foes = men.sides
    occupied = own | foes
    empty = field.all & ~occupied
    kings = own & men.kings
    found: list[Move] = []
    for shift in board.forward[men.turn]:
        for end in each(field.step(own & ~kings, shift) & empty):
            start = end >> shift if shift > 0 else end << -shift
            found.append(board.steps[start][end])
    for king in each(kings):
        for shift, ray in field.rays[king]:
            if not board.laws.flying:
                free = field.step(king, shift) & empty
            elif met := ray & occupied:
                free = field.between(king, nearest(met, shift))
            else:
                free = ray
            found += (board.steps[king][end] for end in each(free))
    return found


def _named(board: Board, captures: list[Capture]) -> list[Move]:
    """``captures`` with their texts: from and to, and if that says not which, all squares landed on."""
    names = board.field.names
    short = [f"{names[one.start]}x{names[one.end]}" for one in captures]
    return [
        Move(
            start=one.start,
            end=one.end,
            text=text if short.count(text) == 1 else "x".join(names[bit] for bit in (one.start, *one.path)),
            taken=one.taken,
            path=one.path,
            crowned=one.crowned,
        )
        for one, text in zip(captures, short, strict=True)
    ]
