"""Standard chess behind the interface of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
import pytest

from game_core.errors import BadPosition, IllegalMove
from game_core.rules import Outcome
from tests.game_core.chess.library import STANDARD, real_games

if TYPE_CHECKING:
    from game_core.chess.position import Position
    from game_core.rules import Rules


def play(position: Position, *moves: str) -> Position:
    for move in moves:
        position = STANDARD.play(position, move).position
    return position


def test_standard_chess_has_the_attributes_of_rules() -> None:
    rules: Rules = STANDARD
    assert (rules.game, rules.variant, rules.notation) == ("chess", "standard", "san")
    assert (rules.starts, rules.draw_start(17)) == (1, None)


def test_default_start_is_the_initial_position() -> None:
    position = STANDARD.start(None)
    assert STANDARD.fen(position) == chess.STARTING_FEN
    assert STANDARD.turn(position) == "w"
    assert not STANDARD.is_check(position)
    assert len(STANDARD.legal_moves(position)) == 20
    assert STANDARD.outcome(position) is None
    assert STANDARD.claimable(position) is None
    assert STANDARD.can_win(position, "w")
    assert STANDARD.can_win(position, "b")


@pytest.mark.parametrize(
    ("fen", "normal"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 12 40", "4k3/8/8/8/8/8/8/4K2R w K - 12 40"),
        ("4k3/8/8/8/8/8/8/4K2R w H - 12 40", "4k3/8/8/8/8/8/8/4K2R w K - 12 40"),
        ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        (" 4k3/8/8/8/8/8/8/4K2R  w K - 12 40\n", "4k3/8/8/8/8/8/8/4K2R w K - 12 40"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1"),
    ],
)
def test_game_starts_from_any_valid_position(fen: str, normal: str) -> None:
    assert STANDARD.fen(STANDARD.start(fen)) == normal


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "not a FEN"),
        ("start", "not a FEN"),
        (chess.STARTING_BOARD_FEN, "not a FEN"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 12", "not a FEN"),
        ("4k3/8/8/8/8/8/8/4K2R w K - -1 1", "not a FEN"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 1_0 1", "not a FEN"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 99999", "not a FEN"),
        ("4k3/8/8/8/8/8/8/4K2R W K - 0 1", "not a FEN"),
        ("4k3/8/8/8/8/8/8/4K2R w  - 0 1", "not a FEN"),
        ("4k3/8/8/8/8/8/8/4K2R w  -", "not a FEN"),
        ("4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "not a FEN"),
        ("4k3/8/8/8/8/8/8/4K2R w K e4 0 1", "not a FEN"),
        ("4k3/8/8/8/8/8/8/Q~3K3 w - - 0 1", "not a FEN"),
        ("x" * 10_000, "not a FEN"),
        ("4k3/8/8/8/8/8/8/4K2R2 w K - 0 1", "row"),
        ("4k3/8/8/8/8/8/4K2R/// w K - 0 1", "row"),
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "bad castling rights"),
        ("4k3/8/8/8/8/8/8/3K3R w H - 0 1", "bad castling rights"),
        ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "bad castling rights"),
        ("4k3/8/8/8/8/8/8/4K3 w Q - 0 1", "bad castling rights"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "bad castling rights"),
        ("4k3/8/8/8/8/8/8/4K2R w - e6 0 1", "invalid ep square"),
        ("8/8/8/8/8/8/8/4K2R w - - 0 1", "no black king"),
        ("4k3/8/8/8/8/8/8/R2KK3 w - - 0 1", "too many kings"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawns on backrank"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "opposite check"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "several faults|empty"),
        ("4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1", "over .* checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "over .* stalemate"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "over .* dead_position"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 150 100", "over .* seventyfive_moves"),
    ],
)
def test_invalid_start_position_is_refused(fen: str, message: str) -> None:
    with pytest.raises(BadPosition, match=message) as caught:
        STANDARD.start(fen)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("wire", ["e1g1", "e1h1"])
def test_castling_has_one_canonical_name(wire: str) -> None:
    position = STANDARD.start("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    played = STANDARD.play(position, wire)
    assert (played.move, played.notation) == ("e1g1", "O-O")
    assert "e1g1" in STANDARD.legal_moves(position)


@pytest.mark.parametrize("wire", ["e8c8", "e8a8"])
def test_queenside_castling_has_one_canonical_name(wire: str) -> None:
    played = STANDARD.play(STANDARD.start("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1"), wire)
    assert (played.move, played.notation) == ("e8c8", "O-O-O")


@pytest.mark.parametrize("wire", ["0000", "N@f3", "e2e5", "castle"])
def test_malformed_or_illegal_move_is_refused(wire: str) -> None:
    with pytest.raises(IllegalMove):
        STANDARD.play(STANDARD.start(None), wire)


def test_check_and_mate_are_marked() -> None:
    position = play(STANDARD.start(None), "f2f3", "e7e5", "g2g4")
    mate = STANDARD.play(position, "d8h4")
    assert (mate.notation, mate.check) == ("Qh4#", True)
    assert STANDARD.outcome(mate.position) == Outcome("b", "checkmate")
    check = STANDARD.play(play(position, "b8c6", "e1f2"), "d8h4")
    assert (check.notation, check.check) == ("Qh4+", True)
    assert STANDARD.is_check(check.position)


KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8")


def test_draw_can_be_claimed_at_the_third_repetition() -> None:
    start = STANDARD.start(None)
    assert STANDARD.claimable(play(start, *KNIGHTS)) is None
    assert STANDARD.claimable(play(start, *KNIGHTS * 2)) == "threefold"
    assert STANDARD.claimable(play(start, *KNIGHTS * 2, "e2e4")) is None


def test_draw_can_be_claimed_after_fifty_moves() -> None:
    position = STANDARD.start("4k3/8/8/8/8/8/8/4K2R w - - 99 80")
    assert STANDARD.claimable(position) is None
    assert STANDARD.claimable(play(position, "h1h2")) == "fifty_moves"


def test_no_draw_can_be_claimed_in_a_finished_game() -> None:
    position = play(STANDARD.start("7k/8/6K1/8/8/8/8/R7 w - - 99 80"), "a1a8")
    assert STANDARD.outcome(position) == Outcome("w", "checkmate")
    assert STANDARD.claimable(position) is None


def test_winning_chances_follow_the_material() -> None:
    position = STANDARD.start("4k3/8/8/8/8/8/8/4KB1r w - - 0 1")
    assert not STANDARD.can_win(position, "w")
    assert STANDARD.can_win(position, "b")


def test_real_games_are_replayed() -> None:
    for game in real_games():
        position = game.rules.start(game.start.fen())
        board = game.start.copy()
        for move in game.moves:
            assert game.rules.outcome(position) is None
            assert move.uci() in game.rules.legal_moves(position)
            position = game.rules.play(position, move.uci()).position
            board.push(move)
        assert game.rules.fen(position) == board.fen()
        over = game.rules.outcome(position)
        if over is not None:
            assert game.result == {"w": "1-0", "b": "0-1", None: "1/2-1/2"}[over.winner]


def test_standard_chess_has_profiles_of_the_laws_and_no_leaps() -> None:
    position = STANDARD.start(None)
    assert STANDARD.profiles == ("online", "fide", "uscf")
    assert STANDARD.under("online") is STANDARD
    assert STANDARD.leaps(position, "g1f3") == ()
    assert STANDARD.draw_in(position) is None
