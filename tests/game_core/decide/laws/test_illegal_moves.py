"""Illegal moves that are ruled on, and how that ends a game: Articles 7.4, A3, B2, B3, the US rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core.decide import decide
from game_core.decide.laws.touching import bound_moves
from game_core.events import Ended, Ruled
from tests.game_core.over_the_board import (
    BLITZ,
    FIDE,
    PERIODS,
    RAPID,
    STANDARD,
    UNSUPERVISED,
    USCF,
    a_game,
    act,
    command,
    laws,
)
from tests.game_core.scene import BRONSTEIN, DELAY

if TYPE_CHECKING:
    from game_core.time_control import TimeControl

BLACK_CANNOT_MATE = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
PROMOTION = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1"
TWO_MINUTES = 120_000

# White makes an illegal move and presses the clock after 10 s. What follows, with the times of both sides in ms.
# Columns: rules, control, steps before, White's illegal moves, what Black got, White's time, Black's, the end.
RULED: dict[str, tuple[str, TimeControl, str, int, int, int, int, tuple[str, str | None]]] = {
    "7.4b the first": (FIDE, STANDARD, "", 1, TWO_MINUTES, 5_420_000, 5_550_000, ("*", None)),
    "7.4b the second": (FIDE, STANDARD, "e2e5; press", 2, TWO_MINUTES, 5_420_000, 5_670_000, ("*", None)),
    "7.4b the third": (
        *(FIDE, STANDARD, "e2e5; press; e2e6; press", 3, 0, 5_420_000, 5_670_000),
        ("0-1", "illegal_move"),
    ),
    "A3 supervised rapid": (FIDE, RAPID, "", 1, TWO_MINUTES, 1_500_000, 1_630_000, ("*", None)),
    "B2 supervised blitz": (FIDE, BLITZ, "", 1, TWO_MINUTES, 293_000, 423_000, ("*", None)),
    "B2 the third": (FIDE, BLITZ, "e2e5; press; e2e6; press", 3, 0, 293_000, 543_000, ("0-1", "illegal_move")),
    "unsupervised standard is as supervised": (
        *(UNSUPERVISED, STANDARD, "", 1, TWO_MINUTES, 5_420_000, 5_550_000),
        ("*", None),
    ),
    "US": (USCF, RAPID, "", 1, TWO_MINUTES, 1_500_000, 1_630_000, ("*", None)),
    "US: the third does not lose": (
        *(USCF, RAPID, "e2e5; press; e2e6; press", 3, TWO_MINUTES, 1_500_000, 1_870_000),
        ("*", None),
    ),
    "with a delay": (FIDE, DELAY, "", 1, TWO_MINUTES, 173_000, 300_000, ("*", None)),
    "with Bronstein's delay": (FIDE, BRONSTEIN, "", 1, TWO_MINUTES, 170_000, 300_000, ("*", None)),
    "in periods": (FIDE, PERIODS, "", 1, TWO_MINUTES, 50_000, 180_000, ("*", None)),
}


@pytest.mark.parametrize(
    ("rules", "tc", "before", "times", "given_ms", "white_ms", "black_ms", "end"), RULED.values(), ids=RULED
)
def test_illegal_move_is_ruled_on_when_the_clock_is_pressed(
    rules: str,
    tc: TimeControl,
    before: str,
    times: int,
    given_ms: int,
    white_ms: int,
    black_ms: int,
    end: tuple[str, str | None],
) -> None:
    """7.4a: "the position immediately before the irregularity shall be reinstated"; 7.4b: the penalties."""
    scene = a_game(rules, tc, before)
    act(scene, "e2e5; 10s; press")
    ruling = next(event for event in reversed(scene.log) if isinstance(event, Ruled))
    assert (ruling.by, ruling.what, ruling.move) == ("w", "illegal_move", "e2e5")
    assert (ruling.times, ruling.given_ms) == (times, given_ms)
    assert laws(scene).illegal == (times, 0)
    assert (scene.left("w"), scene.left("b")) == (white_ms, black_ms)
    assert scene.end == end
    assert (scene.game.ply, scene.game.turn, laws(scene).made) == (0, "w", None)
    if end[0] == "*":
        assert scene.game.clock is not None
        assert scene.game.clock.run == "w"


# Columns: start position, the end of the game with White's third illegal move, or the first claimed under B3.
CANNOT_MATE: dict[str, tuple[str, tuple[str, str]]] = {
    "7.4b a lone king": (BLACK_CANNOT_MATE, ("1/2-1/2", "illegal_move")),
    "7.4b a pawn may become a queen": ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", ("0-1", "illegal_move")),
}


@pytest.mark.parametrize(("fen", "end"), CANNOT_MATE.values(), ids=CANNOT_MATE)
def test_game_is_drawn_if_the_opponent_cannot_mate(fen: str, end: tuple[str, str]) -> None:
    """7.4b: "the game is drawn if the position is such that the opponent cannot checkmate the player's king by any
    possible series of legal moves"."""
    scene = a_game(fen=fen, steps="e2e5; press; e2e5; press; e2e5; press")
    assert scene.end == end


@pytest.mark.parametrize(("fen", "end"), CANNOT_MATE.values(), ids=CANNOT_MATE)
def test_claim_draws_in_blitz_if_the_claimant_cannot_mate(fen: str, end: tuple[str, str]) -> None:
    """B3c: the opponent "is entitled to claim a win"; if they cannot mate, "to claim a draw"."""
    scene = a_game(UNSUPERVISED, BLITZ, "e2e5!; illegal", fen=fen)
    assert scene.end == end
    assert scene.game.ply == 0


def test_what_a_solver_found_decides_too() -> None:
    """6.9, 7.4b: "by any possible series of legal moves", which the server may have searched for."""
    scene = a_game(UNSUPERVISED, BLITZ, "e2e5!")
    end = decide(scene.game, command(scene, "illegal"), scene.now_ms, cannot_win=("b",))[-1]
    assert isinstance(end, Ended)
    assert (end.result, end.reason) == ("1/2-1/2", "illegal_move")


def test_piece_of_an_illegal_move_has_to_move() -> None:
    """7.4a: "Articles 4.3 and 4.6 apply to the move replacing the illegal move"."""
    scene = a_game(steps="e2e5; press")
    scene.refused(command(scene, "d2d4"), "conflict")
    act(scene, "e2e4!")
    assert scene.game.moves == ("e2e4",)


def test_clock_pressed_without_a_move_is_an_illegal_move() -> None:
    """6.7a: a player presses the clock "having made his move on the chessboard". The penalty is of later editions."""
    scene = a_game(steps="press")
    ruling = scene.log[-1]
    assert isinstance(ruling, Ruled)
    assert (ruling.what, ruling.move, ruling.times, ruling.given_ms) == ("no_move", None, 1, TWO_MINUTES)
    act(scene, "press; e2e4!")
    assert laws(scene).illegal == (2, 0)
    act(scene, "e7e5!; press")
    assert scene.end == ("0-1", "illegal_move")


@pytest.mark.parametrize("rules", [FIDE, UNSUPERVISED, USCF])
def test_promotion_that_is_not_completed_is_an_illegal_move(rules: str) -> None:
    """7.4a: "including failing to meet the requirements of the promotion of a pawn"; A4c: the arbiter intervenes."""
    scene = a_game(rules, RAPID, "e7e8; press", fen=PROMOTION)
    ruling = scene.log[-1]
    assert isinstance(ruling, Ruled)
    assert (ruling.what, ruling.move) == ("promotion", "e7e8")
    act(scene, "e7e8n!")
    assert scene.game.notation == ("e8=N",)


def test_promotion_is_completed_with_the_piece_put_down() -> None:
    """4.4d: "the choice of the piece is finalised, when the piece has touched the square of promotion"."""
    scene = a_game(fen=PROMOTION, steps="e7e8")
    assert bound_moves(scene.game) == ["e7e8q", "e7e8r", "e7e8b", "e7e8n"]
    scene.refused(command(scene, "e1e2"), "conflict")
    act(scene, "e7e8r")
    scene.refused(command(scene, "e7e8q"), "conflict")
    act(scene, "press")
    assert scene.game.notation == ("e8=R",)
