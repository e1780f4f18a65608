"""Commands that change only the clocks: given time, pauses, resumption by the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from game_core import commands as c
from game_core.events import ClockReading, ClockSet
from game_core.time_control import Period, TimeControl
from tests.game_core.scene import BLITZ, BRONSTEIN, DAYS, DELAY, Scene

if TYPE_CHECKING:
    from game_core.color import Color

DAY_S = 86_400

# `moretime`: "gives the opponent time". If White's clock runs, they have thought for 5 s. Columns: control, moves, who
# gives, seconds; then the reading, or None where it is refused.
GIFTS: dict[str, tuple[TimeControl | None, str, Color, int, ClockReading | None]] = {
    "to the side that thinks": (BLITZ, "e2e4 e7e5", "b", 15, ClockReading(190_000, 180_000, "w")),
    "to the side that waits": (BLITZ, "e2e4 e7e5", "w", 15, ClockReading(175_000, 195_000, "w")),
    "before the clocks run": (BLITZ, "e2e4", "w", 15, ClockReading(180_000, 195_000)),
    "during a delay, which runs on": (DELAY, "e2e4 e7e5", "b", 1, ClockReading(179_000, 180_000, "w", spent=3_000)),
    "during Bronstein's": (BRONSTEIN, "e2e4 e7e5", "b", 1, ClockReading(176_000, 180_000, "w", spent=3_000)),
    "up to a day": (BLITZ, "e2e4 e7e5", "w", DAY_S - 180, ClockReading(175_000, DAY_S * 1000, "w")),
    "no more than a day": (BLITZ, "e2e4 e7e5", "w", DAY_S - 179, None),
    "of the time that is left, not of that there was": (
        BLITZ,
        "e2e4 e7e5",
        "b",
        DAY_S - 175,
        ClockReading(DAY_S * 1000, 180_000, "w"),
    ),
    "any number": (BLITZ, "e2e4 e7e5", "w", 10**30, None),
    "nothing": (BLITZ, "e2e4 e7e5", "w", 0, None),
    "less than nothing": (BLITZ, "e2e4 e7e5", "w", -15, None),
    "days a move have no time to give": (DAYS, "e2e4 e7e5", "w", 15, None),
    "no clock": (None, "e2e4 e7e5", "w", 15, None),
}


@pytest.mark.parametrize(("tc", "moves", "by", "seconds", "reading"), GIFTS.values(), ids=GIFTS)
def test_time_is_given_to_the_opponent(
    tc: TimeControl | None, moves: str, by: Color, seconds: int, reading: ClockReading | None
) -> None:
    scene = Scene(tc, moves=moves)
    command = c.GiveTime(by=by, seconds=seconds)
    if reading is None:
        scene.refused(command, "conflict", 5_000)
        return
    assert scene.do(command, 5_000) == (ClockSet(clock=reading, why="moretime", by=by),)
    assert (scene.left("w"), scene.left("b")) == (reading.w, reading.b)
    scene.do(c.Resign(by="w"))
    scene.refused(command, "game_over")


def test_given_time_can_be_used() -> None:
    scene = Scene(TimeControl((Period(None, 60_000),)), moves="e2e4 e7e5")
    scene.do(c.GiveTime(by="b", seconds=10), 59_999)
    scene.do(scene.move("g1f3"), 10_000)
    assert scene.left("w") == 1


def test_time_is_given_while_the_clocks_are_held() -> None:
    scene = Scene(pausable=True, moves="e2e4 e7e5")
    scene.do(c.Pause(by="w", on=True), 5_000)
    scene.do(c.GiveTime(by="b", seconds=15), 60_000)
    assert scene.log[-1] == ClockSet(clock=ClockReading(190_000, 180_000, "w", held="pause"), why="moretime", by="b")


# -- pauses -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["w", "b"])
@pytest.mark.parametrize(("moves", "run", "left"), [("", None, 180_000), ("e2e4 e7e5", "w", 175_000)])
def test_pause_stops_the_clocks_and_its_end_restarts_them(by: Color, moves: str, run: Color | None, left: int) -> None:
    scene = Scene(pausable=True, moves=moves)
    scene.refused(c.Pause(by=by, on=False), "conflict")
    assert scene.do(c.Pause(by=by, on=True), 5_000) == (
        ClockSet(clock=ClockReading(left, 180_000, run, held="pause"), why="pause", by=by),
    )
    scene.refused(c.Pause(by=by, on=True), "conflict")
    assert scene.do(c.Pause(by=by, on=False), 10**7) == (
        ClockSet(clock=ClockReading(left, 180_000, run), why="resumed", by=by),
    )


def test_delay_continues_after_a_pause() -> None:
    scene = Scene(DELAY, pausable=True, moves="e2e4 e7e5")
    scene.do(c.Pause(by="w", on=True), 2_000)
    scene.do(c.Pause(by="w", on=False), 10**7)
    scene.do(scene.move("g1f3"), 1_500)
    assert scene.left("w") == 179_500


PAUSES: dict[str, tuple[TimeControl | None, bool, str]] = {
    "a game between two people": (BLITZ, False, "forbidden"),
    "no clock": (None, True, "conflict"),
}


@pytest.mark.parametrize(("tc", "pausable", "code"), PAUSES.values(), ids=PAUSES)
def test_pause_is_refused_in_games_that_cannot_be_paused(tc: TimeControl | None, pausable: bool, code: str) -> None:
    scene = Scene(tc, pausable=pausable)
    scene.refused(c.Pause(by="w", on=True), code)


def test_pause_is_forbidden_before_it_is_game_over() -> None:
    for pausable, code in ((False, "forbidden"), (True, "game_over")):
        scene = Scene(pausable=pausable)
        scene.do(c.Resign(by="w"))
        scene.refused(c.Pause(by="w", on=True), code)


# -- the server's own -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "run"), [("", None), ("e2e4 e7e5", "w")])
def test_resume_ends_a_server_hold_and_announces_the_clock(moves: str, run: Color | None) -> None:
    scene = Scene(moves=moves)
    assert scene.game.clock is not None
    scene.game = msgspec.structs.replace(scene.game, clock=scene.game.clock.hold("storage", scene.now_ms))
    assert scene.do(c.Resume(), 10**7) == (ClockSet(clock=ClockReading(180_000, 180_000, run), why="resumed"),)
    assert scene.game.turn_since_ms == scene.now_ms, "the time for a first move begins anew"


def test_resume_announces_a_running_clock_unchanged() -> None:
    scene = Scene(moves="e2e4 e7e5")
    assert scene.do(c.Resume(), 5_000) == (ClockSet(clock=ClockReading(175_000, 180_000, "w"), why="resumed"),)
    assert scene.left("w") == 175_000


def test_paused_game_stays_paused_after_a_restart() -> None:
    scene = Scene(pausable=True, moves="e2e4 e7e5")
    scene.do(c.Pause(by="w", on=True))
    scene.do(c.Resume(), 10**7)
    assert scene.log[-1] == ClockSet(clock=ClockReading(180_000, 180_000, "w", held="pause"), why="resumed")
    scene.refused(scene.move("g1f3"), "conflict")


@pytest.mark.parametrize(("tc", "over"), [(None, False), (BLITZ, True)], ids=["no clock", "over"])
def test_resume_does_nothing_without_a_clock_or_after_the_end(tc: TimeControl | None, over: bool) -> None:
    scene = Scene(tc, moves="e2e4 e7e5")
    if over:
        scene.do(c.Resign(by="w"))
    assert scene.do(c.Resume()) == ()


def test_number_of_time_gifts_of_each_side_is_limited() -> None:
    s = Scene(moves="e2e4 e7e5")
    for _ in range(60):
        s.do(c.GiveTime(by="w", seconds=1))
    s.refused(c.GiveTime(by="w", seconds=1), "conflict")
    s.do(c.GiveTime(by="b", seconds=1))
    assert s.game.gifts == (60, 1)
