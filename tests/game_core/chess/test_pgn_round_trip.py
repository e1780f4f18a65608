"""PGN round trip: an exported game is read back unchanged."""

from __future__ import annotations

import io
from functools import partial
from typing import TYPE_CHECKING

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.chess.pgn_game import NULL_MOVE, NULL_SAN, RESULTS, PgnGame
from game_core.chess.pgn_reader import read_games
from game_core.chess.pgn_writer import format_game, write_games
from game_core.scores.lines import Line, Ply
from game_core.scores.marks import Marks, format_marks, parse_marks, tidy
from game_core.scores.writer import MAX_COLUMNS, wrap_words
from tests.game_core.chess.library import DATA
from tests.game_core.scores import COMMENTS, TIMES, moves_in_line, noted, tags_named, variations_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PASSED = "4k3/8/8/8/8/8/8/4K3 b - - 7 60"


@st.composite
def lines(draw: st.DrawFn, board: chess.Board, depth: int) -> Line:
    """A line of a few moves from ``board``, with whatever may stand in one."""
    board = board.copy(stack=False)
    comments = draw(COMMENTS)
    plies: list[Ply] = []
    for _ in moves_in_line(draw, depth):
        moves = list(board.legal_moves)
        if not moves:
            break
        variations = variations_of(draw, depth, partial(lines, board))
        if depth > 0 and not board.is_check() and draw(st.integers(0, 9)) == 0:
            move = chess.Move.null()
        else:
            move = moves[draw(st.integers(0, len(moves) - 1))]
        names = (move.uci(), board.san(move)) if move else (NULL_MOVE, NULL_SAN)
        plies.append(noted(draw, *names, variations))
        board.push(move)
    return Line(tuple(plies), comments)


@st.composite
def games(draw: st.DrawFn) -> PgnGame:
    kind = draw(st.sampled_from(["usual", "chess960", "position"]))
    board = chess.Board()
    if kind == "chess960":
        board = chess.Board.from_chess960_pos(draw(st.integers(0, 959)))
    elif kind == "position":
        board = chess.Board(draw(st.sampled_from([PASSED, "1n2k3/P7/8/4pP2/8/8/8/R3K2R w KQ e6 0 33"])))
    return PgnGame(
        tags=draw(tags_named("White", "Black", "Event", "Termination", "WhiteElo", "A_1")),
        variant="chess960" if board.chess960 else "standard",
        fen=None if kind == "usual" else board.fen(),
        line=draw(lines(board, 0)),
        result=draw(st.sampled_from(RESULTS)),
    )


@given(games(), st.integers(1, 60))
def test_any_game_round_trips(game: PgnGame, size: int) -> None:
    text = format_game(game)
    assert list(read_games([text])) == [game]
    assert list(read_games(text[at : at + size] for at in range(0, len(text), size))) == [game]


@given(st.lists(games(), max_size=2))
@pytest.mark.exhaustive
def test_several_games_round_trip(several: list[PgnGame]) -> None:
    assert list(read_games(write_games(several))) == several


def our_paths(line: Line, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The moves that lead to each move of ``line`` and its variations."""
    for ply in line.plies:
        for variation in ply.variations:
            yield from our_paths(variation, path)
        path = (*path, ply.move)
        yield path


def their_paths(node: chess.pgn.GameNode, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The same as the library has it."""
    for child in node.variations:
        yield (*path, child.move.uci())
        yield from their_paths(child, (*path, child.move.uci()))


@given(games())
@pytest.mark.exhaustive
def test_library_reads_the_same_moves(game: PgnGame) -> None:
    theirs = chess.pgn.read_game(io.StringIO(format_game(game)))
    assert theirs is not None
    assert not theirs.errors

    assert sorted(our_paths(game.line, ())) == sorted(their_paths(theirs, ()))
    assert [node.move.uci() for node in theirs.mainline()] == [ply.move for ply in game.line.plies]
    assert theirs.headers["Result"] == game.result


@pytest.mark.parametrize("name", ["kasparov-deep-blue-1997.pgn", "cutechess-fischerrandom.pgn"])
def test_real_files_round_trip(name: str) -> None:
    text = (DATA / name).read_text()
    real = [game for game in read_games([text]) if isinstance(game, PgnGame)]
    assert real
    written = list(write_games(real))
    assert len(written) == len(real)
    assert list(read_games(written)) == real
    assert list(read_games("".join(written).replace("\n", "\r\n"))) == real
    assert max(map(len, "".join(written).splitlines())) <= MAX_COLUMNS


def test_game_with_every_element_is_written() -> None:
    f4 = Line((Ply("f2f4", "f4", comments=("too",)), Ply("e7e5", "e5")), ("Or",))
    e4 = Ply("e2e4", "e4", (1, 13), 180_000, 1_234, True, ("A", "B }"), (f4,), ("Well",))
    line = Line((e4, Ply("e7e5", "e5", (2,)), Ply("g1f3", "Nf3", variations=(f4,)), Ply("b8c6", "Nc6")), ("First",))
    text = format_game(PgnGame({"White": "Ada"}, line=line, result="1-0"))
    assert text.partition("\n\n")[2] == (
        "{First} 1. e4 $1 $13 {(=) [%clk 0:03:00.0] [%emt 0:00:01.234]} {A} ;B }\n"
        "( {Or} 1. f4 {too} 1... e5 ) {Well} 1... e5 $2 2. Nf3 ( {Or} 2. f4 {too} 2... e5\n"
        ") 2... Nc6 1-0\n"
    )


def test_move_numbers_count_from_the_start_position() -> None:
    game = PgnGame({}, fen=PASSED, line=Line((Ply("e8e7", "Ke7"), Ply("e1e2", "Ke2"))))
    assert format_game(game).endswith("\n60... Ke7 61. Ke2 *\n")


def test_comments_are_written_on_one_line() -> None:
    game = PgnGame({}, line=Line((Ply("e2e4", "e4", comments=("a\n%b", " ", "c}\n1-0")),)))
    assert format_game(game).endswith("\n1. e4 {a %b} ;c} 1-0\n*\n")


def test_no_line_of_a_comment_begins_with_a_percent_sign() -> None:
    words = ["%" + "x" * 70] * 5
    game = PgnGame({}, line=Line((Ply("e2e4", "e4", comments=(" ".join(words),)),)))
    assert not any(line.startswith("%") for line in format_game(game).splitlines())


def test_commands_in_comments_stay_on_one_line() -> None:
    comment = " ".join(["[%eval 0.21,12]", "so", "[%csl Ga1, Rb2]"] * 9)
    text = format_game(PgnGame({}, line=Line((Ply("e2e4", "e4", comments=(comment,)),))))
    assert text.count("[%eval 0.21,12]") == text.count("[%csl Ga1, Rb2]") == 9
    assert max(map(len, text.splitlines())) <= MAX_COLUMNS


def test_words_are_wrapped_at_the_maximum_column() -> None:
    assert list(wrap_words([])) == []
    assert list(wrap_words(["a" * 79, "b", "c" * 100, ";d\n", "e"])) == ["a" * 79, "b", "c" * 100, ";d", "e"]
    assert list(wrap_words(["a" * 78, "b", "c", ";d\n"])) == ["a" * 78 + " b", "c ;d"]


# Marks in comments.


@pytest.mark.parametrize(
    ("comment", "marks"),
    [
        ("[%clk 1:02:03]", Marks("", 3_723_000, None, draw=False)),
        ("a [%clk 0:00:00.05] b", Marks("a b", 50, None, draw=False)),
        ("[%emt 0:00:07.1239]", Marks("", None, 7123, draw=False)),
        ("[%clk 03:00][%emt 0:01,5]", Marks("", 180_000, 1500, draw=False)),
        ("[%clk 0:01:00] [%clk 0:02:00]", Marks("", 120_000, None, draw=False)),
        ("(=)", Marks("", None, None, draw=True)),
        ("why (=)?", Marks("why ?", None, None, draw=True)),
        ("[%eval 0.3] [%csl Ga1]", Marks("[%eval 0.3] [%csl Ga1]", None, None, draw=False)),
        ("[%clk soon] [%clk 1]", Marks("[%clk soon] [%clk 1]", None, None, draw=False)),
        ("[%clk [%clk 0:00:01] 0:00:02]", Marks("[%clk [%clk 0:00:01] 0:00:02]", None, None, draw=False)),
        ("[%clk 99999:00:00]", Marks("[%clk 99999:00:00]", None, None, draw=False)),
        ("a\n\tb\0c\x85", Marks("a b c", None, None, draw=False)),
        ("", Marks("", None, None, draw=False)),
    ],
)
def test_marks_in_comments_are_read(comment: str, marks: Marks) -> None:
    assert parse_marks(comment) == marks


@given(TIMES, TIMES, st.booleans())
def test_marks_round_trip(clock_ms: int | None, spent_ms: int | None, draw: bool) -> None:
    assert parse_marks(format_marks(clock_ms, spent_ms, draw=draw)) == Marks("", clock_ms, spent_ms, draw)


@given(st.text() | st.text("[%clk 0:12] (=)"))
def test_rest_of_a_comment_is_kept_without_marks(comment: str) -> None:
    text = parse_marks(comment).text
    assert parse_marks(text) == Marks(text, None, None, draw=False)
    assert tidy(text) == text
