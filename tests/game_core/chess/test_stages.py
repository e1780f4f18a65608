"""Mates excluded by possible king squares and the side to move."""

from __future__ import annotations

import random

import chess
import pytest

from game_core.chess.helpmate import find_mate
from game_core.chess.reach import mates_in_reach
from game_core.chess.stages import is_mate_ruled_out
from tests.game_core.chess.test_winnable import verdicts

EVERY = 23
"""All 1804 would take minutes."""

WAYS = 100

RULED_OUT = 10
"""So many of the published "cannot" are ruled out within so few ways between stages. Fewer would be a step back."""


@pytest.mark.exhaustive
def test_no_winnable_published_position_is_ruled_out() -> None:
    found = 0
    for board, color, winnable in verdicts()[::EVERY]:
        before = board.fen()
        ruled_out = is_mate_ruled_out(board, color, WAYS)
        assert board.fen() == before
        assert not (ruled_out and winnable), before
        found += ruled_out
    assert found >= RULED_OUT


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        pytest.param("8/1p2B1B1/1PpB1B2/k1P5/p1P5/P7/5K2/8 w - -", True, True, id="four bishops on the wrong squares"),
        pytest.param("8/8/k6p/5p1P/3b1p2/2b2PpK/6P1/8 w - -", True, True, id="the king must move back and forth"),
        pytest.param("k1b5/1p1pB3/1P1P4/K7/8/8/8/8 b - -", True, True, id="a king in the corner"),
        pytest.param("k7/8/p1p3p1/2P1p1Pp/PpP1Pp2/1P1K1p1P/5P2/8 w - -", True, True, id="pawns to take and to push"),
        pytest.param("1k6/1P5p/BP3p2/1P6/8/6K1/5P1P/8 b - -", True, False, id="more to follow than allowed"),
        pytest.param("4k3/8/8/3p4/2P1P3/2PRP3/3P4/4K3 w - -", False, False, id="a rook in the way on both squares"),
        pytest.param("4k3/8/5p2/p1p1pPp1/P1P1P1P1/8/8/4K3 w - g6", False, False, id="a capture in passing"),
        pytest.param("4k3/8/8/8/8/8/8/4K2R w K -", False, False, id="a right to castle"),
        pytest.param("4k3/P7/8/8/8/8/7p/4K3 w - -", False, False, id="promotion"),
        pytest.param("k7/8/8/8/3p4/8/2P5/K7 w - -", False, False, id="a pawn that may be taken in passing"),
        pytest.param("7k/5Q2/6K1/8/8/8/8/8 b - -", False, False, id="a queen that might have waited"),
        pytest.param("7k/6Q1/6K1/8/8/8/8/8 b - -", False, False, id="mate already"),
        pytest.param("7k/8/6K1/8/8/8/8/6Q1 w - -", False, False, id="a mate"),
        pytest.param("k7/8/8/8/8/8/8/K6N w - -", False, False, id="a knight in many places"),
        pytest.param("k7/1r6/8/8/8/8/8/K2B4 w - -", False, False, id="officers that take each other"),
    ],
)
def test_mates_are_ruled_out(fen: str, *, white: bool, black: bool) -> None:
    board = chess.Board(fen)
    assert (is_mate_ruled_out(board, chess.WHITE, 600), is_mate_ruled_out(board, chess.BLACK, 600)) == (white, black)
    mirrored = board.mirror()
    assert is_mate_ruled_out(mirrored, chess.BLACK, 600) == white
    assert is_mate_ruled_out(mirrored, chess.WHITE, 600) == black


@pytest.mark.parametrize("seed", range(6))
def test_search_finds_no_mate_that_was_ruled_out(seed: int) -> None:
    """Published positions with random changes: there are no published verdicts for these."""
    draw = random.Random(seed)
    published = [verdict.board for verdict in verdicts() if not verdict.winnable]
    for _ in range(12):
        board = draw.choice(published).copy()
        square, color = draw.randrange(8, 56), draw.random() < 0.5
        if board.kings & chess.BB_SQUARES[square]:
            continue
        kind = draw.choice([None, chess.PAWN, chess.BISHOP, chess.KNIGHT])
        board.set_piece_at(square, None if kind is None else chess.Piece(kind, color))
        board.turn = draw.random() < 0.5
        if not board.is_valid():
            continue
        for winner in chess.COLORS:
            if mates_in_reach(board)[0 if winner else 1] and is_mate_ruled_out(board, winner, 150):
                assert find_mate(board, winner, 300).line is None, board.fen()
