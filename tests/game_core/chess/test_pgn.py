"""PGN export, read back by the library."""

from __future__ import annotations

import io

import chess
import chess.pgn
import pytest

from game_core.chess.pgn import MAX_COLUMNS, SEVEN_TAGS, format_pgn
from tests.game_core.chess.library import real_games


def read(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    return game


def test_writes_a_game() -> None:
    text = format_pgn(
        {"White": "Ada", "Black": "Bo", "Event": "Casual", "TimeControl": "180+2", "Annotator": "none", "Result": "*"},
        None,
        "standard",
        ["e2e4", "e7e5", "d1h5"],
        ["e4", "e5", "Qh5"],
        [180_000, 179_999, None],
        "1-0",
    )
    assert text == (
        '[Event "Casual"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Ada"]\n[Black "Bo"]\n[Result "1-0"]\n'
        '[Annotator "none"]\n[TimeControl "180+2"]\n\n'
        "1. e4 {[%clk 0:03:00.0]} 1... e5 {[%clk 0:02:59.9]} 2. Qh5 1-0\n"
    )


def test_numbers_moves_without_clocks_once() -> None:
    text = format_pgn({}, None, "standard", ["e2e4", "e7e5", "g1f3"], ["e4", "e5", "Nf3"], [None] * 3, "*")
    assert text.endswith("\n\n1. e4 e5 2. Nf3 *\n")


def test_a_game_without_moves_is_its_result() -> None:
    text = format_pgn({}, None, "standard", [], [], [], "*")
    assert text.endswith("\n\n*\n")
    assert dict(read(text).headers) == SEVEN_TAGS


def test_begins_where_the_game_began() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K2R b KQ - 3 40"
    text = format_pgn({"FEN": "not this"}, fen, "standard", ["e8e7", "e1g1"], ["Ke7", "O-O"], [None, 500], "*")
    assert "40... Ke7 41. O-O {[%clk 0:00:00.5]} *" in text
    assert f'[FEN "{fen}"]\n[SetUp "1"]' in text
    assert "[Variant" not in text
    assert read(text).end().board().fen() == "8/4k3/8/8/8/8/8/R4RK1 b - - 5 41"


def test_counts_from_one_when_the_start_says_no_number() -> None:
    text = format_pgn({}, "4k3/8/8/8/8/8/8/4K2R w K -", "standard", ["e1e2"], ["Ke2"], [None], "*")
    assert "1. Ke2 *" in text


def test_chess960_always_says_where_it_began() -> None:
    text = format_pgn({"Variant": "none"}, None, "chess960", ["e2e4"], ["e4"], [None], "*")
    assert f'[FEN "{chess.STARTING_FEN}"]\n[SetUp "1"]\n[Variant "Chess960"]' in text
    assert read(text).board().chess960


@pytest.mark.parametrize(
    ("left_ms", "clock"),
    [
        (0, "0:00:00.0"),
        (99, "0:00:00.0"),
        (100, "0:00:00.1"),
        (59_999, "0:00:59.9"),
        (60_000, "0:01:00.0"),
        (3_599_999, "0:59:59.9"),
        (3_600_000, "1:00:00.0"),
        (14 * 86_400_000, "336:00:00.0"),
    ],
)
def test_rounds_clocks_down(left_ms: int, clock: str) -> None:
    text = format_pgn({}, None, "standard", ["e2e4"], ["e4"], [left_ms], "*")
    assert f"{{[%clk {clock}]}}" in text
    assert read(text).next().clock() == pytest.approx(left_ms // 100 / 10)  # type: ignore[union-attr]  # there is one


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ('the "best"', r"the \"best\""),
        ("back\\slash", r"back\\slash"),
        ("two\nlines\r\t\0", "two lines   "),
        ("Zürich ♔", "Zürich ♔"),
        ('"]\n[Result "1-0', r"\"] [Result \"1-0"),
    ],
)
def test_no_value_breaks_out_of_its_tag(value: str, written: str) -> None:
    text = format_pgn({"White": value}, None, "standard", [], [], [], "*")
    assert f'[White "{written}"]\n' in text
    headers = read(text).headers
    assert headers["White"] == written
    assert headers["Result"] == "*"


@pytest.mark.parametrize("name", ["", "White Elo", "A]", "Ä", "_x", "a\nb"])
def test_refuses_a_name_that_no_tag_can_have(name: str) -> None:
    with pytest.raises(ValueError, match="not the name of a tag"):
        format_pgn({name: "x"}, None, "standard", [], [], [], "*")


def test_refuses_lists_that_do_not_go_together() -> None:
    with pytest.raises(ValueError, match="shorter"):
        format_pgn({}, None, "standard", ["e2e4", "e7e5"], ["e4"], [1, 2], "*")


@pytest.mark.parametrize("clocked", [True, False])
def test_real_games_come_back_the_same(clocked: bool) -> None:
    for game in real_games():
        position = game.rules.start(game.start.fen())
        moves, notations = [], []
        for move in game.moves:
            played = game.rules.play(position, move.uci())
            position = played.position
            moves.append(played.move)
            notations.append(played.notation)
        clocks = [7_200_000 - 12_345 * ply if clocked else None for ply in range(len(moves))]
        text = format_pgn(
            {"White": "A", "Black": "B"}, game.start.fen(), game.rules.variant, moves, notations, clocks, game.result
        )
        assert max(map(len, text.split("\n\n", 1)[1].splitlines())) <= MAX_COLUMNS
        back = read(text)
        assert [move.uci() for move in back.mainline_moves()] == moves
        assert back.headers["Result"] == game.result
        assert back.end().board().fen() == position.fen
        seen = [node.clock() for node in back.mainline()]
        assert seen == [clock if clock is None else clock // 100 / 10 for clock in clocks]
