"""Upper bound on the squares that pieces can reach."""

from __future__ import annotations

import chess
import pytest

from game_core.chess.reach import mates_in_reach


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        pytest.param(chess.STARTING_FEN, True, True, id="start"),
        pytest.param("k7/8/8/8/8/8/8/K6B w - -", False, False, id="a bishop alone"),
        pytest.param("k7/8/8/8/8/8/8/K6N w - -", False, False, id="a knight alone"),
        pytest.param("k7/p7/8/8/8/8/8/K6N w - -", True, True, id="a knight and a pawn in its king's way"),
        pytest.param("4k3/8/8/8/8/8/8/4K2R w K -", True, False, id="a bare king never mates"),
        pytest.param("4k3/8/5p2/p1p1pPp1/P1P1P1P1/8/8/4K3 w - -", False, False, id="a wall with a knot"),
        pytest.param("4k3/8/5p2/p1p1pPp1/P1P1P1P1/8/8/4K3 w - g6", True, True, id="a capture in passing opens it"),
        pytest.param("4k3/8/8/p1p1p1p1/P1P1PpP1/5P2/8/4K3 b - g3", True, True, id="Black captures in passing"),
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
        pytest.param(
            "8/4kb2/8/1p1p1p1p/1P1P1P1P/1b6/3B1K2/8 b - -", False, False, id="one bishop fills one square, not two"
        ),
        pytest.param("8/8/8/8/8/8/kb6/3NK3 w - -", True, True, id="a bishop's way in for a knight"),
        pytest.param("8/8/8/8/8/8/kq6/3NK3 w - -", True, True, id="a queen is in its king's way too"),
        pytest.param("k7/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K6N w - -", True, True, id="a knight over a closed wall"),
        pytest.param("7k/8/8/8/1p1p1p1p/1PpP1P1P/2P3K1/N7 b - -", False, False, id="a knight shut in"),
    ],
)
def test_mate_is_excluded_only_if_pieces_cannot_reach_the_king(fen: str, *, white: bool, black: bool) -> None:
    assert mates_in_reach(chess.Board(fen)) == (white, black)


@pytest.mark.parametrize(
    ("fen", "white"),
    [
        pytest.param("7k/8/8/8/8/8/4p3/R3K3 w Q -", True, id="to the queen's side"),
        pytest.param("7k/8/8/8/8/p1p1p1p1/PbP1P1P1/RB2K2R w KQ -", True, id="one side only"),
        pytest.param("k7/pppppppp/8/8/8/8/8/1R2K2R w KB -", True, id="with the rook of another file"),
    ],
)
def test_castling_rights_count_for_reach(fen: str, *, white: bool) -> None:
    assert mates_in_reach(chess.Board(fen, chess960=True))[0] == white


@pytest.mark.parametrize("fen", ["5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR w KQ -", "7k/8/8/8/8/8/8/K6R w - -"])
def test_reach_is_symmetric_for_the_mirrored_position(fen: str) -> None:
    board = chess.Board(fen)
    white, black = mates_in_reach(board)
    assert mates_in_reach(board.mirror()) == (black, white)


def test_immobile_king_does_not_shield_the_square_behind_it() -> None:
    board = chess.Board("8/8/8/8/8/p1p5/P1P5/k1K4R b - -")
    assert mates_in_reach(board)[0]
