"""Wrong first positions and wrong colours: Articles 7.1, 7.2 and A4a, and the US rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core import commands as c
from game_core.events import Ended, Offered
from tests.game_core.over_the_board import BLITZ, FIDE, OFFICIAL, RAPID, STANDARD, UNSUPERVISED, USCF, a_game, act, laws

if TYPE_CHECKING:
    from game_core.time_control import TimeControl

NINE = "".join(f"{file}2{file}3! {file}7{file}6! " for file in "abcdefgh") + "a3a4! a6a5! "
"""Nine moves each."""

THREE = "a2a3! a7a6! b2b3! b7b6! c2c3! "
"""Three moves of White and two of Black."""

# Columns: rules, moves before, what was wrong, whether the game may be played anew.
CASES: dict[str, tuple[str, str, c.Wrong, bool]] = {
    "7.1a at the beginning": (FIDE, "", "position", True),
    "7.1a at any time during the game": (FIDE, NINE + "b3b4! b6b5!", "position", True),
    "7.2 the game continues": (FIDE, "", "colors", False),
    "US before Black's 10th move": (USCF, NINE + "b3b4!", "position", True),
    "US colours before Black's 10th move": (USCF, NINE + "b3b4!", "colors", True),
    "US after it": (USCF, NINE + "b3b4! b6b5!", "position", False),
    "US colours after it": (USCF, NINE + "b3b4! b6b5!", "colors", False),
    "draughts": (OFFICIAL, "", "position", False),
}


@pytest.mark.parametrize(("rules", "before", "what", "anew"), CASES.values(), ids=CASES)
def test_game_is_played_anew_if_both_agree(rules: str, before: str, what: c.Wrong, anew: bool) -> None:
    """7.1a: "the game shall be cancelled and a new game played"; 7.2: "it shall continue"."""
    scene = a_game(rules, BLITZ, before)
    offer = c.Restart("w", "offer", what)
    if not anew:
        scene.refused(offer, "conflict")
        return
    scene.do(offer)
    scene.do(c.Restart("b", "accept", what, next="h"))
    accepted, end = scene.log[-2:]
    assert accepted == Offered(what, "accept", "b", "h")
    assert isinstance(end, Ended)
    assert (end.result, end.reason, scene.game.next) == ("*", f"wrong_{what}", "h")
    assert scene.game.clock is not None
    assert scene.game.clock.run is None


@pytest.mark.parametrize("tc", [RAPID, BLITZ])
def test_position_is_not_claimed_after_three_moves_each(tc: TimeControl) -> None:
    """A4a, B3: "Once each player has completed three moves, no claim can be made"."""
    scene = a_game(UNSUPERVISED, tc, THREE)
    scene.do(c.Restart("w", "offer", "position"))
    scene.do(c.Restart("b", "decline", "position"))
    act(scene, "c7c6!")
    scene.refused(c.Restart("w", "offer", "position"), "conflict")


def test_position_is_claimed_at_any_time_in_standard_games() -> None:
    """7.1a: A4 is of rapid games."""
    scene = a_game(UNSUPERVISED, STANDARD, THREE + "c7c6!")
    scene.do(c.Restart("w", "offer", "position"))
    assert scene.game.offers.position == "w"


def test_offer_may_be_declined() -> None:
    scene = a_game()
    for _ in range(3):
        scene.do(c.Restart("w", "offer", "position"))
        assert scene.game.offers.position == "w"
        scene.do(c.Restart("b", "decline", "position"))
    assert (scene.game.offers.position, laws(scene).restarts_refused) == (None, (3, 0))
    scene.refused(c.Restart("w", "offer", "position"), "conflict")
    scene.do(c.Restart("b", "offer", "position"))


def test_what_is_wrong_has_to_be_the_same() -> None:
    scene = a_game(USCF, None)
    scene.do(c.Restart("w", "offer", "position"))
    scene.refused(c.Restart("b", "accept", "colors"), "conflict")
    scene.do(c.Restart("b", "accept", "position"))
    assert scene.end == ("*", "wrong_position")


@pytest.mark.parametrize("steps", ["e2e4(=)!", "e2e4!", "e2e4(=)!; e7e5!", "e2e5!; illegal", "e2e5!; e7e5(=)!; g1f3!"])
def test_offer_stays_open_until_it_is_answered(steps: str) -> None:
    """7.1a: "during a game", so neither a move nor its being taken back answers it."""
    scene = a_game(UNSUPERVISED, RAPID)
    scene.do(c.Restart("b", "offer", "position"))
    act(scene, steps)
    assert scene.game.offers.position == "b"
    scene.do(c.Restart("w", "decline", "position"))
    assert laws(scene).restarts_refused == (0, 1)
