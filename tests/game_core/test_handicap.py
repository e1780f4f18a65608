"""Different times for the two sides: each clock runs as if both had its control."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core import commands as c
from game_core import lag
from game_core.clock import Clock
from game_core.color import COLORS, Color, of, other
from game_core.events import ClockReading, ClockSet, Moved
from game_core.game import Setup
from game_core.replay import replay_events
from game_core.start import new_game
from game_core.time_control import DAY_MS, Period, TimeControl, slower
from tests.game_core.scene import BLITZ, BRONSTEIN, BULLET, CLASSICAL, DAYS, DELAY, RAPID, TWO_MOVES, Scene
from tests.game_core.test_clock_invariants import controls, courses


def handicap(white: TimeControl, black: TimeControl, moves: str = "") -> Scene:
    """A game in which the sides play by different controls."""
    return Scene(white, black_tc=black, moves=moves)


@given(controls(), controls(), courses, st.booleans())
def test_each_side_is_charged_by_its_own_control(
    white: TimeControl, black: TimeControl, course: list[tuple[list[int], int, int]], rebuild: bool
) -> None:
    """Play a game on three clocks at once: both sides with the first control, both with the second, and each with its
    own."""
    now_ms, color = 0, COLORS[0]
    both, alone = Clock.new(white, black), {"w": Clock.new(white), "b": Clock.new(black)}
    both = both.start(color, now_ms)
    alone = {side: one.start(color, now_ms) for side, one in alone.items()}
    for thoughts, hold_ms, lag_ms in course:
        for number, thought_ms in enumerate(thoughts):
            if number:
                both, alone = both.hold("stall", now_ms), {s: one.hold("stall", now_ms) for s, one in alone.items()}
                now_ms += hold_ms
                both, alone = both.resume(now_ms), {s: one.resume(now_ms) for s, one in alone.items()}
            now_ms += thought_ms
        if rebuild:
            wire = msgspec.json.encode(both.reading(now_ms))
            both = Clock.from_reading(white, msgspec.json.decode(wire, type=ClockReading), now_ms, black)
            alone = {s: Clock.from_reading(one.control, one.reading(now_ms), now_ms) for s, one in alone.items()}
        mine = alone[color]
        assert both.delay_left_ms(now_ms) == mine.delay_left_ms(now_ms)
        assert both.flag_at_ms() == mine.flag_at_ms()
        assert both.is_flagged(now_ms, lag_ms) == mine.is_flagged(now_ms, lag_ms)
        pressed, used = both.press(now_ms, lag_ms)
        expected = {side: one.press(now_ms, lag_ms) for side, one in alone.items()}
        assert used == expected[color][1]
        both, color = pressed.start(other(color), now_ms), other(color)
        alone = {side: one.start(color, now_ms) for side, (one, _) in expected.items()}
        for side in COLORS:
            assert of(both.left, side) == of(alone[side].left, side)
            assert of(both.period, side) == of(alone[side].period, side)
            if alone[side].counts_moves:
                assert of(both.moves, side) == of(alone[side].moves, side)


def test_each_side_begins_with_its_own_time() -> None:
    assert Clock.new(RAPID, BLITZ).left == (900_000, 180_000)
    assert Clock.new(BLITZ, BLITZ, first_increment=True).left == (182_000, 182_000)
    assert Clock.new(DAYS, BLITZ).left == (3 * DAY_MS, 180_000)


def test_moves_are_shown_if_either_side_counts_them() -> None:
    for pair in ((BLITZ, TWO_MOVES), (TWO_MOVES, BLITZ)):
        reading = Clock.new(*pair).start("w", 0).reading(0)
        assert (reading.period, reading.moves) == ((0, 0), (0, 0))
    assert Clock.new(BLITZ, RAPID).start("w", 0).reading(0).period is None


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        (BLITZ, RAPID, RAPID),
        (RAPID, BLITZ, RAPID),
        (BLITZ, None, BLITZ),
        (None, None, None),
        (BLITZ, BLITZ, BLITZ),
    ],
)
def test_slower_of_two_time_controls(
    one: TimeControl | None, two: TimeControl | None, expected: TimeControl | None
) -> None:
    assert slower(one, two) == expected


def test_speed_of_a_game_follows_its_slower_side() -> None:
    assert Setup(id="g", tc=BULLET, black_tc=CLASSICAL).pace == CLASSICAL
    assert Setup(id="g", tc=BULLET).pace == BULLET
    # So both have the time for a first move that a classical game has.
    scene = handicap(BULLET, CLASSICAL)
    assert scene.do(c.Expire(), 29_000) == ()


def test_each_side_has_its_own_lag_quota() -> None:
    game = new_game(Setup(id="g", tc=BULLET, black_tc=CLASSICAL), 0)
    assert game.quota == (lag.start_quota(BULLET), lag.start_quota(CLASSICAL))
    assert new_game(Setup(id="g"), 0).quota == (0, 0)


def test_each_clock_of_a_game_runs_by_its_own_control() -> None:
    scene = handicap(DELAY, BLITZ, "e2e4 e7e5")
    (white,) = scene.do(scene.move("g1f3"), 5_000)
    assert isinstance(white, Moved)
    assert white.clock is not None
    assert (white.clock.w, white.clock.b) == (178_000, 180_000)
    (black,) = scene.do(scene.move("b8c6"), 5_000)
    assert isinstance(black, Moved)
    assert black.clock is not None
    assert (black.clock.w, black.clock.b) == (178_000, 177_000)
    replayed = replay_events(scene.fresh, scene.log, scene.now_ms)
    assert replayed == scene.game
    assert replayed.clock is not None
    assert replayed.clock.control_of("b") == BLITZ


def test_flag_of_the_side_with_less_time_falls_first() -> None:
    scene = handicap(CLASSICAL, BULLET, "e2e4 e7e5 g1f3")
    assert scene.do(c.Expire(), 60_000 + lag.CEILING_SLACK_MS)
    assert scene.end == ("1-0", "timeout")


@pytest.mark.parametrize("by", ["w", "b"])
def test_time_is_given_only_to_a_timed_side(by: Color) -> None:
    scene = handicap(DAYS, BRONSTEIN, "e2e4 e7e5")
    if by == "w":
        (event,) = scene.do(c.GiveTime(by="w", seconds=15))
        assert isinstance(event, ClockSet)
        assert event.clock.b == 195_000
    else:
        scene.refused(c.GiveTime(by="b", seconds=15), "conflict")


def test_takeback_restores_the_move_count_of_each_side() -> None:
    periods = TimeControl((Period(1, 60_000), Period(None, 30_000)))
    scene = handicap(periods, BLITZ, "e2e4 e7e5 g1f3 b8c6")
    scene.do(c.Takeback(by="w", do="offer"))
    scene.do(c.Takeback(by="b", do="accept"))
    clock = scene.game.clock
    assert clock is not None
    assert (clock.moves, clock.period, clock.run) == ((1, 0), (1, 0), "w")
