"""Touch-move: Articles 4.2 to 4.6, and article 35 of draughts. What binds to what is in ``test_by_hand.py``."""

from __future__ import annotations

import msgspec
import pytest

from game_core import commands as c
from game_core.decide.laws.touching import bound_moves
from game_core.events import Ruled, Signalled, Touched
from tests.game_core.over_the_board import FIDE, OFFICIAL, RAPID, UNSUPERVISED, USCF, a_game, act, command, laws
from tests.game_core.scene import Scene

CASTLING = "4k3/8/8/8/8/8/7P/4K2R w K - 0 1"
TRADE = "4k3/8/8/3p1n2/4P3/8/7r/K6B w - - 0 1"

# Columns: rules, start position, steps, moves that are refused then, a move that is made.
ENFORCED: dict[str, tuple[str, str | None, str, str, str]] = {
    "4.3a own piece": (FIDE, None, "touch e2", "d2d4 g1f3", "e2e3"),
    "4.3a unsupervised": (UNSUPERVISED, None, "touch e2", "d2d4", "e2e3"),
    "4.3a the first of several": (FIDE, None, "touch e2; touch d2", "d2d4", "e2e4"),
    "4.3a the first that can move": (FIDE, None, "touch a1; touch d2", "e2e4", "d2d4"),
    "4.3b opponent's piece": (FIDE, TRADE, "touch d5", "a1b1 e4e5 e4f5", "e4d5"),
    "4.3c both, own first": (FIDE, TRADE, "touch e4; touch f5", "e4e5 e4d5", "e4f5"),
    "4.3c both, the opponent's first": (FIDE, TRADE, "touch f5; touch e4", "e4e5 e4d5", "e4f5"),
    "4.4a king and rook": (FIDE, CASTLING, "touch e1; touch h1", "e1f1 h1g1", "e1g1"),
    "4.4a castling is king first": (FIDE, CASTLING, "touch h1", "e1g1", "h1g1"),
    "4.4b rook, then king": (FIDE, CASTLING, "touch h1; touch e1", "e1g1 e1f1", "h1f1"),
    "US: rook, then king": (USCF, CASTLING, "touch h1; touch e1", "e1f1 h2h3", "e1g1"),
    "4.5 a piece without a legal move": (FIDE, None, "touch a1", "", "e2e4"),
    "4.5 an opponent's piece that cannot be taken": (FIDE, None, "touch e7", "", "e2e4"),
    "an illegal move of the piece that has to move": (FIDE, None, "touch e2", "d2d5", "e2e5"),
    "draughts": (OFFICIAL, None, "touch 32", "31-26", "32-28"),
}


@pytest.mark.parametrize(("rules", "fen", "steps", "refused", "made"), ENFORCED.values(), ids=ENFORCED)
def test_touched_piece_has_to_be_played(rules: str, fen: str | None, steps: str, refused: str, made: str) -> None:
    """4.3: "he must move the first piece touched which can be moved"."""
    scene = a_game(rules, steps=steps, fen=fen)
    for move in refused.split():
        scene.refused(command(scene, move), "conflict")
    act(scene, f"{made}")
    assert laws(scene).made is not None


def test_move_touches_its_own_piece_and_what_it_takes() -> None:
    """4.3 of an illegal move that is put back: piece and capture bind as if they had been touched."""
    scene = a_game(steps="a1h2", fen=TRADE)
    assert laws(scene).touched == ("a1", "h2")
    scene.refused(command(scene, "e4e5"), "conflict")
    act(scene, "a1b1!")
    assert laws(scene).touched == ()


@pytest.mark.parametrize("late", [c.Touch("w", "a2", 0), c.Signal("w", on=True, ply=0)], ids=["touch", "signal"])
def test_touch_that_comes_late_does_not_bind_on_another_turn(late: c.Command) -> None:
    scene = a_game(steps="e2e4; press; e7e5; press")
    scene.refused(late, "stale_ply")
    assert scene.do(msgspec.structs.replace(late, ply=2)) != ()


@pytest.mark.parametrize("late", [c.Touch("w", "a2", 0), c.Signal("w", on=True, ply=0)], ids=["touch", "signal"])
def test_touch_that_comes_after_a_ruling_does_not_bind(late: c.Command) -> None:
    scene = a_game(steps="press")
    scene.refused(msgspec.structs.replace(late, seen=0), "stale_ply")
    assert scene.do(msgspec.structs.replace(late, seen=scene.game.seq)) != ()


def test_touch_is_told_once() -> None:
    scene = a_game(steps="touch e2")
    assert scene.log[-1] == Touched("w", "e2")
    assert scene.do(command(scene, "touch e2")) == ()
    assert bound_moves(scene.game) == ["e2e3", "e2e4"]


def test_nothing_binds_before_a_piece_is_touched() -> None:
    assert bound_moves(a_game().game) is None
    assert bound_moves(Scene().game) is None


def test_only_the_player_having_the_move_touches() -> None:
    """4.3: "the player having the move"."""
    scene = a_game()
    scene.refused(command(scene, "b touch e7"), "not_your_turn")
    scene.refused(command(scene, "b adjust"), "not_your_turn")
    scene.refused(command(scene, "touch e4"), "conflict")
    scene.refused(command(scene, "touch k9"), "conflict")


def test_pieces_are_adjusted_after_saying_so() -> None:
    """4.2: "Provided that he first expresses his intention (for example by saying j'adoube or I adjust), the player
    having the move may adjust one or more pieces on their squares"."""
    scene = a_game(steps="adjust")
    assert scene.log[-1] == Signalled("w", on=True)
    assert scene.do(command(scene, "adjust")) == ()
    assert scene.do(command(scene, "touch e2")) == ()
    act(scene, "adjusted; touch d2")
    assert laws(scene).touched == ("d2",)
    scene.refused(command(scene, "adjust"), "conflict")


def test_adjusting_ends_with_the_move() -> None:
    scene = a_game(steps="adjust; touch e2; d2d4")
    assert not laws(scene).adjusting
    act(scene, "press")
    assert scene.game.moves == ("d2d4",)


def test_touching_declines_an_offer() -> None:
    """9.1a: an offer is valid until the opponent "rejects it [...] by touching a piece with the intention of moving or
    capturing it"."""
    scene = a_game(steps="e2e4(=)!")
    assert scene.game.offers.draw == "w"
    act(scene, "touch e7")
    assert scene.game.offers.draw is None
    scene.refused(command(scene, "accept"), "conflict")


def test_adjusting_declines_nothing() -> None:
    """9.1a with 4.2."""
    scene = a_game(steps="e2e4(=)!; adjust; touch e7; accept")
    assert scene.end == ("1/2-1/2", "agreement")


def test_promotion_in_two_steps_is_bound_too() -> None:
    """4.3b: a pawn that has to capture is not put down elsewhere first."""
    scene = a_game(fen="3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", steps="touch d8")
    scene.refused(command(scene, "e7e8"), "conflict")
    act(scene, "e7d8")
    assert bound_moves(scene.game) == ["e7d8q", "e7d8r", "e7d8b", "e7d8n"]
    act(scene, "e7d8q!")
    assert scene.game.moves == ("e7d8q",)


@pytest.mark.parametrize("touched", ["h1", "h1; touch g1"])
def test_promotion_is_free_if_nothing_touched_can_move(touched: str) -> None:
    """4.5: "If none of the pieces touched can be moved or captured, the player may make any legal move"."""
    scene = a_game(fen="k7/4P3/8/8/8/8/6PP/6RK w - - 0 1", steps=f"touch {touched}; e7e8")
    assert bound_moves(scene.game) == ["e7e8q", "e7e8r", "e7e8b", "e7e8n"]


def test_king_that_can_be_taken_is_no_way_round_a_touch() -> None:
    """7.4a: to capture it is an illegal move as any other, of a piece that may have been touched."""
    scene = a_game(UNSUPERVISED, RAPID, "e2e4! f7f6! d1h5! a7a6!; touch h5; h5e8; press")
    assert scene.game.reason is None
    ruling = scene.log[-1]
    assert isinstance(ruling, Ruled)
    assert (ruling.by, ruling.what, ruling.move) == ("w", "illegal_move", "h5e8")
