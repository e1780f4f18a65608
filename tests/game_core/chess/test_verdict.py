"""Exact mating chances. All published verdicts without a bound: ``make unwinnable``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import chess
import pytest

from game_core.chess.verdict import can_win
from tests.game_core.chess.library import STANDARD, random_game
from tests.game_core.chess.test_winnable import verdicts

if TYPE_CHECKING:
    from collections.abc import Callable

EVERY = 13
"""All 1804 would take minutes."""

NODES = 80

DECIDED = 85
"""So many of the 139 are decided within so few nodes. Fewer would be a step back."""


def is_mate_at_the_end(board: chess.Board, winner: chess.Color, line: tuple[chess.Move, ...]) -> bool:
    board = board.copy(stack=False)
    for move in line:
        assert board.is_legal(move)
        board.push(move)
    return board.is_checkmate() and board.turn != winner


@pytest.mark.exhaustive
def test_bounded_search_agrees_with_published_verdicts(record_property: Callable[[str, object], None]) -> None:
    answers: Counter[str] = Counter()
    for board, color, winnable in verdicts()[::EVERY]:
        before = board.fen()
        verdict = can_win(board, color, NODES)
        assert board.fen() == before
        assert verdict.answer != ("no" if winnable else "yes"), before
        assert verdict.nodes <= NODES
        if verdict.answer == "yes":
            assert is_mate_at_the_end(board, color, verdict.line)
        answers[f"{verdict.answer} by {verdict.layer}"] += 1
    record_property("verdicts", dict(answers))
    assert sum(answers.values()) - answers["undecided by search"] >= DECIDED


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        pytest.param("4k3/8/8/8/8/8/8/4KN2 w - -", "no material", "no material", id="bare"),
        pytest.param("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - -", "no reach", "no reach", id="a wall"),
        pytest.param("Rk6/8/2K5/8/8/8/8/8 b - -", "no search", "no material", id="the rook must be taken"),
        pytest.param("7k/5Q2/6K1/8/8/8/8/8 b - -", "no search", "no material", id="stalemate"),
        pytest.param("4k3/4Q3/4K3/8/8/8/8/8 b - -", "yes search", "no material", id="mate already"),
        pytest.param("7k/4Q3/5K2/8/8/8/8/8 w - -", "yes search", "no material", id="mate in one"),
        pytest.param("2b5/kpPp4/1p1P4/1P6/6p1/4p1P1/4PpPK/5B2 w - -", "no reach", "no reach", id="only moves for ever"),
        pytest.param("4kn2/8/8/8/8/8/8/4KN2 w - -", "yes search", "yes search", id="knights help each other"),
        pytest.param("4kb2/8/8/8/8/8/8/2B1K3 w - -", "no material", "no material", id="bishops of one colour"),
        pytest.param("6k1/8/8/8/8/1p1p4/1P1P4/1KB5 w - -", "no stages", "no stages", id="a bishop that cannot get out"),
    ],
)
def test_verdict_names_the_deciding_layer(fen: str, white: str, black: str) -> None:
    board = chess.Board(fen)
    found = [can_win(board, color, 20_000) for color in (chess.WHITE, chess.BLACK)]
    assert [f"{verdict.answer} {verdict.layer}" for verdict in found] == [white, black]


def test_verdict_is_undecided_without_nodes() -> None:
    board = chess.Board()
    assert can_win(board, chess.WHITE, 0) == ("undecided", "search", 0, ())
    assert can_win(board, chess.WHITE, 1) == ("undecided", "search", 1, ())


def test_search_includes_chess960_castling() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1", chess960=True)
    verdict = can_win(board, chess.WHITE, 5000)
    assert verdict.answer == "yes"
    assert is_mate_at_the_end(board, chess.WHITE, verdict.line)


@pytest.mark.parametrize("color", [chess.WHITE, chess.BLACK])
def test_search_includes_en_passant_in_a_blocked_position(color: chess.Color) -> None:
    board = chess.Board("4k3/8/5p2/p1p1pPp1/P1P1P1P1/8/8/4K3 w - g6 0 1")
    verdict = can_win(board, color, 20_000)
    assert verdict.answer == "yes"
    assert is_mate_at_the_end(board, color, verdict.line)
    board.ep_square = None
    assert can_win(board, color, 20_000) == ("no", "reach", 0, ())


@pytest.mark.exhaustive
def test_winner_of_a_random_game_could_always_mate() -> None:
    mates = 0
    for seed in range(10):
        game = list(random_game(STANDARD, seed, 400))
        last, move = game[-1]
        last = last.copy()
        last.push(move)
        if last.is_checkmate():
            mates += 1
            for board, _ in [*game[::80], *game[-2:]]:
                assert can_win(board, not last.turn, 20).answer != "no"
    assert mates


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "fen", ["8/2pN4/3p4/3k4/r7/8/5K2/8 b - -", "k7/8/8/8/8/6R1/1n4KR/8 w - -", "2kb4/8/8/8/8/8/2KN4/8 w - -"]
)
def test_single_minor_pieces_can_mate_with_help(fen: str) -> None:
    board = chess.Board(fen)
    for color in (chess.WHITE, chess.BLACK):
        verdict = can_win(board, color, 20_000)
        assert verdict.answer == "yes"
        assert is_mate_at_the_end(board, color, verdict.line)


@pytest.mark.parametrize("color", [chess.WHITE, pytest.param(chess.BLACK, marks=pytest.mark.exhaustive)])
def test_bishops_mate_across_a_pawn_wall(color: chess.Color) -> None:
    board = chess.Board("3k4/4b3/3bB3/p1pBp1p1/P1PbP1P1/4b3/4B3/3K1B2 b - -")
    verdict = can_win(board, color, 4000)
    assert verdict.answer == "yes"
    assert is_mate_at_the_end(board, color, verdict.line)
