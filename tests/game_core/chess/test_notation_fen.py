"""FEN positions from other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.chess.notation.fen import MAX_FEN, format_fen, parse_fen
from game_core.errors import BadPosition
from tests.game_core.chess.library import CHESS960, STANDARD, random_game

if TYPE_CHECKING:
    from game_core.chess.standard import Standard

KINGS = "4k3/8/8/8/8/8/8/4K3"


@pytest.mark.parametrize("rules", [STANDARD, CHESS960], ids=lambda rules: str(rules.variant))
def test_fen_round_trips(rules: Standard) -> None:
    for seed in range(6):
        for board, _ in random_game(rules, seed, 120):
            for shredder in (False, True):
                back = parse_fen(format_fen(board, shredder=shredder), rules)
                assert back.fen() == board.fen()
                assert back.castling_rights == board.castling_rights
                assert back.chess960 == board.chess960


@pytest.mark.exhaustive
def test_chess960_start_positions_round_trip() -> None:
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        for shredder in (False, True):
            back = parse_fen(format_fen(board, shredder=shredder), CHESS960)
            assert back.chess960_pos() == number


@pytest.mark.parametrize(
    ("fen", "chess960", "xfen", "shredder"),
    [
        (chess.STARTING_FEN, False, "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", False, "KQkq", "HAha"),
        ("4k3/8/8/8/8/8/8/1R2K2R w KB - 0 1", True, "KQ", "HB"),
        # X-FEN: where a rook stands outside of the one that may castle, its file is named.
        ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", True, "B", "B"),
        ("4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", False, "Q", "A"),
        ("4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1", True, "KQ", "GB"),
        ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", True, "K", "G"),
        (f"{KINGS} w - -", False, "-", "-"),
        (f"  {KINGS}\tw  - - \n", False, "-", "-"),
    ],
)
def test_castling_rights_are_read_in_each_form(fen: str, chess960: bool, xfen: str, shredder: str) -> None:
    board = parse_fen(fen, STANDARD, CHESS960)
    assert board.chess960 == chess960
    assert format_fen(board).split(" ")[2] == xfen
    assert format_fen(board, shredder=True).split(" ")[2] == shredder


def test_position_of_a_finished_game_is_read() -> None:
    assert parse_fen("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", STANDARD).is_checkmate()


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("", "not a FEN"),
        ("e4", "not a FEN"),
        (KINGS, "not a FEN"),
        (f"{KINGS} w", "not a FEN"),
        (f"{KINGS} w - - 0", "not a FEN"),
        (f"{KINGS} w - - 0 1 2", "not a FEN"),
        (f"{KINGS} x - - 0 1", "not a FEN"),
        (f"{KINGS} w - e4 0 1", "not a FEN"),
        (f"{KINGS} w X - 0 1", "not a FEN"),
        (f"{KINGS} w - - -1 1", "not a FEN"),
        (f"{KINGS} w - - 0 99999", "not a FEN"),
        (f"{KINGS} w - - 0 1" + " " * MAX_FEN + "x" * MAX_FEN, "not a FEN|no game"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "expected 8 columns"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "expected 8 rows"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "no black king"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "opposite check"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawns on backrank"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "several faults|empty|no white king"),
        (f"{KINGS} w K - 0 1", "bad castling rights"),
        (f"{KINGS} w HAha - 0 1", "bad castling rights"),
        ("4k3/8/8/8/8/4K3/8/7R w K - 0 1", "bad castling rights"),
        ("٤k3/8/8/8/8/8/8/4K3 w - - 0 1", "not a FEN"),
    ],
)
@pytest.mark.parametrize("variants", [(STANDARD, CHESS960), (STANDARD,), (CHESS960,)])
def test_invalid_position_is_refused(fen: str, reason: str, variants: tuple[Standard, ...]) -> None:
    if len(fen) > MAX_FEN:
        fen = fen.replace(" ", "x")
    with pytest.raises(BadPosition, match=reason):
        parse_fen(fen, *variants)


def test_standard_chess_refuses_chess960_castling_rights() -> None:
    with pytest.raises(BadPosition, match="bad castling rights"):
        parse_fen("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", STANDARD)


@given(st.text() | st.text("12345678KQRBNPkqrbnp/ w-bA", max_size=90))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    try:
        board = parse_fen(text, STANDARD, CHESS960)
    except BadPosition:
        return
    assert board.is_valid()
