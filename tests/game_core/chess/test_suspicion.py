"""Positions that need a search for mating chances."""

from __future__ import annotations

import chess
import pytest

from game_core.chess.chess960 import Chess960
from game_core.chess.standard import Standard
from game_core.chess.winnable import is_dead, may_be_dead
from tests.game_core.chess.library import real_games
from tests.game_core.chess.test_winnable import verdicts


def test_every_published_dead_position_needs_a_search() -> None:
    published = verdicts()
    dead = [
        white.board
        for white, black in zip(published[::2], published[1::2], strict=True)
        if not white.winnable and not black.winnable
    ]
    assert len(dead) == 396
    for board in dead:
        # What is known at once needs no search.
        assert is_dead(board) or may_be_dead(board, check=board.is_check(), is_irreversible=True), board.fen()


def test_few_positions_of_real_games_need_a_search() -> None:
    moves = suspects = 0
    for game in real_games():
        board = game.start.copy()
        for move in game.moves:
            is_irreversible = board.is_irreversible(move)
            board.push(move)
            moves += 1
            suspects += may_be_dead(board, check=board.is_check(), is_irreversible=is_irreversible)
    assert suspects < moves / 30


@pytest.mark.parametrize(
    ("fen", "new_ground", "old_ground"),
    [
        pytest.param(chess.STARTING_FEN, False, False, id="start"),
        pytest.param("7k/8/8/p1p1p1p1/P1P1P1P1/8/8/K6N w - -", True, False, id="locked"),
        pytest.param("8/8/8/8/8/2k5/1r6/K7 w - -", True, True, id="few men, few moves"),
        pytest.param("8/8/8/8/8/2k5/7r/K7 b - -", True, False, id="few men"),
        pytest.param("5k2/p1p5/8/8/8/6p1/P1P3Pp/7K b - -", True, False, id="the other king is shut in"),
        pytest.param("8/5p2/5P2/8/1p2pP2/kP2p3/2KpP3/1q1B4 w - -", True, True, id="a check with one answer"),
        pytest.param("r1b1k3/1kp5/8/8/8/8/5q2/R3K3 w - -".replace("1k3", "5", 1), True, True, id="one of few"),
        pytest.param("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R2QKB1R w KQkq -", False, False, id="kings behind free pawns"),
        pytest.param("4k3/pp6/8/8/8/8/PPq5/1K5R w - -", False, False, id="a check that leads on"),
    ],
)
def test_blocked_positions_need_a_search(fen: str, *, new_ground: bool, old_ground: bool) -> None:
    board = chess.Board(fen)
    before = board.fen()
    assert may_be_dead(board, check=board.is_check(), is_irreversible=True) == new_ground
    assert may_be_dead(board, check=board.is_check(), is_irreversible=False) == old_ground
    assert board.fen() == before


@pytest.mark.parametrize(
    ("rules", "fen"),
    [
        (Standard(), "4k3/8/5p2/p1p1pPp1/P1P1P1P1/8/8/4K3 w - g6 0 1"),
        (Chess960(), "4k3/8/8/8/8/8/8/1R2K2R w HB - 3 20"),
    ],
)
def test_winning_chances_are_found_from_the_identity_alone(rules: Standard, fen: str) -> None:
    position = rules.start(fen)
    identity = rules.identity(position)
    assert identity == fen.rsplit(" ", 2)[0].replace("HB", "KQ")
    finding = rules.find_win(identity, "w", 20_000)
    assert (finding.answer, finding.layer) == ("yes", "search")
    assert rules.find_win(identity, "w", 0).answer == "undecided"
    assert rules.may_be_dead(position)
