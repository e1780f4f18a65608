"""Move order of the search for a helpmate."""

from __future__ import annotations

import chess
import pytest

from game_core.chess.distance import mate_distance, smothered_distance


@pytest.mark.parametrize(
    ("near", "far"),
    [
        pytest.param("k7/8/1K6/8/8/8/8/1R6 w - -", "8/8/8/4k3/8/8/8/KR6 w - -", id="king in the corner"),
        pytest.param("k7/8/8/8/8/8/1Q6/K7 w - -", "k7/8/8/8/8/8/7Q/K7 w - -", id="queen near"),
        pytest.param("k7/8/4P3/8/8/8/8/K7 w - -", "k7/8/8/8/4P3/8/8/K7 w - -", id="pawn far up"),
        pytest.param("k7/8/4P3/8/8/8/8/K7 w - -", "k7/4p3/4P3/8/8/8/8/K7 w - -", id="pawn with a free way"),
        pytest.param("k7/4p3/4P3/5K2/8/8/8/8 w - -", "k7/4p3/4P3/8/8/8/8/5K2 w - -", id="king near what is in the way"),
        pytest.param("k7/8/8/8/8/2BB4/8/K7 w - -", "k6n/8/8/8/8/2BB4/8/K7 w - -", id="nobody in the way of bishops"),
        pytest.param("kn6/8/8/8/8/8/8/K6N w - -", "k6n/8/8/8/8/8/8/K6N w - -", id="a man in its king's way"),
        pytest.param("k7/8/8/8/8/6p1/8/K6N w - -", "k7/6p1/8/8/8/8/8/K6N w - -", id="a pawn that will be"),
        pytest.param("kn6/8/8/8/8/8/8/1K5B w - -", "kn6/8/8/8/8/8/8/1K4B1 w - -", id="a bishop's own corner"),
        pytest.param("1n5k/8/8/8/8/8/8/1K4B1 w - -", "kn6/8/8/8/8/8/8/1K4B1 w - -", id="dark corners too"),
    ],
)
def test_mate_distance_orders_positions(near: str, far: str) -> None:
    one, other = chess.Board(near), chess.Board(far)
    assert mate_distance(one, chess.WHITE) < mate_distance(other, chess.WHITE)
    assert mate_distance(one.mirror(), chess.BLACK) == mate_distance(one, chess.WHITE)


@pytest.mark.parametrize(
    ("near", "far"),
    [
        pytest.param("kn6/8/8/p7/P7/8/8/K6B w - -", "kn6/8/8/p7/P7/8/8/K5B1 w - -", id="a bishop's own corner"),
        pytest.param("kn6/p7/8/8/P7/8/8/K6B w - -", "k6n/p7/8/8/P7/8/8/K6B w - -", id="a man in its king's way"),
        pytest.param("k7/p6p/8/8/P6P/8/8/5NK1 w - -", "8/p6p/8/4k3/P6P/8/8/5NK1 w - -", id="king in the corner"),
    ],
)
def test_smothered_distance_orders_positions_with_blocked_pawns(near: str, far: str) -> None:
    one, other = chess.Board(near), chess.Board(far)
    distance, further = smothered_distance(one, chess.WHITE), smothered_distance(other, chess.WHITE)
    assert distance is not None
    assert further is not None
    assert distance < further
    assert smothered_distance(one.mirror(), chess.BLACK) == distance


@pytest.mark.parametrize(
    "fen",
    [
        pytest.param("kn6/8/8/8/8/8/8/K6B w - -", id="no pawns"),
        pytest.param("kn6/8/8/p7/P7/8/8/K7 w - -", id="no minor piece"),
        pytest.param("kn6/8/8/p7/P7/8/8/K5RB w - -", id="a rook"),
        pytest.param("kn6/8/8/p7/P7/8/8/K5NB w - -", id="two minor pieces"),
        pytest.param("kn6/8/8/p7/PP6/8/8/K6B w - -", id="a pawn that is free"),
        pytest.param("kn6/8/8/P7/p7/8/8/K6B w - -", id="a pawn that has passed"),
    ],
)
def test_smothered_distance_is_none_without_blocked_pawns(fen: str) -> None:
    assert smothered_distance(chess.Board(fen), chess.WHITE) is None
