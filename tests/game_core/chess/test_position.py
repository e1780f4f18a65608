"""Positions as values: notation, repetition, history, ends of games."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import chess
import pytest

from game_core.errors import IllegalMove
from game_core.rules import Outcome
from tests.game_core.chess.library import CHESS960, STANDARD, first_position, random_game, real_games

if TYPE_CHECKING:
    from game_core.chess.position import Position
    from game_core.chess.standard import Standard

KNIGHTS_OUT_AND_BACK = ("g1f3", "g8f6", "f3g1", "f6g8")


def first(fen: str = chess.STARTING_FEN) -> Position:
    return first_position(chess.Board(fen))


def after(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.play(move).position
    return position


@pytest.mark.exhaustive
def test_real_games_equal_the_library() -> None:
    games = real_games()
    assert len(games) > 6
    for game in games:
        board = game.start.copy()
        position = first_position(board.copy())
        for move in game.moves:
            played = position.play(move.uci())
            assert (played.move, played.notation) == (move.uci(), board.san(move))
            board.push(move)
            position = played.position
            assert position.fen == board.fen()
            assert (played.check, position.check) == (board.is_check(), board.is_check())


@pytest.mark.parametrize("rules", [STANDARD, CHESS960], ids=lambda rules: str(rules.variant))
@pytest.mark.exhaustive
def test_random_games_equal_the_library(rules: Standard) -> None:
    for seed in range(12):
        position = rules.start(rules.draw_start(seed))
        for board, move in random_game(rules, seed, 250):
            assert position.fen == board.fen()
            assert position.check == board.is_check()
            assert (position.repeats >= 3) == board.is_repetition(3)
            assert position.mobile
            played = position.play(move.uci())
            assert played.notation == board.san(move)
            position = played.position


def test_fen_has_the_en_passant_square_only_if_the_capture_is_legal() -> None:
    assert after(first(), "e2e4").fen.split()[3] == "-"
    assert after(first(), "e2e4", "a7a6", "e4e5", "d7d5").fen.split()[3] == "d6"
    pinned = first("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    assert after(pinned, "d7d5").fen.split()[3] == "-"


def test_x_fen_names_the_rook_only_if_another_stands_outside() -> None:
    position = first_position(chess.Board("4k3/8/8/8/8/6R1/8/4KR2 w F - 0 1", chess960=True))
    assert position.fen.split()[2] == "K"
    position = after(position, "g3h3", "e8d8", "h3h1")
    assert position.fen.split()[2] == "F"
    assert after(position, "d8e8", "h1h8").fen.split()[2] == "K"
    assert after(position, "d8e8", "e1f1").fen.split()[2] == "-"


def test_repetition_needs_equal_castling_rights() -> None:
    position = after(first(), *KNIGHTS_OUT_AND_BACK)
    assert position.repeats == 2
    rooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    home_again = after(first(rooks), "a1b1", "a8b8", "b1a1", "b8a8")
    assert home_again.fen.split()[0] == rooks.split()[0]
    assert home_again.repeats == 1


def test_position_with_an_en_passant_capture_is_another() -> None:
    with_capture = after(first("4k3/3p4/8/4P3/8/8/8/4K1N1 b - - 0 1"), "d7d5")
    without = after(with_capture, "g1f3", "e8e7", "f3g1", "e7e8")
    assert without.repeats == 1
    assert after(without, "g1f3", "e8e7", "f3g1", "e7e8").repeats == 2


def test_irreversible_move_drops_earlier_positions() -> None:
    position = after(first(), *KNIGHTS_OUT_AND_BACK)
    assert len(position.keys) == 5
    assert len(after(position, "e2e4").keys) == 1
    assert len(after(position, "g1f3", "g8f6", "f3e5", "f6e4", "e5d7").keys) == 1


def test_irreversible_moves_include_forced_replies_to_check() -> None:
    position = first("4k3/8/8/8/8/8/7P/r3K3 w - - 0 1")
    grounds = []
    for move in ("e1e2", "a1b1", "e2e3", "b1b3", "e3e4", "b3a3", "h2h4"):
        position = after(position, move)
        grounds.append(position.is_irreversible)
    assert grounds == [True, False, False, False, True, False, True]
    assert len(after(first("4k3/8/8/8/8/8/7P/r3K3 w - - 0 1"), "e1e2").keys) == 2


def test_repeated_play_returns_the_cached_result_once() -> None:
    position = first()
    played = position.play("e2e4")
    assert position.play("e2e4") is played
    assert position.play("e2e4") is not played


def test_cached_move_does_not_affect_other_moves() -> None:
    position = first()
    position.play("e2e4")
    assert position.play("d2d4").notation == "d4"
    with pytest.raises(IllegalMove):
        position.play("d2d5")
    assert position.play("d2d4").position.fen.startswith("rnbqkbnr/pppppppp/8/8/3P4/")


def test_playing_does_not_change_the_position() -> None:
    position = first()
    before = (position.fen, position.keys, position.board.fen())
    after(position, "e2e4", "e7e5")
    assert (position.fen, position.keys, position.board.fen()) == before


@pytest.mark.parametrize(
    ("fen", "outcome"),
    [
        (chess.STARTING_FEN, None),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Outcome("b", "checkmate")),
        ("4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1", Outcome("w", "checkmate")),
        ("4k3/4Q3/4K3/8/8/8/8/8 b - - 150 99", Outcome("w", "checkmate")),  # mate goes before the 75 moves
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Outcome(None, "stalemate")),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 150 99", Outcome(None, "stalemate")),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Outcome(None, "dead_position")),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 150 99", Outcome(None, "dead_position")),
        ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", Outcome(None, "dead_position")),
        ("Rk6/8/2K5/8/8/8/8/8 b - - 3 50", Outcome(None, "dead_position")),  # the rook must be taken
        ("4k3/8/8/8/8/8/8/4KR2 w - - 149 99", None),
        ("4k3/8/8/8/8/8/8/4KR2 w - - 150 99", Outcome(None, "seventyfive_moves")),
    ],
)
def test_outcome_of_a_position(fen: str, outcome: Outcome | None) -> None:
    position = first(fen)
    assert position.outcome == outcome
    assert position.outcome is position.outcome


def test_fifth_repetition_ends_the_game() -> None:
    position = after(first(), *KNIGHTS_OUT_AND_BACK * 4)
    assert after(first(), *KNIGHTS_OUT_AND_BACK * 3).outcome is None
    assert position.outcome == Outcome(None, "fivefold")


def test_position_is_dead_once_the_en_passant_capture_lapses() -> None:
    position = after(first("4k3/2p5/1p1p1p1p/1P1PpPpP/2P1P1P1/8/8/4K3 b - - 0 1"), "c7c5")
    assert position.outcome is None
    assert after(position, "b5c6").outcome is None
    assert after(position, "e1e2").outcome == Outcome(None, "dead_position")


def test_positions_with_the_same_history_are_equal() -> None:
    position = after(first(), *KNIGHTS_OUT_AND_BACK)
    assert position == after(first(), *KNIGHTS_OUT_AND_BACK)
    assert hash(position) == hash(after(first(), *KNIGHTS_OUT_AND_BACK))
    assert position != after(first(), "b1c3", "g8f6", "c3b1", "f6g8")  # the same on the board, by another way
    assert position != first()
    assert first() != CHESS960.start(None)
    assert position != position.fen


def test_repr_shows_the_fen() -> None:
    assert repr(first()) == f"Position({chess.STARTING_FEN!r})"


def test_position_stays_small_in_a_long_game() -> None:
    position = first("4k3/8/8/8/8/8/8/R3K2R w - - 0 1")
    kings = ("e1d1", "e8d8", "d1e1", "d8e8")
    position = after(position, *kings * 37)
    held = [position, *position.keys, position.board, position.board.__dict__, *position.board.__dict__.values()]
    assert len(position.keys) == 149
    assert sum(sys.getsizeof(part) for part in held) < 20_000
    assert not position.board.move_stack
