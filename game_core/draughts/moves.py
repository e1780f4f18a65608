"""All legal moves of a position."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from game_core.draughts.board import Move
from game_core.draughts.captures import KING_WORTH, MAN_WORTH, Capture, Sides, choose
from game_core.draughts.field import each, nearest
from game_core.draughts.lines import CaptureLines
from game_core.draughts.men import NO_RUNS
from game_core.draughts.search import CaptureSearch
from game_core.draughts.speedups import SPEEDUPS
from game_core.draughts.sweep import Sweep
from game_core.draughts.trails import Trails

if TYPE_CHECKING:
    from game_core.draughts.board import Board
    from game_core.draughts.men import Men
    from game_core.draughts.speedups import Speedups


def find_moves(board: Board, men: Men, speedups: Speedups | None = SPEEDUPS) -> dict[str, Move]:
    """Return the legal moves by text: captures if there are any, else steps.

    Args:
        speedups: used for what it ``serves``. Without it the same moves are found in the same order.
    """
    sides = Sides(board, men)
    takers = sides.takers()
    if not takers:
        return {move.text: move for move in _steps(board, men)}
    if board.laws.at_once:
        found = choose(_swept(sides, men, takers, speedups), board.laws, sides.foe_kings)
    elif board.laws.choice == "value":
        found = _most_valuable(sides, takers, speedups)
    else:
        found = choose(CaptureSearch(sides).all(takers), board.laws, sides.foe_kings)
    return {move.text: move for move in _named(board, found)}


def has_move(board: Board, men: Men) -> bool:
    """Return whether the side to move has a move."""
    own, foes = men.sides
    field = board.field
    empty = field.all & ~own & ~foes
    if men.runs is not NO_RUNS:
        own &= ~board.resting(men)
    kings = own & men.kings
    forward = board.forward[men.turn]
    for shift in field.shifts:
        if field.step(own if shift in forward else kings, shift) & empty:
            return True
    return has_capture(board, men)


def has_capture(board: Board, men: Men) -> bool:
    """Return whether the side to move must capture."""
    return bool(Sides(board, men).takers())


def _swept(sides: Sides, men: Men, takers: int, speedups: Speedups | None) -> list[Capture]:
    """Return the longest captures of each piece."""
    field, own, foes = sides.field, sides.own, sides.foes
    if speedups is not None and not speedups.serves(field, foes):
        speedups = None
    found: list[Capture] = []
    for king, starts in ((True, takers & sides.kings), (False, takers & ~sides.kings)):
        if not starts:
            continue
        directions = sides.board.capture_directions(men.turn, king=king)
        if speedups is not None:
            captures = speedups.captures(field, own, foes, starts, directions=directions, king=king)
        else:
            lines = CaptureLines(field, own, foes, directions=directions, king=king)
            captures = ((start, *one) for start in each(starts) for one in Sweep(lines, start).captures())
        for start, end, taken, path in captures:
            found.append(Capture(start, end, taken, path, king, crowned=False, order=0))
    return found


def _most_valuable(sides: Sides, takers: int, speedups: Speedups | None) -> list[Capture]:
    """Return the most valuable captures; of these those by kings, if there are any."""
    worth = {prey: KING_WORTH if prey & sides.foe_kings else MAN_WORTH for prey in each(sides.foes)}
    found: list[Capture] = []
    most, by_king = 0, False
    for start in (*each(takers & sides.kings), *each(takers & ~sides.kings)):
        king = bool(start & sides.kings)
        least = most + (by_king and not king)
        trails = Trails(sides, start)
        if sum(worth[prey] for prey in trails.squares_of) < least:
            continue
        if speedups is not None and speedups.serves_trails(trails):
            captures = speedups.trail_captures(trails, worth, least)
        else:
            captures = trails.captures(worth, least)
        for end, taken, path in captures:
            value = sum(worth[prey] for prey in each(taken))
            if value > most:
                found, most, by_king = [], value, king
            found.append(Capture(start, end, taken, path, king, crowned=False, order=0))
    return found


def _steps(board: Board, men: Men) -> list[Move]:
    field = board.field
    own, foes = men.sides
    occupied = own | foes
    empty = field.all & ~occupied
    if men.runs is not NO_RUNS:
        own &= ~board.resting(men)
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
    """Return the moves of ``captures``. Their texts have from and to, and all landing squares if that is ambiguous."""
    names = board.field.names
    ends = Counter((one.start, one.end) for one in captures)
    return [
        Move(
            start=one.start,
            end=one.end,
            text="x".join(
                names[bit] for bit in (one.start, *(one.path if ends[one.start, one.end] > 1 else (one.end,)))
            ),
            taken=one.taken,
            path=one.path,
            crowned=one.crowned,
        )
        for one in captures
    ]
