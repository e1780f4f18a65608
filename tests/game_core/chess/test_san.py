"""Algebraic notation, against the library's."""

from __future__ import annotations

import chess
import pytest

from game_core.chess.san import format_san
from tests.game_core.chess.library import STANDARD, find_step


@pytest.mark.parametrize(
    ("fen", "wire", "san"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "e4"),
        ("4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2d3", "exd3"),
        ("4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1", "f5e6", "fxe6"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "axb8=N"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O"),
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8a8", "O-O-O"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d2", "Kd2"),
        ("4k3/8/8/8/8/5p2/8/4K1N1 w - - 0 1", "g1f3", "Nxf3"),
        ("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", "g1f3", "Nf3"),
        ("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "g1f3", "Ngf3"),
        ("4k3/8/8/4N3/8/8/8/4K1N1 w - - 0 1", "g1f3", "Ngf3"),
        ("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "g1f3", "N1f3"),
        ("4k3/8/8/6N1/8/8/3N4/4K1N1 w - - 0 1", "g1f3", "N1f3"),
        ("4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1", "g1f3", "Nf3"),  # the other knight is pinned
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1c1", "Rc1"),
        ("4k3/8/8/8/8/7K/8/R6R w - - 0 1", "a1c1", "Rac1"),
        ("4k3/R7/8/8/8/7K/8/R7 w - - 0 1", "a1a4", "R1a4"),
        ("4k3/8/8/2B5/8/2B5/8/4K3 w - - 0 1", "c3b4", "B3b4"),
        ("2k5/8/8/8/Q2Q4/8/8/Q3K3 w - - 0 1", "a4b4", "Qab4"),
        ("2k5/8/8/8/Q2Q4/8/8/Q3K3 w - - 0 1", "a4d1", "Qa4d1"),
    ],
)
def test_san_equals_the_library(fen: str, wire: str, san: str) -> None:
    board = chess.Board(fen)
    step = find_step(board, wire, check=board.is_check())
    assert format_san(board, step, STANDARD, check=board.is_check()) == san
    assert board.san(step.move).rstrip("+#") == san
