"""Positions of the star as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from game_core.chinese_checkers.fen import format_fen, parse_fen
from game_core.chinese_checkers.fifteen import FIFTEEN
from game_core.chinese_checkers.ten import TEN
from game_core.errors import BadPosition
from tests.game_core.chinese_checkers.scene import BOTH, positions

if TYPE_CHECKING:
    from game_core.chinese_checkers.position import Position

START = "b/bb/bbb/bbbb/4bbbbb4/12/11/10/9/10/11/12/4wwwww4/wwww/www/ww/w w"

START_OF_TEN = "b/bb/bbb/bbbb/13/12/11/10/9/10/11/12/13/wwww/www/ww/w w"

NEAR_THE_END = "w/ww/www/wwww/13/4w7/11/10/9/10/11/12/13/1bbb/bbb/bb/b w"
"""Of ten; eleven white pieces."""


def test_fen_of_the_start_positions() -> None:
    assert FIFTEEN.fen(FIFTEEN.start(None)) == START
    assert TEN.fen(TEN.start(None)) == START_OF_TEN


@given(positions())
def test_fen_round_trips(position: Position) -> None:
    assert parse_fen(position.fen) == ((position.white, position.black), position.turn)
    men, turn = parse_fen(position.fen)
    assert format_fen(*men, turn) == position.fen
    rules = next(rules for rules in BOTH if rules.home.bit_count() == position.white.bit_count())
    if position.outcome is None:
        assert rules.start(position.fen) == position


def test_fen_of_an_empty_board_round_trips() -> None:
    assert parse_fen(format_fen(0, 0, "b")) == ((0, 0), "b")


@pytest.mark.parametrize("text", [f"  {START}\n", START.replace(" ", "   ")])
def test_whitespace_in_a_fen_is_ignored(text: str) -> None:
    assert FIFTEEN.start(text).fen == START


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "not a position"),
        ("start", "not a position"),
        ("x" * 10_000, "not a position"),
        (START * 100, "not a position"),
        (START[:-2], "not a position"),
        (START.replace(" w", " white"), "not a position"),
        (START.replace(" w", " W"), "not a position"),
        (START + " 0 1", "not a position"),
        (START.replace("/12/", "/B11/"), "not a position"),
        (START.replace("/12/", "/1٢/"), "not a position"),
        (START.replace("/12/", "//"), "row '' does not fill 12 holes"),
        (START.replace("/12/", "/11/"), "row '11' does not fill 12 holes"),
        (START.replace("/12/", "/012/"), "row '012' does not fill 12 holes"),
        (START.replace("/12/", "/0w9bb/"), "row '0w9bb' does not fill 12 holes"),
        (START.replace("/12/", "/100/"), "row '100' does not fill 12 holes"),
        (START.replace("/9/", "/9/9/"), "18 rows where the star has 17"),
        (START.replace("/9/", "9"), "15 rows where"),
        (START.replace("4wwwww4", "4wwww5"), "14 white pieces where each side has 15"),
        (START.replace("4bbbbb4", "5bbbbbb2"), "16 black pieces where each side has 15"),
        (START_OF_TEN, "10 white pieces where each side has 15"),
        ("w/ww/www/wwww/4wwwww4/12/11/10/9/10/b10/b11/bbb2bbb5/1bbb/b1b/b1/b w", "over in .*: goal"),
    ],
)
def test_invalid_fen_is_refused(fen: str, message: str) -> None:
    with pytest.raises(BadPosition, match=message) as caught:
        FIFTEEN.start(fen)
    assert len(str(caught.value)) < 250


def test_wrong_number_of_pieces_is_refused() -> None:
    with pytest.raises(BadPosition, match="11 white pieces where each side has 10"):
        TEN.start(NEAR_THE_END)
