"""The start, default time, and flags by the Laws: Articles 6.5 to 6.11, A4, B3, US rule 14E."""

from __future__ import annotations

import msgspec
import pytest

from game_core import commands as c
from game_core.color import COLORS
from game_core.decide import next_deadline_ms
from game_core.events import ClockSet, Seated
from game_core.laws.deadlines import UNCLAIMED_MS
from game_core.laws.terms import LawsTerms
from game_core.time_control import Period, TimeControl
from tests.game_core.over_the_board import (
    BLITZ,
    FIDE,
    OFFICIAL,
    RAPID,
    SUDDEN,
    UNSUPERVISED,
    USCF,
    a_game,
    act,
    command,
    laws,
)
from tests.game_core.scene import DELAY, Scene

QUICK = TimeControl((Period(2, 60_000), Period(None, 30_000)))
TWO_QUICK = TimeControl((Period(40, 60_000), Period(None, 30_000)))


def unattended(default_s: int = 60, tc: TimeControl | None = BLITZ) -> Scene:
    """Return a game to which nobody has come yet."""
    return Scene(tc, profile="fide", laws=LawsTerms(default_s=default_s))


# -- 6.5, 6.6 -------------------------------------------------------------------------------------------


def test_first_clock_runs_from_the_start() -> None:
    """6.5: "At the time determined for the start of the game the clock of the player who has the white pieces is
    started."; the increment is there before move 1."""
    scene = unattended()
    scene.now_ms += 7_000
    assert (scene.left("w"), scene.left("b")) == (296_000, 303_000)
    assert scene.game.is_under_way


def test_first_clock_is_that_of_the_side_that_begins() -> None:
    scene = a_game(OFFICIAL, SUDDEN, "5s")
    assert scene.left("w") == 295_000


# After how many seconds each side comes, if it does, and the end when the timer rings after the default time of 60 s.
DEFAULT: dict[str, tuple[float | None, float | None, tuple[str, str | None]]] = {
    "6.6 Black does not come": (5, None, ("1-0", "default_time")),
    "6.6 White does not come": (None, 5, ("0-1", "default_time")),
    "6.6 both in time": (5, 59.9, ("*", None)),
    "6.6b neither comes": (None, None, ("*", "aborted")),
}


@pytest.mark.parametrize(("white_s", "black_s", "end"), DEFAULT.values(), ids=DEFAULT)
def test_default_time(white_s: float | None, black_s: float | None, end: tuple[str, str | None]) -> None:
    """6.6: who arrives too late "shall lose the game"."""
    scene = unattended()
    start_ms = scene.now_ms
    for color, after_s in zip(COLORS, (white_s, black_s), strict=True):
        if after_s is not None:
            scene.now_ms = start_ms + round(after_s * 1000)
            scene.do(c.TakeSeat(color))
            assert scene.log[-1] == Seated(color)
            assert scene.do(c.TakeSeat(color)) == ()
    scene.now_ms = start_ms + 59_999
    assert scene.do(c.Expire()) == ()
    scene.do(c.Expire(), after_ms=1)
    assert scene.end == end
    assert scene.game.no_show == (end[1] == "aborted")


def test_who_comes_after_the_default_time_has_lost() -> None:
    """6.6: "Any player who arrives at the chessboard after" it."""
    scene = unattended()
    scene.do(c.TakeSeat("w"))
    scene.do(c.TakeSeat("b"), after_ms=60_000)
    assert scene.end == ("1-0", "default_time")
    scene.refused(c.TakeSeat("b"), "game_over")


def test_timer_is_due_at_the_default_time_and_then_at_the_flag() -> None:
    scene = unattended()
    start_ms = scene.now_ms
    assert next_deadline_ms(scene.game, 0) == start_ms + 60_000
    for color in COLORS:
        scene.do(c.TakeSeat(color))
    due_ms = next_deadline_ms(scene.game, 0)
    assert due_ms is not None
    assert due_ms - start_ms in range(303_000, 303_100)
    untimed = unattended(tc=None)
    for color in COLORS:
        untimed.do(c.TakeSeat(color))
    assert next_deadline_ms(untimed.game, 0) is None


def test_nobody_is_late_while_the_clocks_are_held() -> None:
    """6.12 and 6.6: the server was away, and not the player."""
    scene = unattended(default_s=10)
    scene.do(c.TakeSeat("w"))
    assert scene.game.clock is not None
    scene.game = msgspec.structs.replace(scene.game, clock=scene.game.clock.hold("restart", scene.now_ms))
    scene.do(c.TakeSeat("b"), after_ms=12_000)
    assert scene.log[-1] == Seated("b")


@pytest.mark.parametrize(
    ("default_s", "end"),
    [(31, ("0-1", "timeout")), (29, ("1-0", "default_time")), (30, ("1-0", "default_time"))],
)
def test_late_timer_rules_on_what_was_first(default_s: int, end: tuple[str, str]) -> None:
    """6.6, 6.8."""
    scene = unattended(default_s, TimeControl((Period(None, 30_000),)))
    scene.do(c.TakeSeat("w"))
    scene.do(c.Expire(), after_ms=35_000)
    assert scene.end == end


def test_who_acts_is_there() -> None:
    """6.6: a player at the board has arrived."""
    for steps in ("touch e2", "adjust", "e2e4"):
        scene = unattended()
        act(scene, steps)
        assert laws(scene).seated == (True, False)


# -- flags ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [FIDE, USCF, OFFICIAL])
def test_server_sees_the_flag(rules: str) -> None:
    """6.8, 6.9: a flag is down when the arbiter sees it."""
    scene = a_game(rules, SUDDEN)
    assert scene.do(c.Expire(), after_ms=299_999) == ()
    scene.do(c.Expire(), after_ms=1_000)
    assert scene.end == ("0-1", "timeout")


def test_flag_may_be_claimed_where_the_server_sees_it_too() -> None:
    scene = a_game(FIDE, SUDDEN)
    scene.refused(command(scene, "b flag"), "conflict")
    act(scene, "301s")
    scene.do(c.ClaimFlag("b"))
    assert scene.end == ("0-1", "timeout")


# White has 300 s and no increment. Columns: start position, control, steps, the end.
CLAIMED: dict[str, tuple[str | None, TimeControl, str, tuple[str, str | None]]] = {
    "A4d nobody claims": (None, SUDDEN, "301s; e2e4!", ("*", None)),
    "A4e while White thinks": (None, SUDDEN, "301s; b flag", ("0-1", "timeout")),
    "A4e after White has moved": (None, SUDDEN, "301s; e2e4!; flag", ("0-1", "timeout")),
    "A4e some moves later": (None, SUDDEN, "301s; e2e4! e7e5! g1f3!; flag", ("0-1", "timeout")),
    "A4e by White": (None, SUDDEN, "e2e4!; 301s; w flag", ("1-0", "timeout")),
    "6.9 Black cannot mate": ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", SUDDEN, "301s; b flag", ("1/2-1/2", "timeout_draw")),
    "A4f both are down": (None, SUDDEN, "301s; e2e4!; 301s; w flag", ("1/2-1/2", "both_flags")),
    "A4f both are down, claimed by the other": (None, SUDDEN, "301s; e2e4!; 301s; flag", ("1/2-1/2", "both_flags")),
    "A4f the timer rings": (None, SUDDEN, "301s; e2e4!; 301s; expire", ("1/2-1/2", "both_flags")),
    "the timer rings for one flag": (None, SUDDEN, "301s; expire", ("*", None)),
    "a flag that is down gets no increment": (None, BLITZ, "304s; e2e4! e7e5! g1f3!; flag", ("0-1", "timeout")),
    "nor a delay": (None, DELAY, "184s; e2e4! e7e5!; 1s; g1f3!; flag", ("0-1", "timeout")),
    "mate comes before a claim": (
        *("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", SUDDEN, "301s; g1g8"),
        ("1-0", "checkmate"),
    ),
}


@pytest.mark.parametrize(("fen", "tc", "steps", "end"), CLAIMED.values(), ids=CLAIMED)
def test_flag_is_down_when_it_is_claimed(
    fen: str | None, tc: TimeControl, steps: str, end: tuple[str, str | None]
) -> None:
    """A4d: "The flag is considered to have fallen when a player makes a valid claim to that effect."; A4e: "the
    claimant's flag must remain up"; A4f: if both are down, "the arbiter shall declare the game drawn"."""
    scene = a_game(UNSUPERVISED, tc, steps, fen=fen)
    assert scene.end == end


# Columns: control, steps before the claim by White.
WRONG: dict[str, tuple[TimeControl | None, str]] = {
    "there is time left": (SUDDEN, "e2e4!; 299s"),
    "the lag of a move under way is waited for": (SUDDEN, "e2e4!; 300s"),
    "no clock": (None, "e2e4!"),
}


@pytest.mark.parametrize(("tc", "steps"), WRONG.values(), ids=WRONG)
def test_wrong_claim_of_a_flag_is_refused(tc: TimeControl | None, steps: str) -> None:
    scene = a_game(UNSUPERVISED, tc, steps)
    assert scene.game.laws is not None
    if tc is None:
        scene = a_game(FIDE, None, steps)
        scene.refused(command(scene, "w flag"), "conflict")
    else:
        scene.refused(c.ClaimFlag("w", ceiling_ms=500), "conflict")


def test_both_flags_down_before_the_last_period() -> None:
    """6.11a: "the game shall continue if it happens in any period of the game except the last period"."""
    long = TimeControl((Period(40, 600_000, 10_000), Period(None, 300_000)))
    scene = a_game(UNSUPERVISED, long, "611s; e2e4!; 611s; expire")
    event = scene.log[-1]
    assert isinstance(event, ClockSet)
    assert event.why == "both_flags"
    assert scene.game.clock is not None
    assert (scene.game.clock.left, scene.game.clock.period, scene.game.clock.moves) == (
        *((300_000, 300_000), (1, 1)),
        (1, 0),
    )
    assert (scene.game.turn, scene.game.clock.run) == ("b", "b")


def test_period_that_moves_have_ended_is_not_gone_on_in() -> None:
    """6.11a: the moves made after a flag fell end periods, and give no time of theirs."""
    periods = TimeControl((Period(1, 900_000), Period(1, 900_000), Period(None, 60_000)))
    scene = a_game(UNSUPERVISED, periods, "901s; e2e4! e7e5! g1f3!; 1801s; expire")
    assert scene.game.clock is not None
    assert (scene.game.clock.left, scene.game.clock.period) == ((60_000, 60_000), (2, 2))


def test_claim_after_a_fallen_flag_gives_no_time_of_a_period() -> None:
    """6.3: a period's time is given for moves made before the flag fell."""
    periods = TimeControl((Period(1, 900_000), Period(1, 900_000), Period(None, 900_000)))
    scene = a_game(UNSUPERVISED, periods, "901s; e2e4! e7e5! g1f3! b8c6! a1a5!; illegal")
    assert scene.left("w") == 0


def test_both_flags_down_in_the_last_period_of_one_side() -> None:
    """6.11b: "the game is drawn if it happens in the period of a game, in which all remaining moves must be
    completed"."""
    short = TimeControl((Period(1, 600_000, 10_000), Period(None, 60_000)))
    scene = a_game(UNSUPERVISED, short, "e2e4!; 611s; e7e5!; 700s; expire")
    assert scene.end == ("1/2-1/2", "both_flags")


def test_both_flags_down_before_a_period_without_a_base() -> None:
    """6.11a: nobody could go on, and a period that repeats would let the timer ring for ever."""
    scene = a_game(UNSUPERVISED, TimeControl((Period(10, 0, 5_000),)), "6s; e2e4!; 6s; expire")
    assert scene.end == ("1/2-1/2", "both_flags")


@pytest.mark.parametrize(
    ("steps", "fen", "end"),
    [
        ("e2e4!; 300s", None, ("1-0", "timeout")),
        ("301s; e2e4!; e7e5!", None, ("0-1", "timeout")),
        ("e2e4!; 300s", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ("1-0", "timeout")),
        ("300s", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ("1/2-1/2", "timeout_draw")),
    ],
)
def test_flag_that_nobody_claims(steps: str, fen: str | None, end: tuple[str, str]) -> None:
    """A4d leaves it to the players. A game that both have left ends nevertheless."""
    scene = a_game(UNSUPERVISED, SUDDEN, steps, fen=fen)
    due_ms = next_deadline_ms(scene.game, 0)
    assert due_ms is not None
    assert due_ms - scene.now_ms >= UNCLAIMED_MS
    scene.now_ms = due_ms - 1
    assert scene.do(c.Expire()) == ()
    act(scene, "0.001s; expire")
    assert scene.end == end


@pytest.mark.parametrize(
    ("fen", "end"),
    [
        ("4k3/7p/8/8/8/8/8/4KB2 b - - 0 1", ("1/2-1/2", "timeout_draw")),
        ("4k3/7p/8/8/8/8/P7/4K3 b - - 0 1", ("1-0", "timeout")),
        ("8/8/8/8/8/5k2/8/R4K2 b - - 0 1", ("1-0", "timeout")),
    ],
    ids=["king and bishop", "a pawn", "a rook"],
)
def test_us_chess_has_its_own_rule_on_material(fen: str, end: tuple[str, str]) -> None:
    """14E."""
    scene = a_game(USCF, SUDDEN, fen=fen)
    scene.do(c.Expire(), after_ms=301_000)
    assert scene.end == end


# -- what is not in the Laws ----------------------------------------------------------------------------

NOT_THERE: dict[str, tuple[c.Command, str]] = {
    "takebacks": (c.Takeback("w", "offer"), "conflict"),
    "more time": (c.GiveTime("w", 15), "conflict"),
    "a pause": (c.Pause("w", on=True), "conflict"),
    "an abort": (c.Abort("w"), "conflict"),
    "a win by absence, where a clock runs": (c.ClaimLeft("w", "win", 1_000_000), "conflict"),
    "a visit of a host": (c.Arrive(), "conflict"),
}


@pytest.mark.parametrize(("request_", "code"), NOT_THERE.values(), ids=NOT_THERE)
def test_what_the_laws_do_not_have_is_refused(request_: c.Command, code: str) -> None:
    scene = a_game()
    scene.refused(request_, code)
    act(scene, "resign")
    scene.refused(c.Abort("w"), "game_over")


def test_absence_may_be_claimed_without_a_clock() -> None:
    """No flag would ever end such a game."""
    scene = a_game(FIDE, None, "e2e4!")
    scene.refused(c.ClaimLeft("w", "win", 100_000), "conflict")
    scene.do(c.ClaimLeft("w", "win", 120_000))
    assert scene.end == ("1-0", "abandoned")


def test_requests_of_every_game_are_answered_as_ever() -> None:
    scene = a_game(FIDE, RAPID, "e2e4!")
    scene.do(c.Resume())
    act(scene, "resign")
    assert scene.end == ("1-0", "resignation")
    scene.do(c.Rematch("w", "offer"))
    assert scene.game.offers.rematch == "w"
