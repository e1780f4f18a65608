"""The bound on where pieces can get to."""

from __future__ import annotations

import chess
import pytest

from game_core.chess.reach import mates_in_reach


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        pytest.param(chess.STARTING_FEN, True, True, id="start"),
        pytest.param("4k3/8/8/8/8/8/8/4K2R w K -", True, True, id="castling is not looked into"),
        pytest.param("4k3/8/8/p1pPp1p1/P1P1P1P1/8/8/4K3 w - c6", True, True, id="nor is en passant"),
        pytest.param("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - -", False, False, id="kings at a wall"),
        pytest.param("4k3/8/8/p1p1p1p1/PpP1P1P1/8/1P6/4K3 w - -", True, True, id="a pawn may come to take"),
        pytest.param("4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - -", True, True, id="kings come round the wall"),
        pytest.param("4k3/4p3/4P3/8/8/8/8/4K3 w - -", True, True, id="a base that can be taken"),
        pytest.param("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - -", False, False, id="bishops behind their pawns"),
        pytest.param("4k3/8/8/p1p1p1p1/P1P1P1P1/8/2B5/4K3 w - -", False, False, id="a bishop on the wrong colour"),
        pytest.param("4k3/8/8/p1p1p1p1/P1P1P1P1/8/1B6/4K3 w - -", True, True, id="a bishop on the right one"),
        pytest.param("2k5/8/8/p1p1p1p1/P1P1P1P1/8/3N4/2K5 w - -", True, True, id="a knight jumps"),
        pytest.param("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/R3K3 w - -", True, True, id="a rook takes its way"),
        pytest.param("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/Q3K3 w - -", True, True, id="a queen"),
        pytest.param("2k5/p1p1p1p1/P1P1P1P1/7K/8/8/8/8 w - -", False, False, id="a wall on the seventh"),
        pytest.param("2k5/2p1p1p1/p1P1P1P1/P1p4K/8/8/2P5/8 w - -", False, False, id="pawns meet on their file"),
        pytest.param("4k3/P7/8/8/8/8/7p/4K3 w - -", True, True, id="pawns become officers"),
        pytest.param("k7/Pp6/1P6/8/8/8/7K/8 w - -", False, False, id="a king shut in"),
    ],
)
def test_says_no_only_when_sure(fen: str, *, white: bool, black: bool) -> None:
    assert mates_in_reach(chess.Board(fen)) == (white, black)


@pytest.mark.parametrize("fen", ["5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR w KQ -", "7k/8/8/8/8/8/8/K6R w - -"])
def test_is_the_same_for_the_mirrored_position(fen: str) -> None:
    board = chess.Board(fen)
    white, black = mates_in_reach(board)
    assert mates_in_reach(board.mirror()) == (black, white)


def test_a_king_that_cannot_move_does_not_shield_the_square_behind_it() -> None:
    board = chess.Board("8/8/8/8/8/p1p5/P1P5/k1K4R b - -")
    assert mates_in_reach(board)[0]
