"""The GameType tag, and its names of squares."""

from __future__ import annotations

import pytest

from game_core.draughts.notation.pdn_squares import Squares, plain
from game_core.draughts.notation.pdn_types import GAME_TYPES, parse_game_type, square_names
from tests.game_core.draughts.boards import PLAIN


@pytest.mark.parametrize(
    ("variant", "tag"),
    [
        ("international", "20,W,10,10,N2,0"),
        ("english", "21,B,8,8,N1,0"),
        ("italian", "22,W,8,8,N2,1"),
        ("russian", "25,W,8,8,A0,0"),
        ("brazilian", "26,W,8,8,A0,0"),
        ("turkish", "30,W,8,8,A0,0"),
    ],
)
def test_game_types_equal_the_standard(variant: str, tag: str) -> None:
    assert GAME_TYPES[variant].tag == tag
    assert parse_game_type(tag) == variant
    assert parse_game_type(tag.partition(",")[0]) == variant


@pytest.mark.parametrize("tag", ["20,W,10,10,N1,0", "20, B, 10, 10, A3, 1", "20,W,10,10,N2"])
def test_corner_field_of_a_game_type_is_ignored(tag: str) -> None:
    assert parse_game_type(tag) == "international"


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ("", "'' is not a GameType; expected a number or all as in '20,W,10,10,N2,0'"),
        ("draughts", "'draughts' is not a GameType"),
        ("20,W,10", "'20,W,10' is not a GameType"),
        ("0", "GameType 0 (chess, which is written as PGN) is not played here; known are 20, 21, 22, 25, 26, 30"),
        ("27,W,12,12,N2,0", "GameType 27 (Canadian draughts) is not played here"),
        ("99", "GameType 99 is not played here"),
        ("20,W,8,8,N2,0", "GameType 20 on 8 by 8 squares; expected 10 by 10"),
    ],
)
def test_invalid_game_type_is_refused_with_its_reason(tag: str, reason: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        parse_game_type(tag)
    assert str(error.value).startswith(reason)


@pytest.mark.parametrize("variant", GAME_TYPES)
def test_square_names_equal_those_of_the_rules(variant: str) -> None:
    names = square_names(GAME_TYPES[variant])
    assert [names[place] for place in sorted(names)] == list(PLAIN[variant].board.field.names.values())


@pytest.mark.parametrize("variant", GAME_TYPES)
def test_squares_are_read_as_letters_or_numbers(variant: str) -> None:
    squares, names = Squares(GAME_TYPES[variant]), square_names(GAME_TYPES[variant])
    for kind in "NA":
        for place, name in square_names(GAME_TYPES[variant], kind).items():
            assert squares.move(f"{name}-{name}") == f"{names[place]}-{names[place]}"


@pytest.mark.parametrize(
    ("variant", "written", "move"),
    [
        ("international", "32-28", "32-28"),
        ("international", "06-01", "6-1"),
        ("international", "3228", "32-28"),
        ("international", "28 x17", "28x17"),
        ("international", "d4-e5", "32-28"),
        ("international", "j10xa1", "5x46"),
        ("english", "11-15", "11-15"),
        ("english", "F6-E5", "11-15"),
        ("italian", "h3-g4", "24-20"),
        ("russian", "c3:e5", "c3:e5"),
        ("russian", "c3e5g7", "c3-e5-g7"),
        ("russian", "22-18", "c3-d4"),
        ("turkish", "33-25", "a4-a5"),
        ("russian", "99-98", "99-98"),
        ("russian", "e2-e4=Q", "e2-e4=q"),
    ],
)
def test_moves_are_translated_to_internal_squares(variant: str, written: str, move: str) -> None:
    assert Squares(GAME_TYPES[variant]).move(written) == move


@pytest.mark.parametrize(
    ("variant", "written", "fen"),
    [
        ("russian", "W:W21-23,K32:B1,k2.", "W:Wa3,c3,e3,Kg1:Bb8,k2"),
        ("russian", "B:Wa3,Kg1:Bb8", "B:Wa3,Kg1:Bb8"),
        ("english", "W:WKa1,c1-x:B01,05", "W:WK29,c1-x:B1,5"),
        ("english", "nonsense", "nonsense"),
        ("international", "W:W:B", "W:W:B"),
    ],
)
def test_positions_are_translated_to_internal_squares(variant: str, written: str, fen: str) -> None:
    assert Squares(GAME_TYPES[variant]).fen(written) == fen


def test_moves_without_a_game_type_keep_their_squares() -> None:
    assert [plain(text) for text in ("11-15", "05 x 14", "0514", "A3B4", "e5-g5-i5")] == [
        "11-15",
        "5x14",
        "5-14",
        "a3-b4",
        "e5-g5-i5",
    ]
