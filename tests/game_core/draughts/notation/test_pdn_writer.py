"""PDN export as it stands in the file."""

from __future__ import annotations

import pytest

from game_core.draughts.notation.pdn_game import PdnGame
from game_core.draughts.notation.pdn_writer import format_game
from game_core.scores.lines import Line, Ply


def line_of(*moves: str) -> Line:
    return Line(tuple(Ply(move, move) for move in moves))


def test_game_with_every_element_is_written() -> None:
    other = Line((Ply("31-27", "31-27", comments=("too",)), Ply("19-23", "19-23")), ("Or",))
    first = Ply("32-28", "32-28", (1, 13), 180_000, 1_234, True, ("A", "B }"), (other,), ("Well",))
    line = Line((first, Ply("19-23", "19-23", (2,)), Ply("28x19", "28x19"), Ply("14x23", "14x23")), ("First",))
    assert format_game(PdnGame({"White": "Ada", "Result": "?", "GameType": "?"}, line=line, result="1-0")) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Ada"]\n[Black "?"]\n[Result "2-0"]\n'
        '[GameType "20,W,10,10,N2,0"]\n\n'
        "{First} 1. 32-28 $1 $13 {(=) [%clk 0:03:00.0] [%emt 0:00:01.234]} {A} {B )} (\n"
        "{Or} 1. 31-27 {too} 1... 19-23 ) {Well} 1... 19-23 $2 2. 28x19 14x23 *\n"
    )


@pytest.mark.parametrize(
    ("variant", "result", "written"),
    [
        ("international", "1/2-1/2", "1-1"),
        ("international", "0-1", "0-2"),
        ("international", "0-0", "0-0"),
        ("international", "*", "*"),
        ("english", "1-0", "1-0"),
        ("losing-international", "1-0", "1-0"),
        ("russian", "1/2-1/2", "1/2-1/2"),
    ],
)
def test_results_are_written_in_the_form_of_the_variant(variant: str, result: str, written: str) -> None:
    assert f'[Result "{written}"]' in format_game(PdnGame({}, variant=variant, result=result))


@pytest.mark.parametrize(
    ("variant", "tag"),
    [
        ("english", 'GameType "21,B,8,8,N1,0"'),
        ("classic", 'Variant "classic"'),
        ("losing-russian", 'Variant "losing-russian"'),
    ],
)
def test_variant_is_written_as_one_tag(variant: str, tag: str) -> None:
    text = format_game(PdnGame({}, variant=variant))
    assert f"[{tag}]" in text
    assert text.count("GameType") + text.count("Variant") == 1


def test_russian_captures_are_written_with_a_colon() -> None:
    line = line_of("c3-d4", "d6-c5", "b2-c3", "f6-g5", "c3-b4", "g5-h4", "b4xd6")
    assert "4. b4:d6 *" in format_game(PdnGame({}, variant="russian", line=line))
    assert "4. b4xd6 *" in format_game(PdnGame({}, variant="brazilian", line=line))


def test_move_numbers_count_from_the_side_that_begins() -> None:
    assert "\n1. 11-15 22-18 *\n" in format_game(PdnGame({}, variant="english", line=line_of("11-15", "22-18")))
    game = PdnGame({}, variant="english", fen="W:W27:B1", line=line_of("27-23", "1-6"))
    assert '[FEN "W:W27:B1"]' in format_game(game)
    assert '[SetUp "1"]' in format_game(game)
    assert "\n1... 27-23 2. 1-6 *\n" in format_game(game)


def test_invalid_tag_name_is_refused() -> None:
    with pytest.raises(ValueError, match="not the name of a tag"):
        format_game(PdnGame({"no name": "x"}))
