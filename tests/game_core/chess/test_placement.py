"""The placement field of a FEN, carried from move to move."""

from __future__ import annotations

import chess
import pytest

from game_core.chess.placement import format_placement, move_placement, spread_placement
from tests.game_core.chess.library import CHESS960, find_step, random_game


@pytest.mark.parametrize(
    "field", ["8/8/8/8/8/8/8/8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "k6K/1P5p/2p2P2/3p4/8/8/8/8"]
)
def test_placement_round_trips(field: str) -> None:
    squares = spread_placement(field)
    assert len(squares) == 71
    assert format_placement(squares) == field


@pytest.mark.parametrize("seed", range(4))
def test_placement_follows_every_move(seed: int) -> None:
    for board, move in random_game(CHESS960, seed, 150):
        step = find_step(board, move.uci(), check=board.is_check())
        after = move_placement(spread_placement(board.board_fen()), step, white=board.turn)
        board.push(move)
        assert format_placement(after) == board.board_fen()


@pytest.mark.parametrize(
    ("fen", "wire", "field"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "4k3/8/8/8/8/8/8/R4RK1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "4k3/8/8/8/8/8/8/2KR3R"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8h8", "r4rk1/8/8/8/8/8/8/4K3"),
        ("4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1", "f5e6", "4k3/8/4P3/8/8/8/8/4K3"),
        ("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", "f4e3", "4k3/8/8/8/8/4p3/8/4K3"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8r", "1R2k3/8/8/8/8/8/8/4K3"),
        ("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2a1b", "4k3/8/8/8/8/8/8/b3K3"),
    ],
)
def test_placement_follows_castling_en_passant_and_promotion(fen: str, wire: str, field: str) -> None:
    board = chess.Board(fen)
    step = find_step(board, wire, check=False)
    assert format_placement(move_placement(spread_placement(board.board_fen()), step, white=board.turn)) == field


@pytest.mark.parametrize(
    ("fen", "wire", "field"),
    [
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1"),  # they change places
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1", "4k3/8/8/8/8/8/8/2KR4"),  # the king stays
        ("4k3/8/8/8/8/8/8/3R1K2 w D - 0 1", "f1d1", "4k3/8/8/8/8/8/8/2KR4"),  # the rook does
    ],
)
def test_placement_follows_chess960_castling(fen: str, wire: str, field: str) -> None:
    board = chess.Board(fen, chess960=True)
    step = find_step(board, wire, check=False)
    assert format_placement(move_placement(spread_placement(board.board_fen()), step, white=True)) == field
