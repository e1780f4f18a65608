"""Draw offers and draw claims by the Laws: Articles 9.1 to 9.5."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core import commands as c
from game_core.events import Made, Moved, Offered, Ruled
from tests.game_core.over_the_board import BLITZ, FIDE, OFFICIAL, STANDARD, SUDDEN, USCF, a_game, act, command, laws

if TYPE_CHECKING:
    from game_core.time_control import TimeControl

KNIGHTS = "g1f3! g8f6! f3g1! f6g8! "
LONG = "7k/7p/8/8/8/8/R6P/K7 w - - {} 90"
MATE_IN_ONE = "k7/8/1K6/8/8/8/8/6Q1 w - - 98 90"


def test_draw_is_offered_after_the_move_and_before_the_clock() -> None:
    """9.1a: a player "shall do so after having made a move on the chessboard and before stopping his clock"."""
    scene = a_game()
    scene.refused(command(scene, "offer"), "conflict")
    act(scene, "e2e4; offer")
    assert scene.log[-1] == Offered("draw", "offer", "w")
    act(scene, "press")
    moved = scene.log[-1]
    assert isinstance(moved, Moved)
    assert moved.draw
    scene.refused(command(scene, "w offer"), "conflict")
    scene.refused(command(scene, "w decline"), "conflict")
    act(scene, "accept")
    assert scene.end == ("1/2-1/2", "agreement")


def test_offer_with_the_move_is_noted() -> None:
    """9.1a and 8.1: "the offer of a draw shall be noted by each player on the scoresheet with a symbol (=)"."""
    scene = a_game(steps="e2e4(=)")
    assert isinstance(scene.log[-1], Made)
    assert scene.log[-1].draw
    act(scene, "press")
    moved = scene.log[-1]
    assert isinstance(moved, Moved)
    assert moved.draw
    scene = a_game(steps="e2e4!")
    assert not scene.log[-1].draw  # type: ignore[union-attr]


@pytest.mark.parametrize("steps", ["e2e4; offer", "e2e5(=)", "e2e5; offer"])
def test_draw_is_offered_once_with_a_move(steps: str) -> None:
    """9.1a: the offer is made with the move; 8.1: also a declined one is noted."""
    scene = a_game(steps=f"{steps}; b decline", score_sheet=True)
    if "e2e5" in steps:
        act(scene, "press")
        scene.refused(command(scene, "claim"), "conflict")
        act(scene, "e2e4(=)")
    scene.refused(command(scene, "offer"), "conflict")
    assert scene.game.offers.draw is None
    act(scene, "press")
    moved = scene.log[-1]
    assert isinstance(moved, Moved)
    assert not moved.draw
    assert laws(scene).offered == (0,)
    act(scene, "e7e5; offer")
    assert scene.game.offers.draw == "b"


def test_offer_with_a_move_that_is_taken_back_is_none() -> None:
    scene = a_game(OFFICIAL, steps="32-22(=)!; illegal; 32-28; offer")
    assert scene.game.offers.draw == "w"


def test_offer_may_be_accepted_before_the_clock_is_pressed() -> None:
    scene = a_game(steps="e2e4; offer; b accept")
    assert scene.end == ("1/2-1/2", "agreement")


def test_offer_may_be_declined_and_is_not_withdrawn() -> None:
    """9.1a: "The offer cannot be withdrawn and remains valid until the opponent accepts it, rejects it orally"."""
    scene = a_game(steps="e2e4(=)!")
    act(scene, "decline")
    assert scene.game.offers.draw is None
    act(scene, "e7e5! d2d4(=)!")
    assert scene.game.offers.draw == "w"


def test_one_offer_is_open_at_a_time() -> None:
    scene = a_game(steps="e2e4; offer")
    scene.refused(command(scene, "offer"), "conflict")
    act(scene, "press; e7e5")
    assert scene.game.offers.draw is None


def test_offering_back_accepts() -> None:
    scene = a_game(steps="e2e4(=)!; offer")
    assert scene.end == ("1/2-1/2", "agreement")


# Columns: from which move, half-moves before, whether an offer with the next move is made.
BARRED: dict[str, tuple[int | None, str, bool]] = {
    "9.1 from move 3, with the second": (3, "e2e4! e7e5!", False),
    "9.1 with the third": (3, "e2e4! e7e5! g1f3! g8f6!", True),
    "9.1 never": (None, "e2e4! e7e5! g1f3! g8f6!", False),
    "9.1 always": (0, "", True),
}


@pytest.mark.parametrize(("draw_from", "before", "offered"), BARRED.values(), ids=BARRED)
def test_offers_may_be_barred(draw_from: int | None, before: str, offered: bool) -> None:
    """9.1: "the rules of a competition may specify that players cannot agree to a draw, whether in less than a
    specified number of moves or at all, without the consent of the arbiter"."""
    scene = a_game(steps=f"{before}; b1c3(=)", draw_from=draw_from)
    assert (scene.game.offers.draw == "w") == offered
    if not offered:
        scene.refused(command(scene, "offer"), "conflict")


# -- claims ---------------------------------------------------------------------------------------------

# Columns: start position, moves, the intended move or None, the reason of the draw.
RIGHT: dict[str, tuple[str | None, str, str | None, str]] = {
    "9.2b the position has appeared": (None, KNIGHTS * 2, None, "threefold"),
    "9.2a it is about to appear": (None, KNIGHTS + "g1f3! g8f6! f3g1!", "f6g8", "threefold"),
    "9.3b fifty moves": (LONG.format(100), "", None, "fifty_moves"),
    "9.3a with the intended move": (LONG.format(99), "", "a2b2", "fifty_moves"),
}


@pytest.mark.parametrize(("fen", "moves", "move", "reason"), RIGHT.values(), ids=RIGHT)
def test_right_claim_draws_at_once(fen: str | None, moves: str, move: str | None, reason: str) -> None:
    """9.5a: "If the claim is found to be correct, the game is immediately drawn."."""
    scene = a_game(steps=moves, fen=fen, draw_from=None)
    scene.do(c.Draw(scene.game.turn, "claim", move))
    assert scene.end == ("1/2-1/2", reason)


# White has thought for 10 s. Columns: rules, control, Black's time after White's wrong claim.
WRONG: dict[str, tuple[str, TimeControl, int]] = {
    "9.5b three minutes": (FIDE, STANDARD, 5_430_000 + 180_000),
    "9.5b in blitz": (FIDE, SUDDEN, 300_000 + 180_000),
    "US: two minutes": (USCF, SUDDEN, 300_000 + 120_000),
}


@pytest.mark.parametrize(("rules", "tc", "black_ms"), WRONG.values(), ids=WRONG)
def test_wrong_claim_gives_the_opponent_time(rules: str, tc: TimeControl, black_ms: int) -> None:
    """9.5b: "the arbiter shall add three minutes to the opponent's remaining thinking time"; 9.1c: a claim "shall be
    considered to be an offer of a draw"."""
    scene = a_game(rules, tc, "10s")
    scene.refused(command(scene, "claim"), "conflict")
    ruling, offer = scene.log[-2:]
    assert isinstance(ruling, Ruled)
    assert (ruling.by, ruling.what, ruling.move, ruling.times) == ("w", "wrong_claim", None, 0)
    assert offer == Offered("draw", "offer", "w")
    assert scene.left("b") == black_ms
    assert scene.game.clock is not None
    assert scene.game.clock.run == "w"


def test_intended_move_of_a_wrong_claim_must_be_made() -> None:
    """9.5b: "If the claim was based on an intended move, this move must be made as according to Article 4."."""
    scene = a_game()
    scene.refused(command(scene, "claim e2e4"), "conflict")
    ruling, made = scene.log[-2:]
    assert isinstance(ruling, Ruled)
    assert isinstance(made, Made)
    assert (ruling.move, made.move, made.draw) == ("e2e4", "e2e4", True)
    scene.refused(command(scene, "d2d4"), "conflict")
    act(scene, "press; accept")
    assert scene.end == ("1/2-1/2", "agreement")


def test_barred_offers_are_not_made_by_claims() -> None:
    """9.1 and 9.1c."""
    scene = a_game(draw_from=None)
    scene.refused(command(scene, "claim"), "conflict")
    scene.refused(command(scene, "claim e2e4"), "conflict")
    assert scene.game.offers.draw is None


def test_right_to_claim_is_lost_by_touching() -> None:
    """9.4: who touches a piece "as in Article 4.3, loses the right to claim" on that move. It costs nothing."""
    scene = a_game(steps=KNIGHTS * 2 + "; touch g1")
    scene.refused(command(scene, "claim"), "conflict")
    assert not isinstance(scene.log[-1], Ruled)
    act(scene, "g1f3! g8f6!; f3g1! f6g8!; claim")
    assert scene.end == ("1/2-1/2", "threefold")


def test_claims_are_those_of_the_player_having_the_move() -> None:
    """9.2: "upon a correct claim by the player having the move"."""
    scene = a_game(steps=KNIGHTS * 2)
    scene.refused(command(scene, "b claim"), "not_your_turn")


def test_claim_accepts_the_opponents_offer() -> None:
    """9.1c: both have offered."""
    scene = a_game(steps="e2e4(=)!; claim")
    assert scene.end == ("1/2-1/2", "agreement")


def test_illegal_intended_move_is_refused() -> None:
    scene = a_game()
    scene.refused(command(scene, "claim e2e5"), "illegal_move")
    assert not isinstance(scene.log[-1], Ruled)


def test_intended_move_that_ends_the_game_is_played() -> None:
    scene = a_game(fen=MATE_IN_ONE)
    scene.do(c.Draw("w", "claim", "g1g8"))
    assert scene.end == ("1-0", "checkmate")


def test_claim_after_the_flag_fell_is_too_late() -> None:
    scene = a_game(tc=BLITZ, steps=KNIGHTS * 2 + "; 400s")
    scene.refused(command(scene, "claim"), "game_over")
    assert scene.game.reason == "timeout"


def test_wrong_claim_takes_no_other_claim_away() -> None:
    """A4c with 9.5b: the opponent's illegal move may still be claimed."""
    scene = a_game(USCF, BLITZ, "e2e5!")
    scene.refused(command(scene, "claim"), "conflict")
    act(scene, "illegal")
    assert laws(scene).illegal == (1, 0)


def test_draws_of_draughts_are_agreed_as_the_profile_says() -> None:
    scene = a_game(OFFICIAL, steps="32-28; offer; press; accept")
    assert scene.end == ("1/2-1/2", "agreement")


@pytest.mark.parametrize("steps", ["", "32-28; offer; press"])
def test_draws_of_draughts_are_not_claimed(steps: str) -> None:
    """They need no claim, so a claim is neither right nor wrong."""
    scene = a_game(OFFICIAL, steps=steps)
    for step in ("claim", "claim 19-23", "claim 32-28"):
        assert scene.refused(command(scene, step), "conflict").events == ()


def test_right_claim_is_always_heard() -> None:
    """9.2: whatever the player has announced before."""
    scene = a_game(steps=KNIGHTS + "g1f3! g8f6! f3g1!" + "; adjust; adjusted" * 20)
    act(scene, "claim f6g8")
    assert scene.end == ("1/2-1/2", "threefold")


def test_wrong_claim_without_a_clock_gives_no_time() -> None:
    scene = a_game(tc=None)
    scene.refused(command(scene, "claim"), "conflict")
    ruling = scene.log[-2]
    assert isinstance(ruling, Ruled)
    assert (ruling.what, ruling.given_ms) == ("wrong_claim", 0)


def test_wrong_claims_have_an_end() -> None:
    scene = a_game(steps="; ".join(["adjust", "adjusted"] * 20))
    for step in ("claim", "claim e2e4"):
        assert scene.refused(command(scene, step), "conflict").events == ()
