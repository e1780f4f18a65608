"""Draws and rematches: offered, accepted, declined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from game_core import commands as c
from game_core.events import Ended, Moved, Offered
from tests.game_core.scene import Scene

if TYPE_CHECKING:
    from game_core.color import Color

Do = Literal["offer", "accept", "decline"]

# The whole table of one kind of offer: whose is open, who acts and how; then the outcome, or None for a `conflict`.
# An offer of a draw is not withdrawn (9.1).
STEPS: dict[str, tuple[Color | None, Color, Do, Do | None]] = {
    "a first offer": (None, "w", "offer", "offer"),
    "accepting none": (None, "w", "accept", None),
    "declining none": (None, "w", "decline", None),
    "one open offer a side": ("w", "w", "offer", None),
    "accepting one's own": ("w", "w", "accept", None),
    "declining one's own": ("w", "w", "decline", None),
    "accepting": ("w", "b", "accept", "accept"),
    "declining": ("w", "b", "decline", "decline"),
    "offering what the opponent offers is accepting": ("w", "b", "offer", "accept"),
}


@pytest.mark.parametrize(("stands", "by", "do", "event"), STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("moves", ["", "e2e4", "e2e4 e7e5"], ids=["at the start", "after one move", "later"])
def test_draw_is_offered_at_any_time_and_answered_once(
    stands: Color | None, by: Color, do: Do, event: Do | None, moves: str
) -> None:
    scene = Scene(moves=moves)
    if stands is not None:
        scene.do(c.Draw(by=stands, do="offer"))
    if event is None:
        scene.refused(c.Draw(by=by, do=do), "conflict")
        assert scene.game.offers.draw == stands
        return
    events = scene.do(c.Draw(by=by, do=do))
    assert events[0] == Offered(what="draw", do=event, by=by)
    if event == "accept":
        assert isinstance(events[1], Ended)
        assert scene.end == ("1/2-1/2", "agreement")
        scene.refused(c.Draw(by=by, do=do), "game_over")
    else:
        assert events[1:] == ()
        assert scene.game.offers.draw == (by if event == "offer" else None)


# "A move lapses the opponent's open draw and takeback offers, without an event." White moves. Columns: whose offers
# stand; then whether they still do.
LAPSES: dict[str, tuple[Color, bool]] = {
    "the mover's own stands": ("w", True),
    "the opponent's lapses": ("b", False),
}


@pytest.mark.parametrize(("by", "stands"), LAPSES.values(), ids=LAPSES)
def test_move_ends_the_opponents_offer(by: Color, stands: bool) -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Draw(by=by, do="offer"))
    scene.do(c.Takeback(by=by, do="offer"))
    (event,) = scene.do(scene.move("g1f3"))
    assert isinstance(event, Moved)
    assert not event.draw
    whose = by if stands else None
    assert (scene.game.offers.draw, scene.game.offers.takeback) == (whose, whose)


def test_draw_and_takeback_offers_can_be_open_at_once() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Draw(by="w", do="offer"))
    scene.do(c.Takeback(by="b", do="offer"))
    scene.play("g1f3")
    assert (scene.game.offers.draw, scene.game.offers.takeback) == ("w", None)


# "not again within 10 of one's own moves after a refusal". Columns: how White's offer at their second move was made and
# refused; then how many moves White must have made in total before they may offer again.
REFUSALS: dict[str, tuple[list[c.Command | str], int]] = {
    "declined before their second move": ([c.Draw(by="w", do="offer"), c.Draw(by="b", do="decline")], 11),
    "declined after it": ([c.Draw(by="w", do="offer"), "g1f3", c.Draw(by="b", do="decline")], 12),
    "refused by moving": ([c.Draw(by="w", do="offer"), "g1f3", "g8f6"], 12),
    "offered with the move, refused by moving": (["g1f3=", "g8f6"], 12),
    "offered with the move, declined": (["g1f3=", c.Draw(by="b", do="decline")], 12),
    "offered on the opponent's move": (["g1f3", c.Draw(by="w", do="offer"), c.Draw(by="b", do="decline")], 12),
}


@pytest.mark.parametrize("with_move", [False, True])
@pytest.mark.parametrize(("course", "made"), REFUSALS.values(), ids=REFUSALS)
def test_declined_draw_can_be_offered_again_after_ten_moves(
    course: list[c.Command | str], made: int, with_move: bool
) -> None:
    scene = Scene(moves="e2e4 e7e5")
    for step in course:
        if isinstance(step, str):
            scene.do(scene.move(step.rstrip("="), draw=step.endswith("=")))
        else:
            scene.do(step)
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] if scene.game.ply == 2 else ["f3g1", "f6g8", "g1f3", "g8f6"]
    if scene.game.ply == 3:
        scene.play("g8f6")
    # The kings' moves keep the position from coming back too often.
    kings: tuple[tuple[str, ...], ...] = (("e1e2", "e8e7"), ("e2e3", "e7e6"), ("e3d3", "e6d6"), ())
    for move in (move for pair in kings for move in (*shuffle, *pair)):
        if scene.game.turn == "w":
            own = scene.game.moves_made("w")
            if with_move and own + 1 == made:
                (event,) = scene.do(scene.move(move, draw=True))
                assert isinstance(event, Moved)
                assert event.draw
                return
            if with_move:
                (event,) = scene.do(scene.move(move, draw=True))
                assert isinstance(event, Moved)
                assert not event.draw, f"with move {own + 1}"
                continue
            if own == made:
                scene.do(c.Draw(by="w", do="offer"))
                assert scene.game.offers.draw == "w"
                return
            scene.refused(c.Draw(by="w", do="offer"), "conflict")
        scene.play(move)
    pytest.fail("the game is too short for this test")


def test_declined_offer_does_not_restrict_the_opponent() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Draw(by="w", do="offer"))
    scene.do(c.Draw(by="b", do="decline"))
    scene.do(c.Draw(by="b", do="offer"))
    scene.do(c.Draw(by="w", do="accept"))
    assert scene.end == ("1/2-1/2", "agreement")


def test_draw_agreement_stops_and_charges_the_clock() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Draw(by="w", do="offer"), 1_000)
    _, end = scene.do(c.Draw(by="b", do="accept"), 1_000)
    assert isinstance(end, Ended)
    assert end.clock is not None
    assert (end.clock.w, end.clock.b, end.clock.run) == (178_000, 180_000, None)


# -- rematches --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stands", "by", "do", "event"), STEPS.values(), ids=STEPS)
def test_rematch_is_agreed_after_the_end(stands: Color | None, by: Color, do: Do, event: Do | None) -> None:
    scene = Scene()
    scene.refused(c.Rematch(by="w", do="offer"), "conflict")
    scene.do(c.Resign(by="w"))
    if stands is not None:
        scene.do(c.Rematch(by=stands, do="offer"))
    if event is None:
        scene.refused(c.Rematch(by=by, do=do, next="h"), "conflict")
        assert scene.game.offers.rematch == stands
        return
    events = scene.do(c.Rematch(by=by, do=do, next="h"))
    agreed = event == "accept"
    assert events == (Offered(what="rematch", do=event, by=by, next="h" if agreed else None),)
    assert scene.game.next == ("h" if agreed else None)
    assert scene.game.offers.rematch == (by if event == "offer" else None)
    assert scene.end == ("0-1", "resignation")
    if agreed:
        scene.refused(c.Rematch(by=by, do="offer", next="i"), "conflict")


def test_accepting_a_rematch_needs_the_new_game_id() -> None:
    scene = Scene()
    scene.do(c.Abort(by="w"))
    scene.do(c.Rematch(by="w", do="offer"))
    scene.refused(c.Rematch(by="b", do="accept"), "conflict")
    assert scene.game.offers.rematch == "w"


def test_declined_rematch_can_be_offered_again() -> None:
    scene = Scene()
    scene.do(c.Abort(by="w"))
    for _ in range(2):
        scene.do(c.Rematch(by="w", do="offer"))
        scene.do(c.Rematch(by="b", do="decline"))
    assert scene.game.next is None


def test_three_declined_rematches_are_the_limit() -> None:
    s = Scene(moves="e2e4 e7e5")
    s.do(c.Resign(by="w"))
    for _ in range(3):
        s.do(c.Rematch(by="w", do="offer"))
        s.do(c.Rematch(by="b", do="decline"))
    s.refused(c.Rematch(by="w", do="offer"), "conflict")
    # The other may still change their mind.
    s.do(c.Rematch(by="b", do="offer"))
    s.do(c.Rematch(by="w", do="offer", next="game2"))
    assert s.game.next == "game2"
