"""Limits of PGN import: length, depth, amount, malformed text, thousands of games."""

from __future__ import annotations

import sys
import tracemalloc
from typing import TYPE_CHECKING

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.chess.pgn_game import PgnGame
from game_core.chess.pgn_reader import PgnReader, read_games
from game_core.chess.pgn_writer import write_games
from game_core.errors import BadScore
from game_core.scores import game_builder, tokens
from tests.game_core.chess.library import CHESS960, DATA, STANDARD, random_game
from tests.game_core.chess.test_pgn_reader import FILES, fault, only
from tests.game_core.scores import tagged

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("1. e4 {" + "x" * (tokens.MAX_COMMENT + 1) + "} *", 7, "longer than"),
        ("1. e4 ;" + "x" * (tokens.MAX_COMMENT + 1) + "\n*", 7, "longer than"),
        ("%" + "x" * (tokens.MAX_COMMENT + 1) + "\n1. e4 *", 1, "longer than"),
        ("1. " + "e" * 500, 4, "longer than"),
        ('[White "' + "x" * tokens.MAX_TAG + '"]', 1, "not a tag pair of at most"),
        ('[White "' + "\\" * tokens.MAX_TAG * 2, 1, "not a tag pair of at most"),
        ("[" + "White" * tokens.MAX_TAG, 1, "not a tag pair of at most"),
        ("[" + " " * tokens.MAX_TAG * 2, 1, "not a tag pair of at most"),
        ("1. e4 " + "(1. d4 " * (game_builder.MAX_DEPTH + 1), 7 + 7 * game_builder.MAX_DEPTH, "nested variations"),
        ("".join(f'[T{n} "x"]' for n in range(game_builder.MAX_TAGS + 1)), None, "more than 200 tags"),
    ],
)
def test_every_element_has_a_maximum_length(text: str, column: int | None, reason: str) -> None:
    for pieces in ([text], [text[at : at + 999] for at in range(0, len(text), 999)]):
        (bad,) = read_games(pieces)
        assert isinstance(bad, BadScore)
        assert reason in bad.reason
        assert column in (None, bad.column)


def test_elements_at_the_maximum_length_are_read() -> None:
    comment = "x" * tokens.MAX_COMMENT
    value = "x" * (tokens.MAX_TAG - len('[White ""]'))
    nested = "(1. d4" * game_builder.MAX_DEPTH + ")" * game_builder.MAX_DEPTH
    game = only(tagged(f'White "{value}"', moves=f"1. e4 {{{comment}}} {nested} *"))
    assert game.line.plies[0].comments == (comment,)
    assert game.tags == {"White": value}


@pytest.mark.parametrize(
    ("limit", "moves", "what"),
    [
        ("MAX_PLIES", "1. e4 (1. d4)", "moves"),
        ("MAX_TOKENS", "1. e4 !!", "tokens"),
        ("MAX_COMMENTS", "e4 {ab}", "characters"),
    ],
)
def test_size_of_a_game_is_bounded(limit: str, moves: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_builder, limit, 2)
    assert isinstance(next(read_games([moves])), PgnGame)
    assert what in fault(f"{moves} ! {{c}} (1. c4)")[2]


@given(st.text() | st.text('[]"\\{}();%$*-=.!?\n\r eNf34bxO10/2'))
def test_any_text_is_games_or_faults(text: str) -> None:
    whole = list(read_games([text]))
    pieces = list(read_games(text))
    assert [game for game in whole if isinstance(game, PgnGame)] == [
        game for game in pieces if isinstance(game, PgnGame)
    ]
    assert list(map(str, whole)) == list(map(str, pieces))


@given(st.data())
def test_altered_real_file_does_not_break_the_reader(data: st.DataObject) -> None:
    text = (DATA / FILES[0]).read_text()[:1500]
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, min(len(text), begin + 50)))
    text = text[:begin] + data.draw(st.text('[]"{}();%\n x')) + text[end:]
    cut = data.draw(st.integers(0, len(text)))
    assert list(map(repr, read_games([text]))) == list(map(repr, read_games([text[:cut], text[cut:]])))


# Thousands of games.

GAMES = 10_000

MOST_BLOCKS = 50_000
"""Blocks of memory by which a reader may grow: what some hundred games take; ten thousand take millions."""

MOST_BYTES = 1_000_000
"""Of memory; some twenty times the longest comment, half of what comes in."""


def generated() -> Iterator[str]:
    """``GAMES`` games with clocks and variations, now and then a bad one, in pieces that do not end where games do."""
    scores = []
    for seed, rules in enumerate((STANDARD, CHESS960) * 4):
        start = rules.draw_start(seed) or chess.STARTING_FEN
        words = [f"{board.san(move)} {{[%clk 0:01:{seed:02}]}}" for board, move in random_game(rules, seed, 4)]
        tags = f'[FEN "{start}"]\n[SetUp "1"]\n[Variant "{rules.variant}"]\n'
        scores.append(f"{tags}\n{' '.join(words)} ( {words[-1]} ) 1-0\n\n")
    left = ""
    for number in range(GAMES):
        left += f'[White "Player {number}"]\n'
        left += "\n1. e9 *\n" if number % 1000 == 0 else scores[number % len(scores)]
        yield left[:-37]
        left = left[-37:]
    yield left


@pytest.mark.slow("thousands of games")
def test_ten_thousand_games_pass_in_bounded_memory() -> None:
    """Through the reader and the writer."""
    blocks = []
    bad = moves = 0

    def good_games() -> Iterator[PgnGame]:
        nonlocal bad, moves
        for number, game in enumerate(read_games(generated())):
            blocks.append(sys.getallocatedblocks())
            if isinstance(game, BadScore):
                assert (game.game, number % 1000) == (number + 1, 0)
                bad += 1
            else:
                assert game.tags == {"White": f"Player {number}"}
                moves += len(game.line.plies)
                yield game

    written = sum(piece.count('[White "Player ') for piece in write_games(good_games()))
    assert (written, bad, moves) == (GAMES - 10, 10, 4 * (GAMES - 10))
    assert max(blocks) - blocks[0] < MOST_BLOCKS


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        ("{", "x"),
        ("[", " "),
        ('[A "', "x"),
        ("", "("),
        ("1. e4 ", "("),
        ("", "\n"),
        ("e", "e"),
        ("@", "x"),
        ("", "%" * 99 + "\n"),
    ],
    ids=["comment", "tag", "value", "open", "nested", "empty", "symbol", "garbage", "escaped"],
)
def test_hostile_text_without_end_is_read_in_bounded_memory(begin: str, more: str) -> None:
    reader = PgnReader()
    tracemalloc.start()
    try:
        found = list(reader.feed(begin))
        for _ in range(200):
            found += reader.feed(more * (10_000 // len(more)))
        found += reader.close()
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()
    assert len(found) == (not more.endswith("\n"))
