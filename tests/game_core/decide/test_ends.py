"""Ends without a move: resignation, abort, flag fall, missing first move, absence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
import pytest

from game_core import commands as c
from game_core.decide import next_deadline_ms
from game_core.decide.ends import first_move_deadline_ms
from game_core.events import ClockReading, Ended
from tests.game_core.scene import (
    BLACK_BEGINS,
    BLITZ,
    BULLET,
    CLASSICAL,
    DAY_MS,
    DAYS,
    DELAY,
    LONE_BLACK_KING,
    RAPID,
    Scene,
)

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.time_control import TimeControl

# -- resignation and abort -------------------------------------------------------------------------------------

RESIGNATIONS: dict[str, tuple[str, Color, str]] = {
    "White, before the first move": ("", "w", "0-1"),
    "Black, before theirs": ("e2e4", "b", "1-0"),
    "White, on their move": ("e2e4 e7e5", "w", "0-1"),
    "Black, on White's move": ("e2e4 e7e5", "b", "1-0"),
}


@pytest.mark.parametrize(("moves", "by", "result"), RESIGNATIONS.values(), ids=RESIGNATIONS)
def test_resignation_loses(moves: str, by: Color, result: str) -> None:
    scene = Scene(moves=moves)
    scene.do(c.Resign(by=by), 1_000)
    assert scene.end == (result, "resignation")
    scene.refused(c.Resign(by=by), "game_over")


def test_resigning_stops_and_charges_the_clock() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Resign(by="b"), 4_000)
    assert scene.log[-1] == Ended(result="1-0", reason="resignation", clock=ClockReading(176_000, 180_000))


def test_resignation_loses_even_if_opponent_cannot_win() -> None:
    # Article 5.1b knows no exception; 6.9 is about the flag.
    scene = Scene(fen=LONE_BLACK_KING, moves="e1d1 e5e6")
    scene.do(c.Resign(by="w"))
    assert scene.end == ("0-1", "resignation")


@pytest.mark.parametrize("by", ["w", "b"])
@pytest.mark.parametrize("tc", [BLITZ, DAYS, None], ids=["blitz", "days", "no clock"])
def test_game_can_be_aborted_only_before_both_have_moved(by: Color, tc: TimeControl | None) -> None:
    for moves in ("", "e2e4"):
        scene = Scene(tc, moves=moves)
        scene.do(c.Abort(by=by), 1_000)
        assert scene.end == ("*", "aborted")
        scene.refused(c.Abort(by=by), "game_over")
    scene = Scene(tc, moves="e2e4 e7e5")
    scene.refused(c.Abort(by=by), "conflict")


def test_takeback_to_the_start_does_not_allow_an_abort() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Takeback(by="w", do="offer"))
    scene.do(c.Takeback(by="b", do="accept"))
    assert scene.game.ply == 0
    scene.refused(c.Abort(by="w"), "conflict")


# -- deadlines --------------------------------------------------------------------------------------------------

# "the first moves must come within 15/20/25/30 s (bullet/blitz/rapid/classical) or the game is aborted". Columns:
# control, start position, moves made; then how long the next may take before the server acts, and how it ends.
DEADLINES: dict[str, tuple[TimeControl | None, str | None, str, int | None, tuple[str, str]]] = {
    "bullet, first": (BULLET, None, "", 15_000, ("*", "aborted")),
    "bullet, second": (BULLET, None, "e2e4", 15_000, ("*", "aborted")),
    "blitz": (BLITZ, None, "e2e4", 20_000, ("*", "aborted")),
    "rapid": (RAPID, None, "", 25_000, ("*", "aborted")),
    "classical": (CLASSICAL, None, "", 30_000, ("*", "aborted")),
    "Black begins": (BLITZ, BLACK_BEGINS, "", 20_000, ("*", "aborted")),
    "days: those of a move": (DAYS, None, "e2e4", 3 * DAY_MS, ("*", "aborted")),
    "no clock, no limit": (None, None, "", None, ("*", "")),
    "third move: the flag": (BLITZ, None, "e2e4 e7e5", 180_000, ("0-1", "timeout")),
    "fourth": (BLITZ, None, "e2e4 e7e5 g1f3", 180_000, ("1-0", "timeout")),
    "Black begins: their flag": (BLITZ, BLACK_BEGINS, "e7e5 e2e4", 180_000, ("1-0", "timeout")),
    "after the delay": (DELAY, None, "e2e4 e7e5", 183_000, ("0-1", "timeout")),
    "days": (DAYS, None, "e2e4 e7e5", 3 * DAY_MS, ("0-1", "timeout")),
    "no clock, no flag": (None, None, "e2e4 e7e5", None, ("*", "")),
    "the opponent cannot win (6.9)": (BLITZ, LONE_BLACK_KING, "e1d1 e5e6", 180_000, ("1/2-1/2", "timeout_draw")),
    "the flagged could not have won": (BLITZ, LONE_BLACK_KING, "e1d1 e5e6 d1e1", 180_000, ("1-0", "timeout")),
}


@pytest.mark.parametrize(("tc", "fen", "moves", "limit_ms", "end"), DEADLINES.values(), ids=DEADLINES)
@pytest.mark.parametrize("ceiling_ms", [0, 200])
def test_deadline_ends_the_game_exactly_when_reached(
    tc: TimeControl | None, fen: str | None, moves: str, limit_ms: int | None, end: tuple[str, str], ceiling_ms: int
) -> None:
    scene = Scene(tc, fen=fen, moves=moves)
    expire = c.Expire(ceiling_ms=ceiling_ms)
    due_ms = next_deadline_ms(scene.game, ceiling_ms)
    if limit_ms is None:
        assert due_ms is None
        assert scene.do(expire, 10**12) == ()
        return
    if scene.game.status == "live":
        limit_ms += ceiling_ms + 15  # "Timers ... flag within 20 ms of zero plus the lag allowance."
    assert due_ms == scene.now_ms + limit_ms
    assert scene.do(expire, limit_ms - 1) == ()
    scene.do(expire, 1)
    assert scene.end == end
    assert next_deadline_ms(scene.game, ceiling_ms) is None
    assert scene.do(expire, 10**12) == ()


def test_each_first_move_has_its_own_limit() -> None:
    scene = Scene(BULLET)
    scene.do(scene.move("e2e4"), 14_999)
    assert next_deadline_ms(scene.game, 0) == scene.now_ms + 15_000


def test_a_first_move_is_due_only_before_both_have_moved_and_while_the_clocks_run() -> None:
    scene = Scene(BULLET, pausable=True, moves="e2e4")
    assert first_move_deadline_ms(scene.game) == scene.now_ms + 15_000
    scene.do(c.Pause(by="b", on=True))
    assert first_move_deadline_ms(scene.game) is None
    scene.do(c.Pause(by="b", on=False))
    scene.play("e7e5")
    assert first_move_deadline_ms(scene.game) is None


def test_only_a_first_move_that_did_not_come_is_a_no_show() -> None:
    scene = Scene(BULLET)
    scene.do(c.Abort(by="w"))
    assert (scene.game.reason, scene.game.no_show) == ("aborted", False)
    scene = Scene(BULLET, moves="e2e4")
    scene.do(c.Expire(), 15_000)
    assert (scene.game.reason, scene.game.no_show) == ("aborted", True)


def test_first_move_before_the_deadline_check_is_played() -> None:
    scene = Scene(BULLET)
    scene.do(scene.move("e2e4"), 15_010)
    assert scene.do(c.Expire()) == ()
    assert scene.game.ply == 1


@pytest.mark.parametrize(("moves", "due_in_ms"), [("", 20_000), ("e2e4 e7e5", 180_015)])
def test_no_deadline_is_due_while_the_clocks_are_held(moves: str, due_in_ms: int) -> None:
    scene = Scene(pausable=True, moves=moves)
    scene.do(c.Pause(by="w", on=True))
    assert next_deadline_ms(scene.game, 0) is None
    assert scene.do(c.Expire(), 10**9) == ()
    scene.do(c.Pause(by="w", on=False))
    assert next_deadline_ms(scene.game, 0) == scene.now_ms + due_in_ms


# -- the flag against everything else ---------------------------------------------------------------------------

# White is to move and their flag falls. Lag compensation is a second at most.
LATE: dict[str, c.Command] = {
    "the opponent resigns": c.Resign(by="b"),
    "the player resigns": c.Resign(by="w"),
    "they abort": c.Abort(by="w"),
    "they offer a draw": c.Draw(by="w", do="offer"),
    "they accept a draw": c.Draw(by="w", do="accept"),
    "they claim a draw": c.Draw(by="w", do="claim"),
    "they ask for a takeback": c.Takeback(by="w", do="offer"),
    "the opponent gives time": c.GiveTime(by="b", seconds=15),
    "the opponent claims that the player left": c.ClaimLeft(by="b", what="draw", gone_ms=10**6),
    "they claim that the opponent left": c.ClaimLeft(by="w", what="win", gone_ms=10**6),
    "they pause": c.Pause(by="w", on=True),
}


@pytest.mark.parametrize("command", LATE.values(), ids=LATE)
def test_every_command_after_the_flag_fall_ends_the_game_on_time(command: c.Command) -> None:
    scene = Scene(pausable=True, moves="e2e4 e7e5")
    scene.do(c.Draw(by="b", do="offer"))
    error = scene.refused(command, "game_over", scene.flag_in_ms + 1_000)
    assert error.events == (Ended(result="0-1", reason="timeout", clock=ClockReading(0, 180_000)),)
    assert scene.end == ("0-1", "timeout")
    assert not scene.refused(command, "game_over").events


def test_resignation_counts_until_the_flag_fall_is_certain() -> None:
    # A move of White's may be on its way for a second; Black resigns meanwhile, and that came first.
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Resign(by="b"), scene.flag_in_ms + 999)
    assert scene.end == ("1-0", "resignation")
    assert scene.left("w") == 0


@pytest.mark.parametrize(
    "command",
    [c.GiveTime(by="b", seconds=15), c.Pause(by="w", on=True), c.Takeback(by="b", do="accept")],
    ids=["more time", "pause", "takeback"],
)
def test_flagged_player_is_not_saved_by_time_pause_or_takeback(command: c.Command) -> None:
    scene = Scene(pausable=True, moves="e2e4 e7e5")
    scene.do(c.Takeback(by="w", do="offer"))
    after_ms = scene.flag_in_ms
    assert not scene.refused(command, "conflict", after_ms).events
    scene.do(c.Expire(), 15)
    assert scene.end == ("0-1", "timeout")


# `flag`: "claims the opponent's time is out (the server also sees to it by itself)". Columns: control, moves, who
# claims, when (after zero), the ceiling of the opponent's connection; then the refusal or None.
FLAG_CLAIMS: dict[str, tuple[TimeControl | None, str, Color, int, int, str | None]] = {
    "out, and no move can be on its way": (BLITZ, "e2e4 e7e5", "b", 15, 0, None),
    "a move may be on its way": (BLITZ, "e2e4 e7e5", "b", 14, 0, "conflict"),
    "for as long as the connection is slow": (BLITZ, "e2e4 e7e5", "b", 214, 200, "conflict"),
    "and no longer": (BLITZ, "e2e4 e7e5", "b", 215, 200, None),
    "long ago": (BLITZ, "e2e4 e7e5", "b", 10**6, 0, None),
    "not yet": (BLITZ, "e2e4 e7e5", "b", -1, 0, "conflict"),
    "one's own": (BLITZ, "e2e4 e7e5", "w", 10**6, 0, "conflict"),
    "before the clocks run": (BLITZ, "e2e4", "w", 10**6, 0, "conflict"),
    "without a clock": (None, "e2e4 e7e5", "b", 10**6, 0, "conflict"),
}


@pytest.mark.parametrize(("tc", "moves", "by", "late_ms", "ceiling_ms", "code"), FLAG_CLAIMS.values(), ids=FLAG_CLAIMS)
def test_flag_can_be_claimed_after_it_has_fallen(
    tc: TimeControl | None, moves: str, by: Color, late_ms: int, ceiling_ms: int, code: str | None
) -> None:
    scene = Scene(tc, moves=moves)
    running = scene.game.clock is not None and scene.game.clock.run is not None
    after_ms = late_ms + (scene.flag_in_ms if running else 0)
    command = c.ClaimFlag(by=by, ceiling_ms=ceiling_ms)
    if code is not None:
        scene.refused(command, code, after_ms)
        assert scene.game.status != "over"
        return
    scene.do(command, after_ms)
    assert scene.end == ("0-1", "timeout")
    scene.refused(command, "game_over")


def test_flag_cannot_be_claimed_while_the_clocks_are_held() -> None:
    scene = Scene(moves="e2e4 e7e5")
    assert scene.game.clock is not None
    held = scene.game.clock.hold("storage", scene.now_ms)
    scene.game = msgspec.structs.replace(scene.game, clock=held)
    scene.refused(c.ClaimFlag(by="b"), "conflict", 10**6)


# -- absence ----------------------------------------------------------------------------------------------------

# "a player who left can be claimed against after 40 s (bullet), 80 s (blitz), 120 s (slower), 10 s after saying
# goodbye; a reconnect stops that." Columns: control, moves, gone for ms, goodbye; then the refusal or None.
ABSENCES: dict[str, tuple[TimeControl | None, str, int, bool, str | None]] = {
    "bullet": (BULLET, "e2e4 e7e5", 40_000, False, None),
    "bullet, not yet": (BULLET, "e2e4 e7e5", 39_999, False, "conflict"),
    "blitz": (BLITZ, "e2e4 e7e5", 80_000, False, None),
    "blitz, not yet": (BLITZ, "e2e4 e7e5", 79_999, False, "conflict"),
    "slower": (RAPID, "e2e4 e7e5", 120_000, False, None),
    "slower, not yet": (CLASSICAL, "e2e4 e7e5", 119_999, False, "conflict"),
    "no clock": (None, "e2e4 e7e5", 120_000, False, None),
    "they said goodbye": (CLASSICAL, "e2e4 e7e5", 10_000, True, None),
    "just now": (CLASSICAL, "e2e4 e7e5", 9_999, True, "conflict"),
    "they are here": (BULLET, "e2e4 e7e5", -1, False, "conflict"),
    "on one's own move as well": (BULLET, "e2e4 e7e5 g1f3", 40_000, False, None),
    "not before both have moved": (BULLET, "e2e4", 10**6, True, "conflict"),
    "never with days a move": (DAYS, "e2e4 e7e5", 10**6, True, "conflict"),
}


@pytest.mark.parametrize(("tc", "moves", "gone_ms", "goodbye", "code"), ABSENCES.values(), ids=ABSENCES)
@pytest.mark.parametrize("by", ["w", "b"])
@pytest.mark.parametrize("what", ["win", "draw"])
def test_long_absence_can_be_claimed(
    tc: TimeControl | None,
    moves: str,
    gone_ms: int,
    goodbye: bool,
    code: str | None,
    by: Color,
    what: Literal["win", "draw"],
) -> None:
    scene = Scene(tc, moves=moves)
    command = c.ClaimLeft(by=by, what=what, gone_ms=gone_ms, goodbye=goodbye)
    if code is not None:
        scene.refused(command, code)
        return
    scene.do(command)
    won = "1-0" if by == "w" else "0-1"
    assert scene.end == (won if what == "win" else "1/2-1/2", "abandoned")
    scene.refused(command, "game_over")


@pytest.mark.parametrize(("by", "result"), [("w", "1-0"), ("b", "1/2-1/2")], ids=["can win", "cannot win"])
def test_player_without_mating_chances_claims_only_a_draw(by: Color, result: str) -> None:
    scene = Scene(fen=LONE_BLACK_KING, moves="e1d1 e5e6")
    assert scene.game.turn == "w"
    scene.do(c.ClaimLeft(by=by, what="win", gone_ms=80_000))
    assert scene.end == (result, "abandoned")
