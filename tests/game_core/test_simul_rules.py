"""Permissions and refusals at a simul board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core import commands as c
from game_core.events import ClockSet, Ended, Moved, Offered
from tests.game_core.scene import LONE_BLACK_KING, Scene
from tests.game_core.simuls import TEN_MINUTES, a_board, act, shown

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.errors import RefusalCode
    from game_core.events import Result
    from game_core.simul_board import Mode

# -- moves ---------------------------------------------------------------------------------------------------------

# The host is White. Columns: mode, what has happened, who moves what; the code and what is said.
REFUSED_MOVES: dict[str, tuple[str, str, Color, str, str, str]] = {
    "the host elsewhere": ("round", "", "w", "e2e4", "conflict", "you are not at this board; go there first"),
    "the participant, the host elsewhere": (
        "round",
        "arrive 600; e2e4",
        "b",
        "e7e5",
        "conflict",
        "the host is not at your board; prepare a move",
    ),
    "the participant on the host's turn": ("round", "", "b", "e7e5", "not_your_turn", "it is not your turn"),
    "in a break": (
        "round",
        "arrive 600; break",
        "w",
        "e2e4",
        "conflict",
        "the simul is paused for a break",
    ),
    "in a break of the other mode": (
        "clock",
        "break",
        "w",
        "e2e4",
        "conflict",
        "the simul is paused for a break",
    ),
    "the host elsewhere, and away": (
        "round",
        "arrive 600; e2e4; away",
        "b",
        "e7e5",
        "conflict",
        "the host is not at your board; prepare a move",
    ),
    "after the break, the host elsewhere": (
        "round",
        "arrive 600; e2e4; break; release",
        "b",
        "e7e5",
        "conflict",
        "the host is not at your board; prepare a move",
    ),
}


@pytest.mark.parametrize(("mode", "steps", "by", "move", "code", "said"), REFUSED_MOVES.values(), ids=REFUSED_MOVES)
def test_moves_out_of_turn_or_without_the_host_are_refused(
    mode: str, steps: str, by: Color, move: str, code: str, said: str
) -> None:
    scene = a_board("round" if mode == "round" else "clock", moves=steps)
    refusal = scene.refused(c.PlayMove(by=by, move=move, ply=scene.game.ply), code)
    assert str(refusal) == said


def test_break_stops_a_game_without_clocks() -> None:
    scene = a_board("clock", None, None, moves="e2e4; break")
    scene.refused(scene.move("e7e5"), "conflict")
    act(scene, "release; e7e5")


# -- draws ---------------------------------------------------------------------------------------------------------


def test_draw_can_be_agreed_by_default() -> None:
    scene = a_board("clock")
    scene.do(c.Draw(by="b", do="offer"))
    scene.do(c.Draw(by="w", do="accept"))
    assert scene.end == ("1/2-1/2", "agreement")


def test_draw_offers_are_refused_if_not_allowed() -> None:
    scene = a_board("clock", draw_from=None, moves="e2e4; e7e5")
    assert str(scene.refused(c.Draw(by="w", do="offer"), "conflict")) == "draw offers are not allowed in this simul"
    (moved,) = scene.do(scene.move("g1f3", draw=True))
    assert isinstance(moved, Moved)
    assert not moved.draw


def test_draw_offers_are_refused_before_the_announced_move() -> None:
    scene = a_board("clock", draw_from=2)
    said = "draws can be offered in this simul only after 2 moves of the host"
    assert str(scene.refused(c.Draw(by="b", do="offer"), "conflict")) == said
    act(scene, "e2e4; e7e5")
    scene.refused(c.Draw(by="w", do="offer"), "conflict")
    # With their second move the host may.
    (moved,) = scene.do(scene.move("g1f3", draw=True))
    assert isinstance(moved, Moved)
    assert moved.draw
    scene.do(c.Draw(by="b", do="decline"))
    scene.do(c.Draw(by="b", do="offer"))
    scene.do(c.Draw(by="w", do="accept"))
    assert scene.end == ("1/2-1/2", "agreement")


def test_move_of_the_player_does_not_count_for_the_draw_rule() -> None:
    scene = a_board("clock", draw_from=1, host="b")
    (moved,) = scene.do(scene.move("e2e4", draw=True))
    assert isinstance(moved, Moved)
    assert not moved.draw
    act(scene, "e7e5")
    (moved,) = scene.do(scene.move("g1f3", draw=True))
    assert isinstance(moved, Moved)
    assert moved.draw


def test_draw_offer_cannot_be_accepted_after_a_takeback_below_its_move() -> None:
    scene = a_board("clock", draw_from=1, moves="e2e4")
    scene.do(c.Draw(by="b", do="offer"))
    (offered,) = scene.do(c.Takeback(by="w", do="offer"))
    assert isinstance(offered, Offered)
    scene.do(c.Takeback(by="b", do="accept"))
    scene.refused(c.Draw(by="w", do="accept"), "conflict")


SEVEN_PLIES = "arrive 600; g1f3; arrive 600 g8f6; f3g1; arrive 600 f6g8; g1f3; arrive 600 g8f6; f3g1"
"""A round; Black's knight is about to go home, and the position to be there for the third time."""


def test_draw_on_the_board_can_be_claimed_without_the_host() -> None:
    scene = a_board("round", moves=f"{SEVEN_PLIES}; arrive 600 f6g8; g1f3")
    assert shown(scene).held == "round"
    scene.refused(c.Draw(by="w", do="claim"), "not_your_turn")
    scene.do(c.Draw(by="b", do="claim"))
    assert scene.end == ("1/2-1/2", "threefold")


def test_draw_by_an_intended_move_is_claimed_only_with_the_host() -> None:
    scene = a_board("round", moves=SEVEN_PLIES)
    claim = c.Draw(by="b", do="claim", move="f6g8")
    scene.refused(claim, "conflict")
    act(scene, "arrive 600")
    scene.do(claim)
    assert scene.end == ("1/2-1/2", "threefold")


# -- what simuls do not have ----------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["w", "b"])
def test_board_cannot_be_aborted_by_a_player(by: Color) -> None:
    said = str(a_board("clock").refused(c.Abort(by=by), "conflict"))
    assert said == "a simul game cannot be aborted; resign instead"


def test_rematch_of_a_board_is_refused() -> None:
    scene = a_board("clock")
    scene.refused(c.Rematch(by="b", do="offer"), "conflict")
    scene.do(c.Resign(by="b"))
    assert str(scene.refused(c.Rematch(by="b", do="offer"), "conflict")) == "a simul game has no rematch"


def test_takeback_is_allowed_only_in_clock_mode() -> None:
    scene = a_board("clock", moves="5s; e2e4; 5s")
    scene.do(c.Takeback(by="w", do="offer"))
    scene.do(c.Takeback(by="b", do="accept"))
    assert (shown(scene).w, shown(scene).b, shown(scene).run) == (595, 175, "w")
    scene = a_board("round", moves="arrive 600; e2e4; arrive 600 e7e5")
    scene.refused(c.Takeback(by="b", do="offer"), "conflict")


def test_takeback_is_allowed_while_the_host_is_away() -> None:
    scene = a_board("clock", moves="e2e4; e7e5; away")
    scene.do(c.Takeback(by="b", do="offer"))
    scene.do(c.Takeback(by="w", do="accept"))
    assert (shown(scene).run, shown(scene).held, scene.game.underlying_hold) == ("b", "host_away", None)


def test_first_moves_have_no_limit() -> None:
    scene = a_board("clock")
    assert scene.do(c.Expire(), 500_000) == ()
    assert scene.game.status == "created"


def test_host_gives_time_to_the_player() -> None:
    scene = a_board("round", moves="arrive 600; e2e4")
    (event,) = scene.do(c.GiveTime(by="w", seconds=60))
    assert isinstance(event, ClockSet)
    assert (event.clock.b, event.clock.held) == (240_000, "round")
    scene.refused(c.GiveTime(by="b", seconds=60), "forbidden")
    scene.do(c.Resign(by="b"))
    scene.refused(c.GiveTime(by="b", seconds=60), "forbidden")
    scene.refused(c.GiveTime(by="w", seconds=60), "game_over")


def test_host_gives_themselves_time_in_clock_mode() -> None:
    scene = a_board("clock", moves="5s; e2e4; 5s")
    (event,) = scene.do(c.GiveTime(by="w", seconds=0, own_s=60))
    assert isinstance(event, ClockSet)
    assert (event.why, event.by, event.clock.w, event.clock.b, event.clock.run) == (
        "owntime",
        "w",
        655_000,
        175_000,
        "b",
    )
    (event,) = scene.do(c.GiveTime(by="w", seconds=10, own_s=20))
    assert isinstance(event, ClockSet)
    assert (event.why, event.clock.w, event.clock.b) == ("moretime", 675_000, 185_000)
    assert scene.game.gifts == (2, 0)


@pytest.mark.parametrize(
    ("mode", "by", "seconds", "own_s", "code"),
    [
        ("round", "w", 0, 60, "forbidden"),
        ("clock", "b", 0, 60, "forbidden"),
        ("clock", "w", 0, 0, "conflict"),
        ("clock", "w", 60, -1, "conflict"),
        ("clock", "w", -1, 60, "conflict"),
        ("clock", "w", 0, 86_400, "conflict"),
        ("clock", "w", 86_400, 0, "conflict"),
    ],
)
def test_other_gifts_of_time_are_refused(mode: Mode, by: Color, seconds: int, own_s: int, code: RefusalCode) -> None:
    a_board(mode).refused(c.GiveTime(by=by, seconds=seconds, own_s=own_s), code)


def test_own_time_cannot_be_given_outside_a_simul() -> None:
    Scene().refused(c.GiveTime(by="w", seconds=5, own_s=5), "forbidden")


def test_time_cannot_be_given_without_clocks() -> None:
    scene = a_board("round", None, None)
    scene.refused(c.GiveTime(by="w", seconds=60), "conflict")


# -- absence -------------------------------------------------------------------------------------------------------


def left(by: Color, gone_s: int, limit_s: int | None = None) -> c.ClaimLeft:
    """``by`` wants to win because the other has been away for ``gone_s``."""
    return c.ClaimLeft(by=by, what="win", gone_ms=gone_s * 1000, limit_ms=None if limit_s is None else limit_s * 1000)


# The host is White, the participant has 3+2: missed after 80 s. Columns: mode, what has happened, the claim; who wins,
# or None where nobody does yet.
CLAIMS: dict[str, tuple[str, str, c.ClaimLeft, Color | None]] = {
    "the participant on their turn": ("clock", "e2e4; 80s", left("w", 80), "w"),
    "not before": ("clock", "e2e4; 80s", left("w", 79), None),
    "not for what was before their turn": ("clock", "100s; e2e4; 79s", left("w", 179), None),
    "not on the host's turn": ("clock", "100s", left("w", 100), None),
    "the host on their turn, for as long as they may": ("clock", "away; 600s", left("b", 600, 600), "b"),
    "not before that": ("clock", "away; 600s", left("b", 599, 600), None),
    "not while nobody says how long they may": ("clock", "away; 600s", left("b", 600), None),
    "not on the participant's own turn": ("clock", "e2e4; away; 600s", left("b", 600, 600), None),
    "nobody in a break": ("clock", "e2e4; break; 600s", left("w", 600), None),
    "neither the host": ("clock", "break; 600s", left("b", 600, 600), None),
    "who is not ready": ("round", "arrive 600; e2e4; arrive 500; start; 80s", left("w", 80), "w"),
    "who is not ready, from the end of the countdown on": (
        "round",
        "arrive 600; e2e4; arrive 500; 10s; start; 79s",
        left("w", 89),
        None,
    ),
    "nobody where the host is not": ("round", "arrive 600; e2e4; 80s", left("w", 80), None),
    "but the host there": ("round", "arrive 600; e2e4; 600s", left("b", 600, 600), "b"),
    "the host where they stand": ("round", "arrive 700; away; 600s", left("b", 600, 600), "b"),
}


@pytest.mark.parametrize(("mode", "steps", "claim", "winner"), CLAIMS.values(), ids=CLAIMS)
def test_absence_is_claimed_only_on_the_turn_of_the_absent(
    mode: str, steps: str, claim: c.ClaimLeft, winner: Color | None
) -> None:
    scene = a_board("round" if mode == "round" else "clock", moves=steps)
    if winner is None:
        scene.refused(claim, "conflict")
        assert scene.game.status != "over"
    else:
        scene.do(claim)
        assert scene.end == ("1-0" if winner == "w" else "0-1", "abandoned")


def test_player_without_mating_chances_draws_against_an_absent_host() -> None:
    scene = a_board("clock", TEN_MINUTES, fen=LONE_BLACK_KING, moves="away; 600s")
    scene.do(left("b", 600, 600))
    assert scene.end == ("1/2-1/2", "abandoned")


# -- the host ends it ----------------------------------------------------------------------------------------------

ENDS: dict[str, tuple[Color, Result, str | None]] = {
    "drawn": ("w", "1/2-1/2", "arbiter"),
    "lost by White": ("w", "0-1", "resignation"),
    "lost by Black": ("b", "1-0", "resignation"),
    "without a result": ("w", "*", "aborted"),
    "not won by White": ("w", "1-0", None),
    "not won by Black": ("b", "0-1", None),
}


@pytest.mark.parametrize(("host", "result", "reason"), ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("steps", ["", "break", "e2e4; e7e5; away"], ids=["at once", "in a break", "while away"])
def test_host_adjudicates_a_board_as_draw_or_loss(steps: str, host: Color, result: Result, reason: str | None) -> None:
    scene = a_board("clock", host=host, moves=steps)
    if reason is None:
        scene.refused(c.Adjudicate(result), "forbidden")
        return
    (end,) = scene.do(c.Adjudicate(result))
    assert isinstance(end, Ended)
    assert scene.end == (result, reason)
    assert (shown(scene).run, shown(scene).held, scene.game.underlying_hold) == (None, None, None)


def test_flag_fall_precedes_an_adjudication() -> None:
    scene = a_board("clock")
    scene.refused(c.Adjudicate("1/2-1/2"), "game_over", 601_100)
    assert scene.end == ("0-1", "timeout")
