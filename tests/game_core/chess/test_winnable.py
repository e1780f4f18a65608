"""Mating chances against the published verdicts of the Chess Unwinnability Analyzer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import chess
import pytest

from game_core.chess.reach import mates_in_reach
from game_core.chess.winnable import can_win, is_dead, may_be_locked
from tests.game_core.chess.library import DATA, STANDARD, random_game, real_games

RECOGNISED = 614
"""So many of 930 verdicts "this side cannot win" are found. Fewer would be a step back; all is for a later issue."""

if TYPE_CHECKING:
    from collections.abc import Callable


class Verdict(NamedTuple):
    board: chess.Board
    color: chess.Color
    winnable: bool


def verdicts() -> list[Verdict]:
    found = []
    for line in (DATA / "unwinnable.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            board = chess.Board(line[3:])
            found += [Verdict(board, chess.WHITE, line[0] == "W"), Verdict(board, chess.BLACK, line[1] == "B")]
    return found


@pytest.mark.exhaustive
def test_quick_check_agrees_with_published_verdicts(record_property: Callable[[str, object], None]) -> None:
    everything = verdicts()
    assert len(everything) == 1804
    denied = [verdict for verdict in everything if not can_win(verdict.board, verdict.color)]
    wrong = [verdict.board.fen() for verdict in denied if verdict.winnable]
    assert wrong == []
    unwinnable = sum(not verdict.winnable for verdict in everything)
    record_property("unwinnable recognised", f"{len(denied)} of {unwinnable}")
    assert len(denied) >= RECOGNISED


@pytest.mark.exhaustive
def test_position_is_dead_if_neither_side_can_win() -> None:
    for white, black in zip(verdicts()[::2], verdicts()[1::2], strict=True):
        assert is_dead(white.board) == (not can_win(white.board, chess.WHITE) and not can_win(black.board, chess.BLACK))


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - -", False, False),
        ("4k3/8/8/8/8/8/8/4KR2 w - -", True, False),
        ("4k3/8/8/8/8/8/8/4KQ2 w - -", True, False),
        ("4k3/8/8/8/8/8/4P3/4K3 w - -", True, False),
        ("4k3/8/8/8/8/8/8/4KB2 w - -", False, False),
        ("4k3/8/8/8/8/8/8/4KN2 w - -", False, False),
        ("4k3/8/8/8/8/8/8/3NKN2 w - -", True, False),
        ("4k3/8/8/8/8/8/8/3BKN2 w - -", True, False),
        ("4k3/8/8/8/8/8/8/2B1KB2 w - -", True, False),  # dark and light
        ("4k3/8/8/8/8/8/8/1B2KB2 w - -", False, False),  # both light
        ("4kb2/8/8/8/8/8/8/2B1K3 w - -", False, False),  # both dark
        ("4kb2/8/8/8/8/8/8/4KB2 w - -", True, True),  # the other's bishop stands in its king's way
        ("4kn2/8/8/8/8/8/8/4KB2 w - -", True, True),
        ("4kr2/8/8/8/8/8/8/4KB2 w - -", False, True),  # its rook can always step between
        ("4kq2/8/8/8/8/8/8/4KB2 w - -", False, True),
        ("4k3/5p2/8/8/8/8/8/4KB2 w - -", True, True),
        ("4kn2/8/8/8/8/8/8/4KN2 w - -", True, True),
        ("4kr2/8/8/8/8/8/8/4KN2 w - -", True, True),
        ("4kb2/8/8/8/8/8/8/4KN2 w - -", True, True),
        ("4kq2/8/8/8/8/8/8/4KN2 w - -", False, True),  # a queen takes the knight or covers its square
        ("4k3/5p2/8/8/8/8/8/4KN2 w - -", True, True),
    ],
)
def test_winning_chances_follow_the_material(fen: str, *, white: bool, black: bool) -> None:
    board = chess.Board(fen)
    assert (can_win(board, chess.WHITE), can_win(board, chess.BLACK)) == (white, black)
    assert is_dead(board) == (not white and not black)


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        pytest.param("Rk6/8/2K5/8/8/8/8/8 b - -", False, False, id="the rook must be taken"),
        pytest.param("k7/8/1K6/8/8/8/8/1R6 b - -", True, False, id="the king must go where it can be mated"),
        pytest.param("7k/5Q2/6K1/8/8/8/8/8 b - -", False, False, id="stalemate"),
        pytest.param("4k3/4Q3/4K3/8/8/8/8/8 b - -", True, False, id="mate"),
        pytest.param("2b5/kpPp4/1p1P4/1P6/6p1/4p1P1/4PpPK/5B2 w - -", False, False, id="only moves for ever"),
    ],
)
def test_winning_chances_follow_forced_moves(fen: str, *, white: bool, black: bool) -> None:
    board = chess.Board(fen)
    assert (can_win(board, chess.WHITE), can_win(board, chess.BLACK)) == (white, black)


@pytest.mark.exhaustive
def test_locked_positions_are_rare_in_real_games() -> None:
    looks = total = 0
    for game in real_games():
        board = game.start.copy()
        for move in game.moves:
            total += 1
            looks += may_be_locked(board)
            assert can_win(board, chess.WHITE)
            assert can_win(board, chess.BLACK)
            board.push(move)
    assert looks < total / 50


@pytest.mark.exhaustive
def test_winner_of_a_real_game_could_always_win() -> None:
    mates = 0
    for seed in range(16):
        game = list(random_game(STANDARD, seed, 400))
        last, move = game[-1]
        last = last.copy()
        last.push(move)
        if last.is_checkmate():
            mates += 1
            winner = not last.turn
            for board, _ in [*game[::7], *game[-9:]]:
                assert can_win(board, winner)
                assert mates_in_reach(board)[0 if winner else 1]
    assert mates
