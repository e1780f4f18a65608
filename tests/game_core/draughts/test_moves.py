"""Legal moves of random positions: equal to a plain generator's, and symmetric."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from game_core.color import COLORS, other
from game_core.draughts.men import KingRun, Men, Runs
from game_core.draughts.moves import find_moves, has_capture, has_move
from tests.game_core.draughts.boards import PLAIN, crowded
from tests.game_core.draughts.plain import Plain

if TYPE_CHECKING:
    from game_core.draughts.board import Board
    from tests.game_core.draughts.plain import Square, Standing

SEEDS = range(150)


def places(board: Board) -> dict[int, Square]:
    """Row and column of each square."""
    laws, bits = board.laws, board.field.bits
    if laws.orthogonal:
        squares = [(row, column) for row in range(laws.size) for column in range(laws.size)]
    else:
        odd = 0 if laws.mirrored else 1
        squares = [
            (row, column) for row in range(laws.size) for column in range(laws.size) if (row + column) % 2 == odd
        ]
    return dict(zip(bits, squares, strict=True))


def any_men(board: Board, seed: int) -> Men:
    """Some men, wherever they may stand."""
    chance = Random(seed)
    if seed % 2:
        return crowded(board, seed)
    bits = chance.sample(board.field.bits, chance.randint(2, 2 * board.most))
    split = chance.randint(max(1, len(bits) - board.most), min(board.most, len(bits) - 1))
    white, black = sum(bits[:split]), sum(bits[split:])
    kings = sum(bit for bit in bits if chance.random() < seed % 5 / 4)
    return Men(white, black, kings | white & board.crown["w"] | black & board.crown["b"], chance.choice(COLORS))


@pytest.mark.exhaustive
@pytest.mark.parametrize("variant", PLAIN)
def test_moves_equal_a_plain_generator(variant: str) -> None:
    board = PLAIN[variant].board
    place = places(board)
    for seed in SEEDS:
        men = any_men(board, seed)
        standing: Standing = {}
        for bit, square in place.items():
            if bit & (men.white | men.black):
                mark = "w" if bit & men.white else "b"
                standing[square] = mark.upper() if bit & men.kings else mark
        plain = Plain(board.laws, standing, men.turn)
        captures, steps = plain.captures(), plain.steps()
        moves = find_moves(board, men)
        assert has_capture(board, men) == bool(captures)
        assert has_move(board, men) == bool(captures or steps)
        if captures:
            found = [
                (place[one.start], place[one.end], frozenset(at for bit, at in place.items() if bit & one.taken))
                for one in moves.values()
            ]
            assert set(found) == captures, men
        else:
            assert not any(one.taken for one in moves.values())
            found_steps = [(place[one.start], place[one.end]) for one in moves.values()]
            assert set(found_steps) == steps, men
        assert len(moves) == len(captures or steps)


def turned(board: Board, bits: int) -> int:
    """The squares opposite of ``bits``."""
    squares = board.field.bits
    return sum(opposite for bit, opposite in zip(squares, squares[::-1], strict=True) if bit & bits)


def mirrored(board: Board, men: Men) -> Men:
    """The same with the colours changed and the board turned."""
    white, black, kings = (turned(board, bits) for bits in (men.black, men.white, men.kings))
    runs = Runs(*(KingRun(turned(board, run.king), run.moves) for run in (men.runs.black, men.runs.white)))
    return Men(white, black, kings, other(men.turn), runs)


@pytest.mark.parametrize("variant", PLAIN)
def test_mirrored_position_has_the_mirrored_moves(variant: str) -> None:
    board = PLAIN[variant].board
    for seed in SEEDS:
        men = any_men(board, seed)
        turned_men = mirrored(board, men)
        moves = {(one.start, one.end, one.taken) for one in find_moves(board, men).values()}
        others = {
            (turned(board, one.start), turned(board, one.end), turned(board, one.taken))
            for one in find_moves(board, turned_men).values()
        }
        assert moves == others, men


@pytest.mark.parametrize("variant", PLAIN)
def test_mirrored_moves_lead_to_mirrored_positions(variant: str) -> None:
    board = PLAIN[variant].board
    for seed in SEEDS:
        men = any_men(board, seed)
        turned_men = mirrored(board, men)
        after = {mirrored(board, board.after(men, move)) for move in find_moves(board, men).values()}
        assert after == {board.after(turned_men, move) for move in find_moves(board, turned_men).values()}
