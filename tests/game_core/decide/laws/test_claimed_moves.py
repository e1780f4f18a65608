"""Illegal moves that the opponent claims or lets stand: Articles A4, B3, US blitz, draughts 35."""

from __future__ import annotations

import pytest

from game_core import commands as c
from game_core.decide.laws.claims import may_claim
from game_core.events import Ended, Moved, Ruled, TakenBack
from game_core.time_control import Period, TimeControl
from tests.game_core.over_the_board import (
    BLITZ,
    FIDE,
    OFFICIAL,
    PERIODS,
    RAPID,
    SUDDEN,
    UNSUPERVISED,
    USCF,
    a_game,
    act,
    command,
    laws,
)
from tests.game_core.scene import BRONSTEIN, DELAY

CAPTURE = "W:W28,37:B22,10"
"""White must capture 28x17."""

TWO_MINUTES = 120_000


def test_completed_illegal_move_waits_for_the_claim() -> None:
    """A4c: an illegal move "is completed once the opponent's clock has been started", and not corrected before."""
    scene = a_game(UNSUPERVISED, RAPID, "e2e5; 10s; press")
    moved = scene.log[-1]
    assert isinstance(moved, Moved)
    assert (moved.irregular, moved.san, moved.position) == (
        *(True, "e5"),
        "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    )
    assert (scene.game.turn, scene.left("w")) == ("b", 1_510_000 - 10_000 + 10_000)
    assert may_claim(scene.game)


# White has completed an illegal move after 10 s, and Black claims it after 5 s. Columns as in ``RULED``.
CLAIMED: dict[str, tuple[str, TimeControl, str, int, int, int, int, tuple[str, str | None]]] = {
    "A4 the first": (UNSUPERVISED, RAPID, "", 1, TWO_MINUTES, 1_500_000, 1_625_000, ("*", None)),
    "A4 the second": (
        *(UNSUPERVISED, RAPID, "e2e5!; illegal", 2, TWO_MINUTES, 1_500_000, 1_745_000),
        ("*", None),
    ),
    "A4 the third": (
        *(UNSUPERVISED, RAPID, "e2e5!; illegal; e2e5!; illegal", 3, 0, 1_500_000, 1_745_000),
        ("0-1", "illegal_move"),
    ),
    "B3 the first wins": (UNSUPERVISED, BLITZ, "", 1, 0, 293_000, 298_000, ("0-1", "illegal_move")),
    "US blitz": (USCF, BLITZ, "", 1, TWO_MINUTES, 293_000, 418_000, ("*", None)),
    "US blitz, the third": (
        *(USCF, SUDDEN, "e2e5!; illegal; e2e5!; illegal", 3, TWO_MINUTES, 290_000, 655_000),
        ("*", None),
    ),
}


@pytest.mark.parametrize(
    ("rules", "tc", "before", "times", "given_ms", "white_ms", "black_ms", "end"), CLAIMED.values(), ids=CLAIMED
)
def test_claimed_illegal_move_is_taken_back(
    rules: str,
    tc: TimeControl,
    before: str,
    times: int,
    given_ms: int,
    white_ms: int,
    black_ms: int,
    end: tuple[str, str | None],
) -> None:
    """A4c, B3c. The increment of the move that is taken back is taken back with it."""
    scene = a_game(rules, tc, before)
    act(scene, "e2e5; 10s; press; 5s; illegal")
    taken_back, ruling = scene.log[-3 if end[0] != "*" else -2 :][:2]
    assert isinstance(taken_back, TakenBack)
    assert isinstance(ruling, Ruled)
    assert (ruling.by, ruling.what, ruling.times, ruling.given_ms) == ("w", "illegal_move", times, given_ms)
    assert (scene.left("w"), scene.left("b")) == (white_ms, black_ms)
    assert (scene.game.ply, scene.game.turn, scene.end) == (0, "w", end)
    assert laws(scene).irregular == ()
    if end[0] == "*":
        scene.refused(command(scene, "d2d4"), "conflict")
        act(scene, "e2e4! e7e5!")
        assert scene.game.moves == ("e2e4", "e7e5")


def test_moves_are_not_counted_twice_in_a_period() -> None:
    """7.4a with 6.3: the move that is taken back does not count, and a period's time is given once."""
    scene = a_game(USCF, PERIODS, "e2e4! e7e5! g1g3!; illegal; g1f3!")
    clock = scene.game.clock
    assert clock is not None
    assert (clock.moves, clock.period, clock.left[0]) == ((2, 1), (1, 0), 90_000)


# White's time after two illegal moves that were claimed, of 4.9 s each with a delay of 3 s, and after the legal one,
# without more time for it. Columns: control, both times in ms.
DELAYED: dict[str, tuple[TimeControl, int, int]] = {
    "a delay": (DELAY, 180_000 - 2 * 4_900 + 3_000, 180_000 - 2 * 4_900 + 3_000),
    "Bronstein's delay": (BRONSTEIN, 180_000 - 2 * 4_900, 180_000 - 2 * 4_900 + 3_000),
    "in part": (TimeControl((Period(None, 180_000),), delay_ms=6_000), 180_000 - 3_800, 180_000 - 3_800),
}


@pytest.mark.parametrize(("tc", "claimed_ms", "pressed_ms"), DELAYED.values(), ids=DELAYED)
def test_move_has_its_delay_once(tc: TimeControl, claimed_ms: int, pressed_ms: int) -> None:
    """6.2: the delay is that of a move. Taken back, it is the same move (7.4a)."""
    scene = a_game(OFFICIAL, tc, "; ".join(["4.9s; 32-22; press; 4.9s; illegal"] * 2))
    assert scene.left("w") == claimed_ms
    act(scene, "32-28!")
    assert scene.left("w") == pressed_ms


def test_illegal_moves_that_are_claimed_have_an_end() -> None:
    """A legal move has no such limit, and each of the others is stored."""
    scene = a_game(OFFICIAL, None, "; ".join(["32-22!; illegal"] * 20))
    scene.refused(command(scene, "32-22"), "conflict")
    act(scene, "32-28!")
    assert laws(scene).acts == 0


# Black's flag falls on move 1 and nobody claims it. By the last move Black has made the moves of the first period.
# Columns: the last moves, the last of which is illegal, and Black's time after the claim: the penalty or nothing.
FLAG_IS_DOWN: dict[str, tuple[str, int]] = {
    "the offender's": ("d2d4! d8d3!", 0),
    "the claimant's": ("f1f5!", TWO_MINUTES),
}


@pytest.mark.parametrize(("last", "black_ms"), FLAG_IS_DOWN.values(), ids=FLAG_IS_DOWN)
def test_claim_begins_no_period(last: str, black_ms: int) -> None:
    """6.3 with A4d: a period that was not reached in time is not reached by a claim either."""
    tc = TimeControl((Period(2, 900_000), Period(None, 300_000)))
    scene = a_game(UNSUPERVISED, tc, f"e2e4!; 901s; e7e5!; g1f3! b8c6! b1c3! g8f6!; {last}")
    assert scene.left("b") == 0
    act(scene, "illegal")
    clock = scene.game.clock
    assert clock is not None
    assert (clock.left[1], clock.period) == (black_ms, (1, 0))


# Black's steps after White's illegal move 1. e2-e5, and why they may not claim it any more.
LATE: dict[str, tuple[str, TimeControl, str]] = {
    "A4c after their own move": (UNSUPERVISED, RAPID, "e7e6"),
    "B3c after their own move": (UNSUPERVISED, BLITZ, "e7e6"),
    "US blitz after touching a piece": (USCF, BLITZ, "touch e7"),
    "US blitz after their own move": (USCF, BLITZ, "e7e6"),
}


@pytest.mark.parametrize(("rules", "tc", "steps"), LATE.values(), ids=LATE)
def test_claim_comes_too_late(rules: str, tc: TimeControl, steps: str) -> None:
    """B3c: "Once the opponent has made his own move, an illegal move cannot be corrected"."""
    scene = a_game(rules, tc, f"e2e5!; {steps}")
    assert not may_claim(scene.game)
    scene.refused(command(scene, "illegal"), "conflict")
    if "touch" in steps:
        act(scene, "e7e6")
    act(scene, "press; d2d4!")
    assert scene.game.moves == ("e2e5", "e7e6", "d2d4")
    assert laws(scene).illegal == (0, 0)
    scene.refused(command(scene, "illegal"), "conflict")


@pytest.mark.parametrize(
    ("fen", "steps"),
    [
        ("4k3/8/8/8/8/8/4r3/K7 w - - 0 1", "a1a2!; e2a2; press"),
        (None, "e2e5! e7e5!; illegal"),
    ],
)
def test_claim_is_too_late_after_an_own_illegal_move_too(fen: str | None, steps: str) -> None:
    """A4c: also once the own move was taken back. The opponent's is not called legal."""
    scene = a_game(UNSUPERVISED, RAPID, steps, fen=fen)
    assert scene.game.turn == "b"
    assert not may_claim(scene.game)
    assert "stands" in str(scene.refused(command(scene, "illegal"), "conflict"))


def test_claim_is_still_possible_after_touching_by_the_laws() -> None:
    """B3c: "before he has made his own move"."""
    scene = a_game(UNSUPERVISED, RAPID, "e2e5!; touch e7; illegal")
    assert laws(scene).illegal == (1, 0)


@pytest.mark.parametrize(
    ("rules", "tc", "end"),
    [
        (UNSUPERVISED, BLITZ, ("0-1", "illegal_move")),
        (UNSUPERVISED, RAPID, ("*", None)),
        (USCF, BLITZ, ("*", None)),
    ],
)
def test_claim_is_still_possible_after_a_press_without_a_move(
    rules: str, tc: TimeControl, end: tuple[str, str | None]
) -> None:
    """B3c: "before he has made his own move". Both are ruled on."""
    scene = a_game(rules, tc, "e2e5!; press")
    assert may_claim(scene.game)
    act(scene, "illegal")
    assert (laws(scene).illegal, scene.end, scene.game.ply) == ((1, 1), end, 0)


def test_illegal_move_that_stands_is_played_on_from() -> None:
    """B3c: it "cannot be corrected". Captures in passing and repetitions begin with its position."""
    scene = a_game(UNSUPERVISED, BLITZ, "e2e5! d7d5! e5d6! e7e3! d2e3!")
    assert scene.game.moves == ("e2e5", "d7d5", "e5d6", "e7e3", "d2e3")
    assert [plies for plies, _ in laws(scene).irregular] == [1, 4]
    assert scene.game.position_at(2) != scene.game.position_at(1)
    assert scene.game.rules.fen(scene.game.position_at(5)) == scene.game.rules.fen(scene.game.position)
    assert scene.game.rules.fen(scene.game.position_at(0)).endswith("w KQkq - 0 1")


def test_mate_by_an_illegal_move_does_not_end_the_game() -> None:
    """5.1a: "provided that the move producing the checkmate position was a legal move"."""
    scene = a_game(UNSUPERVISED, BLITZ, "f2f3! e7e5! g2g4! d8h5!; resign")
    assert scene.game.reason == "resignation"
    scene = a_game(UNSUPERVISED, BLITZ, "f2f3! e7e5! g2g4! g8h4!")
    assert scene.end == ("*", None)


def test_captured_king_is_ruled_on_at_once() -> None:
    """7.4a: "or capturing the opponent's king"; nobody can play on without one."""
    scene = a_game(UNSUPERVISED, RAPID, "a1a2!; e2a2; press", fen="4k3/8/8/8/8/8/4r3/K7 w - - 0 1")
    ruling = scene.log[-1]
    assert isinstance(ruling, Ruled)
    assert (ruling.by, ruling.what, ruling.move) == ("b", "illegal_move", "e2a2")


def test_both_kings_in_check_are_ruled_on_at_once() -> None:
    """A4c: "if both kings are in check [...] the arbiter shall intervene"."""
    scene = a_game(UNSUPERVISED, RAPID, "h1h8; press", fen="4k3/8/8/8/8/8/4r3/K6R w - - 0 1")
    assert isinstance(scene.log[-1], Moved)
    scene = a_game(UNSUPERVISED, RAPID, "h2h8; press", fen="4k3/8/8/8/8/8/7R/K3r3 w - - 0 1")
    assert isinstance(scene.log[-1], Ruled)


def test_only_the_side_to_move_claims_and_only_what_was_illegal() -> None:
    scene = a_game(UNSUPERVISED, BLITZ)
    assert not may_claim(scene.game)
    scene.refused(command(scene, "illegal"), "conflict")
    act(scene, "e2e4!")
    assert may_claim(scene.game)
    scene.refused(command(scene, "illegal"), "conflict")
    scene.refused(command(scene, "w illegal"), "not_your_turn")
    supervised = a_game(FIDE, BLITZ, "e2e4!")
    assert not may_claim(supervised.game)
    supervised.refused(command(supervised, "illegal"), "conflict")


@pytest.mark.parametrize("steps", ["e2e5; press", "press"])
def test_nobody_gets_time_without_a_clock(steps: str) -> None:
    scene = a_game(FIDE, None, steps)
    ruling = scene.log[-1]
    assert isinstance(ruling, Ruled)
    assert (ruling.times, ruling.given_ms) == (1, 0)


def test_illegal_move_is_claimed_without_a_clock_too() -> None:
    """A4c has no need of one, and there is no time to give. ``official`` games are by claim at any speed."""
    scene = a_game(OFFICIAL, None, "37-31!; illegal; 28x17!", fen=CAPTURE)
    assert scene.game.moves == ("28x17",)


def test_dead_position_is_not_called_while_the_move_may_be_taken_back() -> None:
    """5.2b needs a position that was reached by legal moves."""
    scene = a_game(UNSUPERVISED, RAPID, "e2e5!")
    assert scene.do(c.CallDead(scene.game.seq)) == ()
    act(scene, "illegal; e2e4!")
    assert isinstance(scene.do(c.CallDead(scene.game.seq))[0], Ended)


# -- draughts -------------------------------------------------------------------------------------------


def test_opponent_has_an_irregular_move_of_draughts_corrected() -> None:
    """35: the opponent alone may have an irregular move corrected; nobody gets time for it."""
    scene = a_game(OFFICIAL, BLITZ, "37-31!; 5s; illegal", fen=CAPTURE)
    ruling = scene.log[-1]
    assert isinstance(ruling, Ruled)
    assert (ruling.what, ruling.given_ms, ruling.times) == ("correction", 0, 0)
    assert (scene.game.ply, scene.game.turn, scene.left("b")) == (0, "w", 298_000)
    act(scene, "28x17!")
    assert scene.game.moves == ("28x17",)


def test_opponent_lets_an_irregular_move_of_draughts_stand() -> None:
    """35: their "next move accepts it"."""
    scene = a_game(OFFICIAL, BLITZ, "37-31!; 22x33", fen=CAPTURE)
    assert not may_claim(scene.game)
    scene.refused(command(scene, "illegal"), "conflict")


def test_whole_game_of_draughts_ends_as_ever() -> None:
    scene = a_game(OFFICIAL, BLITZ, "28x19", fen="W:W28:B23")
    assert scene.end == ("1-0", "all_captured")
