"""PGN export of plain scores, read back by the library."""

from __future__ import annotations

import io

import chess
import chess.pgn
import pytest

from game_core.chess.pgn_game import PgnGame
from game_core.chess.pgn_writer import format_game
from game_core.scores.lines import Line, Ply
from game_core.scores.writer import MAX_COLUMNS, SEVEN_TAGS
from tests.game_core.chess.library import real_games


def read(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    return game


def test_game_is_written() -> None:
    tags = {
        "White": "Ada",
        "Black": "Bo",
        "Event": "Casual",
        "TimeControl": "180+2",
        "Annotator": "none",
        "Result": "*",
    }
    plies = (Ply("e2e4", "e4", clock_ms=180_000), Ply("e7e5", "e5", clock_ms=179_999), Ply("d1h5", "Qh5"))
    assert format_game(PgnGame(tags, line=Line(plies), result="1-0")) == (
        '[Event "Casual"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Ada"]\n[Black "Bo"]\n[Result "1-0"]\n'
        '[Annotator "none"]\n[TimeControl "180+2"]\n\n'
        "1. e4 {[%clk 0:03:00.0]} 1... e5 {[%clk 0:02:59.999]} 2. Qh5 1-0\n"
    )


def test_moves_without_clocks_share_a_move_number() -> None:
    plies = (Ply("e2e4", "e4"), Ply("e7e5", "e5"), Ply("g1f3", "Nf3"))
    assert format_game(PgnGame({}, line=Line(plies))).endswith("\n\n1. e4 e5 2. Nf3 *\n")


def test_game_without_moves_is_written_as_its_result() -> None:
    text = format_game(PgnGame({}))
    assert text.endswith("\n\n*\n")
    assert dict(read(text).headers) == SEVEN_TAGS


def test_start_position_is_written_in_the_tags() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K2R b KQ - 3 40"
    plies = (Ply("e8e7", "Ke7"), Ply("e1g1", "O-O", clock_ms=500))
    text = format_game(PgnGame({"FEN": "not this"}, fen=fen, line=Line(plies)))
    assert "40... Ke7 41. O-O {[%clk 0:00:00.5]} *" in text
    assert f'[FEN "{fen}"]\n[SetUp "1"]' in text
    assert "[Variant" not in text
    assert read(text).end().board().fen() == "8/4k3/8/8/8/8/8/R4RK1 b - - 5 41"


def test_chess960_always_has_a_fen_tag() -> None:
    text = format_game(PgnGame({"Variant": "none"}, "chess960", line=Line((Ply("e2e4", "e4"),))))
    assert f'[FEN "{chess.STARTING_FEN}"]\n[SetUp "1"]\n[Variant "Chess960"]' in text
    assert read(text).board().chess960


@pytest.mark.parametrize(
    ("left_ms", "clock"),
    [
        (0, "0:00:00.0"),
        (99, "0:00:00.099"),
        (100, "0:00:00.1"),
        (59_999, "0:00:59.999"),
        (60_000, "0:01:00.0"),
        (3_599_900, "0:59:59.9"),
        (3_600_000, "1:00:00.0"),
        (14 * 86_400_000, "336:00:00.0"),
    ],
)
def test_clocks_are_written_exactly(left_ms: int, clock: str) -> None:
    text = format_game(PgnGame({}, line=Line((Ply("e2e4", "e4", clock_ms=left_ms, spent_ms=left_ms),))))
    assert f"{{[%clk {clock}] [%emt {clock}]}}" in text
    node = read(text).next()
    assert node is not None
    assert (node.clock(), node.emt()) == (left_ms / 1000, left_ms / 1000)


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
def test_tag_values_are_escaped(value: str, written: str) -> None:
    text = format_game(PgnGame({"White": value}))
    assert f'[White "{written}"]\n' in text
    headers = read(text).headers
    assert headers["White"] == written
    assert headers["Result"] == "*"


@pytest.mark.parametrize("name", ["", "White Elo", "A]", "Ä", "_x", "a\nb"])
def test_invalid_tag_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not the name of a tag"):
        format_game(PgnGame({name: "x"}))


@pytest.mark.parametrize("clocked", [True, False])
def test_real_games_round_trip(clocked: bool) -> None:
    for game in real_games():
        position = game.rules.start(game.start.fen())
        plies = []
        for number, move in enumerate(game.moves):
            played = game.rules.play(position, move.uci())
            position = played.position
            clock_ms = 7_200_000 - 12_345 * number if clocked else None
            plies.append(Ply(played.move, played.notation, clock_ms=clock_ms))
        tags = {"White": "A", "Black": "B"}
        written = PgnGame(tags, game.rules.variant, game.start.fen(), Line(tuple(plies)), game.result)
        text = format_game(written)
        assert max(map(len, text.split("\n\n", 1)[1].splitlines())) <= MAX_COLUMNS
        back = read(text)
        assert [move.uci() for move in back.mainline_moves()] == [ply.move for ply in plies]
        assert back.headers["Result"] == game.result
        assert back.end().board().fen() == position.fen
        seen = [node.clock() for node in back.mainline()]
        assert seen == [None if ply.clock_ms is None else ply.clock_ms / 1000 for ply in plies]
