"""Differences of Chess960 from standard chess."""

from __future__ import annotations

import chess
import pytest

from game_core.errors import BadPosition, IllegalMove
from tests.game_core.chess.library import CHESS960, STANDARD


def test_chess960_has_960_start_positions() -> None:
    starts = [CHESS960.draw_start(number) for number in range(CHESS960.starts)]
    assert starts == [chess.Board.from_chess960_pos(number).fen() for number in range(960)]
    assert len(set(starts)) == 960
    assert starts[518] == chess.STARTING_FEN
    assert CHESS960.draw_start(960 + 7) == starts[7]
    assert CHESS960.draw_start(10**30 + 1) == starts[(10**30 + 1) % 960]


@pytest.mark.parametrize("number", range(0, 960, 37))
def test_game_starts_from_each_start_position(number: int) -> None:
    fen = CHESS960.draw_start(number)
    position = CHESS960.start(fen)
    assert CHESS960.fen(position) == fen
    back = position.board.chess960_pos()
    assert back == number


def test_default_start_is_the_standard_position() -> None:
    assert CHESS960.fen(CHESS960.start(None)) == chess.STARTING_FEN
    assert CHESS960.variant == "chess960"


@pytest.mark.parametrize(
    "fen",
    [
        "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1",
        "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w GDgd - 0 1",
    ],
)
def test_x_fen_and_shredder_fen_are_read(fen: str) -> None:
    assert CHESS960.fen(CHESS960.start(fen)).split()[2] == "KQkq"


def test_standard_chess_refuses_chess960_castling_rights() -> None:
    fen = "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1"
    with pytest.raises(BadPosition, match="bad castling rights"):
        STANDARD.start(fen)


@pytest.mark.parametrize(
    ("fen", "wire", "san", "placement"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", "O-O", "5RK1"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", "O-O-O", "2KR4"),
        ("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1", "O-O", "5RK1"),
        ("4k3/8/8/8/8/8/8/5RK1 w Q - 0 1", "g1f1", "O-O-O", "2KR4"),
        ("4k3/8/8/8/8/8/8/1R3K2 w Q - 0 1", "f1b1", "O-O-O", "2KR4"),
    ],
)
def test_castling_is_king_takes_rook(fen: str, wire: str, san: str, placement: str) -> None:
    position = CHESS960.start(fen)
    assert wire in CHESS960.legal_moves(position)
    played = CHESS960.play(position, wire)
    assert (played.move, played.notation) == (wire, san)
    assert CHESS960.fen(played.position).split()[0].split("/")[7] == placement


@pytest.mark.parametrize(
    ("fen", "wire"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),  # a king two squares on is no move here
        ("4k3/8/8/8/8/8/8/5KR1 w - - 0 1", "f1g1"),  # no right
        ("4k3/8/8/8/8/8/8/4KN1R w K - 0 1", "e1h1"),  # a knight between
        ("4k3/8/8/8/8/8/8/qR3K2 w B - 0 1", "f1b1"),  # the rook shields the king where it would stand
        ("4k3/8/6r1/8/8/8/8/4K2R w K - 0 1", "e1h1"),  # into check
    ],
)
def test_castling_is_refused_unless_legal(fen: str, wire: str) -> None:
    with pytest.raises(IllegalMove):
        CHESS960.play(CHESS960.start(fen), wire)


def test_king_step_to_the_castling_square_is_no_castling() -> None:
    played = CHESS960.play(CHESS960.start("4k3/8/8/8/8/8/8/5K1R w K - 0 1"), "f1g1")
    assert (played.move, played.notation) == ("f1g1", "Kg1")
