"""Clocks: every mode as a table of cases (Laws, Article 6)."""

from __future__ import annotations

import pytest

from game_core.clock import Clock
from game_core.color import COLORS, Color, Pair
from game_core.events import ClockReading
from game_core.time_control import Period, TimeControl

MINUTE = 60_000
DAY = 86_400_000

SUDDEN = TimeControl((Period(None, 5 * MINUTE),))
FISCHER = TimeControl((Period(None, 3 * MINUTE, 2_000),))
DELAY = TimeControl((Period(None, 5 * MINUTE),), delay_ms=3_000)
BRONSTEIN = TimeControl((Period(None, 5 * MINUTE),), bronstein_ms=3_000)
CLASSICAL = TimeControl((Period(40, 120 * MINUTE), Period(None, 60 * MINUTE)))
DAYS = TimeControl(days=3)


def clock(control: TimeControl, left: int = MINUTE, *, moves: Pair[int] = (0, 0), period: Pair[int] = (0, 0)) -> Clock:
    """White to move since 10,000 with ``left`` ms; Black has five minutes."""
    return Clock(control, (left, 5 * MINUTE), period, moves).start("w", 10_000)


STARTS: dict[str, tuple[TimeControl, int, int]] = {
    # online starts from the base (section 3); fide and uscf add the increment before move 1 too.
    "sudden death": (SUDDEN, 5 * MINUTE, 5 * MINUTE),
    "increment": (FISCHER, 3 * MINUTE, 3 * MINUTE + 2_000),
    "a base of 0 starts from one increment": (TimeControl((Period(None, 0, 5_000),)), 5_000, 5_000),
    "the first of several periods": (CLASSICAL, 120 * MINUTE, 120 * MINUTE),
    "a first period of increments only": (
        TimeControl((Period(40, 0, 5_000), Period(None, MINUTE))),
        5_000,
        5_000,
    ),
    "a delay is not on the clock": (DELAY, 5 * MINUTE, 5 * MINUTE),
    "nor is a Bronstein delay": (BRONSTEIN, 5 * MINUTE, 5 * MINUTE),
    "days": (DAYS, 3 * DAY, 3 * DAY),
}


@pytest.mark.parametrize(("control", "online", "fide"), STARTS.values(), ids=STARTS)
def test_clocks_are_stopped_at_the_start(control: TimeControl, online: int, fide: int) -> None:
    new = Clock.new(control)
    assert new.left == (online, online)
    assert Clock.new(control, first_increment=True).left == (fide, fide)
    assert new.run is None
    assert [new.left_ms(color, 10**9) for color in COLORS] == [online, online]


# One move of a side that has a minute. Columns: control, time until the move was received, of it lag; then what the
# clock shows when the move is received, what it shows after it, and the time used.
MOVES: dict[str, tuple[TimeControl, int, int, int, int, int]] = {
    "sudden death: no addition": (SUDDEN, 4_000, 0, 56_000, 56_000, 4_000),
    "at once": (SUDDEN, 0, 0, 60_000, 60_000, 0),
    "lag is not charged": (SUDDEN, 4_000, 150, 56_000, 56_150, 3_850),
    "lag is forgiven no further than to nothing": (SUDDEN, 100, 150, 59_900, 60_000, 0),
    "the last millisecond": (SUDDEN, 59_999, 0, 1, 1, 59_999),
    "past zero, but for the lag": (SUDDEN, 60_100, 101, 0, 1, 59_999),
    "time that was not there is not charged": (SUDDEN, 70_000, 0, 0, 0, 70_000),
    "received before the clock was started": (SUDDEN, -30, 0, 60_000, 60_000, 0),
    "increment is added (6.2)": (FISCHER, 4_000, 0, 56_000, 58_000, 4_000),
    "increment accumulates": (FISCHER, 500, 0, 59_500, 61_500, 500),
    "increment in the last millisecond": (FISCHER, 59_999, 0, 1, 2_001, 59_999),
    "increment and lag": (FISCHER, 500, 60, 59_500, 61_560, 440),
    "delay: within it nothing is charged (6.2)": (DELAY, 2_000, 0, 60_000, 60_000, 2_000),
    "delay: none of it used, and it is lost": (DELAY, 0, 0, 60_000, 60_000, 0),
    "delay: to its last millisecond": (DELAY, 3_000, 0, 60_000, 60_000, 3_000),
    "delay: past it by a millisecond": (DELAY, 3_001, 0, 59_999, 59_999, 3_001),
    "delay: the main time after it (6.2)": (DELAY, 4_000, 0, 59_000, 59_000, 4_000),
    "delay: lag comes off the time used": (DELAY, 4_000, 400, 59_000, 59_400, 3_600),
    "delay: lag brings the move into it": (DELAY, 3_200, 400, 59_800, 60_000, 2_800),
    "delay and all of the minute": (DELAY, 62_999, 0, 1, 1, 62_999),
    "Bronstein: the time used comes back": (BRONSTEIN, 2_000, 0, 58_000, 60_000, 2_000),
    "Bronstein: at most the delay": (BRONSTEIN, 4_000, 0, 56_000, 59_000, 4_000),
    "Bronstein: exactly the delay": (BRONSTEIN, 3_000, 0, 57_000, 60_000, 3_000),
    "Bronstein: never more than was used": (BRONSTEIN, 0, 0, 60_000, 60_000, 0),
    "Bronstein: lag is neither charged nor given back": (BRONSTEIN, 4_000, 400, 56_000, 59_400, 3_600),
    "Bronstein: in the last millisecond": (BRONSTEIN, 59_999, 0, 1, 3_001, 59_999),
    "Bronstein: never above what it was": (
        TimeControl(BRONSTEIN.periods, bronstein_ms=180_000),
        70_000,
        0,
        0,
        60_000,
        70_000,
    ),
    "days: anew for the next move": (DAYS, 50_000, 0, 10_000, 3 * DAY, 50_000),
}


@pytest.mark.parametrize(("control", "elapsed", "lag", "shown", "after", "used"), MOVES.values(), ids=MOVES)
def test_move_is_charged_and_credited_by_the_table(
    control: TimeControl, elapsed: int, lag: int, shown: int, after: int, used: int
) -> None:
    running = Clock(control, (MINUTE, MINUTE), run="w", since_ms=10_000)
    now_ms = 10_000 + elapsed
    assert running.left_ms("w", now_ms) == shown
    pressed, spent_ms = running.press(now_ms, lag)
    assert spent_ms == used
    assert pressed.left == (after, MINUTE)
    assert pressed.run is None
    assert pressed.reading(now_ms + 5_000) == ClockReading(after, MINUTE)


@pytest.mark.parametrize(("control", "elapsed", "lag", "shown", "after", "used"), MOVES.values(), ids=MOVES)
def test_move_costs_both_sides_the_same(
    control: TimeControl, elapsed: int, lag: int, shown: int, after: int, used: int
) -> None:
    running = Clock(control, (MINUTE, MINUTE), run="b", since_ms=10_000)
    now_ms = 10_000 + elapsed
    assert running.reading(now_ms).b == shown
    pressed, spent_ms = running.press(now_ms, lag)
    assert (pressed.left, spent_ms) == ((MINUTE, after), used)


def test_only_a_running_clock_is_pressed() -> None:
    with pytest.raises(AssertionError, match="only a running clock"):
        Clock.new(SUDDEN).press(0)


# Flag fall is the expiry of the time allotted (6.1). Columns: control, time left; then when it is zero, from the start.
FLAGS: dict[str, tuple[TimeControl, int, int]] = {
    "sudden death": (SUDDEN, 60_000, 60_000),
    "one millisecond left": (SUDDEN, 1, 1),
    "nothing left": (SUDDEN, 0, 0),
    "an increment comes only with the move": (FISCHER, 60_000, 60_000),
    "a delay is waited for": (DELAY, 60_000, 63_000),
    "a delay is waited for even with a millisecond": (DELAY, 1, 3_001),
    "Bronstein gives back, it does not wait": (BRONSTEIN, 60_000, 60_000),
    "Bronstein with less than the delay": (BRONSTEIN, 1_000, 1_000),
    "moves missed: the next period's time does not come (6.3)": (CLASSICAL, 60_000, 60_000),
    "days, all anew": (DAYS, 3 * DAY, 3 * DAY),
}


@pytest.mark.parametrize(("control", "left", "after"), FLAGS.values(), ids=FLAGS)
def test_flag_falls_at_zero_and_not_before(control: TimeControl, left: int, after: int) -> None:
    running = clock(control, left)
    flag_at = 10_000 + after
    assert running.flag_at_ms() == flag_at
    assert not running.is_flagged(flag_at - 1)
    assert running.is_flagged(flag_at)
    assert running.left_ms("w", flag_at) == 0


def test_flag_fall_waits_for_the_lag_allowance() -> None:
    running = clock(SUDDEN, 1_000)
    assert not running.is_flagged(11_249, allowance_ms=250)
    assert running.is_flagged(11_250, allowance_ms=250)
    assert running.left_ms("w", 11_249) == 0


def test_stopped_clock_has_no_flag_fall() -> None:
    for standing in (Clock.new(SUDDEN), clock(SUDDEN, 1).hold("restart", 10_000)):
        assert standing.flag_at_ms() is None
        assert not standing.is_flagged(10**9)


def test_only_the_side_to_move_runs() -> None:
    running = clock(SUDDEN)
    assert running.left_ms("w", 12_500) == 57_500
    assert running.left_ms("b", 12_500) == 5 * MINUTE
    assert running.reading(12_500) == ClockReading(57_500, 5 * MINUTE, "w")
    turned = running.press(12_500)[0].start("b", 12_600)
    assert turned.reading(13_600) == ClockReading(57_500, 5 * MINUTE - 1_000, "b")


def test_time_between_a_move_and_its_sending_is_not_charged() -> None:
    turned = clock(SUDDEN).press(11_000)[0].start("b", 11_800)
    assert turned.reading(11_500) == ClockReading(59_000, 5 * MINUTE, "b")


@pytest.mark.parametrize(
    ("now_ms", "elapsed"), [(10_000, 0), (10_001, 1), (9_999, 0), (0, 0), (-5, 0), (70_000, 60_000)]
)
def test_elapsed_time_is_never_negative(now_ms: int, elapsed: int) -> None:
    running = clock(SUDDEN)
    assert running.elapsed_ms(now_ms) == elapsed
    assert Clock.new(SUDDEN).elapsed_ms(now_ms) == 0
    assert running.hold("stall", 10_000).elapsed_ms(now_ms) == 0


@pytest.mark.parametrize(
    ("now_ms", "delay_left"), [(9_000, 3_000), (10_000, 3_000), (12_000, 1_000), (13_000, 0), (14_000, 0)]
)
def test_remaining_delay_is_shown(now_ms: int, delay_left: int) -> None:
    assert clock(DELAY).delay_left_ms(now_ms) == delay_left
    assert clock(BRONSTEIN).delay_left_ms(now_ms) == 0
    assert Clock.new(DELAY).delay_left_ms(now_ms) == 0


# A move of 2 s, a hold of an hour, then ``more``. Columns: control, more; then what is left when held, of the delay
# too, and after the move.
HOLDS: dict[str, tuple[TimeControl, int, int, int, int]] = {
    "sudden death": (SUDDEN, 3_000, 58_000, 0, 55_000),
    "increment": (FISCHER, 3_000, 58_000, 0, 57_000),
    "in the middle of a delay, moved within it": (DELAY, 900, 60_000, 1_000, 60_000),
    "in the middle of a delay, moved after it": (DELAY, 1_500, 60_000, 1_000, 59_500),
    "Bronstein, moved within the delay": (BRONSTEIN, 900, 58_000, 0, 60_000),
    "Bronstein, moved after it": (BRONSTEIN, 1_500, 58_000, 0, 59_500),
    "after a delay of a second": (TimeControl(DELAY.periods, delay_ms=1_000), 1_500, 59_000, 0, 57_500),
    "after a Bronstein delay of a second": (TimeControl(DELAY.periods, bronstein_ms=1_000), 1_500, 58_000, 0, 57_500),
}


@pytest.mark.parametrize(("control", "more", "held_left", "delay_left", "after"), HOLDS.values(), ids=HOLDS)
def test_held_time_is_not_charged(control: TimeControl, more: int, held_left: int, delay_left: int, after: int) -> None:
    held = clock(control).hold("restart", 12_000)
    later = 12_000 + 60 * MINUTE
    assert held.held == "restart"
    assert held.run == "w"
    assert held.left_ms("w", later) == held_left
    assert held.delay_left_ms(later) == delay_left
    resumed = held.resume(later)
    assert resumed.held is None
    assert resumed.left_ms("w", later) == held_left
    pressed, used = resumed.press(later + more)
    assert pressed.left[0] == after
    assert used == more


@pytest.mark.parametrize(("control", "more", "held_left", "delay_left", "after"), HOLDS.values(), ids=HOLDS)
def test_second_hold_changes_only_the_reason(
    control: TimeControl, more: int, held_left: int, delay_left: int, after: int
) -> None:
    held = clock(control).hold("stall", 12_000).hold("restart", 20_000)
    assert held.held == "restart"
    assert held.left_ms("w", 20_000) == held_left
    assert held.resume(30_000).press(30_000 + more)[0].left[0] == after


def test_move_ends_a_hold() -> None:
    pressed, used = clock(FISCHER).hold("restart", 12_000).press(50_000)
    assert used == 0
    assert pressed.left[0] == 60_000
    assert pressed.held is None


def test_stopped_clock_can_be_held_before_the_start() -> None:
    held = Clock.new(SUDDEN).hold("stall", 1_000)
    assert held.left == (5 * MINUTE, 5 * MINUTE)
    started = held.start("w", 2_000)
    assert started.left_ms("w", 9_000) == 5 * MINUTE
    assert started.resume(9_000).left_ms("w", 10_000) == 5 * MINUTE - 1_000


def test_resuming_a_running_clock_changes_nothing() -> None:
    running = clock(SUDDEN)
    assert running.resume(15_000) is running


def test_clock_that_ran_out_before_a_hold_stays_flagged() -> None:
    resumed = clock(SUDDEN, 1_000).hold("stall", 11_500).resume(20_000)
    assert resumed.is_flagged(20_000)


def test_end_of_the_game_stops_the_clocks() -> None:
    assert clock(SUDDEN).stop(12_500) == Clock(SUDDEN, (57_500, 5 * MINUTE))
    assert clock(SUDDEN).hold("stall", 12_500).stop(20_000) == Clock(SUDDEN, (57_500, 5 * MINUTE))
    assert Clock.new(SUDDEN).stop(12_500) == Clock.new(SUDDEN)


@pytest.mark.parametrize(
    ("color", "ms", "white", "black"),
    [
        ("w", 15_000, 73_000, 5 * MINUTE),
        ("b", 15_000, 58_000, 5 * MINUTE + 15_000),
        ("w", -15_000, 43_000, 5 * MINUTE),
        ("w", -70_000, 0, 5 * MINUTE),
        ("b", -6 * MINUTE, 58_000, 0),
    ],
)
def test_time_can_be_added_and_removed_while_the_clock_runs(color: Color, ms: int, white: int, black: int) -> None:
    given = clock(SUDDEN).give(color, ms)
    assert given.reading(12_000) == ClockReading(white, black, "w")
    assert given.elapsed_ms(12_000) == 2_000


def test_time_given_during_a_delay_keeps_the_delay() -> None:
    given = clock(DELAY).give("w", 1_000)
    assert given.delay_left_ms(12_000) == 1_000
    assert given.flag_at_ms() == 10_000 + 3_000 + 61_000


def test_time_given_after_a_hold_keeps_the_remaining_delay() -> None:
    resumed = clock(DELAY).hold("stall", 12_000).resume(20_000)
    assert resumed.give("w", 1_000).delay_left_ms(20_000) == 1_000


def test_every_turn_begins_with_the_full_delay() -> None:
    held = clock(DELAY).hold("stall", 12_000)
    assert held.start("b", 20_000).resume(20_000).delay_left_ms(20_000) == 3_000


def test_time_given_to_a_held_clock_is_kept() -> None:
    given = clock(SUDDEN).hold("pause", 12_000).give("w", 5_000)
    assert given.held == "pause"
    assert given.left_ms("w", 90_000) == 63_000


def test_every_correspondence_turn_begins_with_the_full_days() -> None:
    first, used = Clock.new(DAYS).start("w", 0).press(2 * DAY)
    assert used == 2 * DAY
    assert first.left == (3 * DAY, 3 * DAY)
    second = first.start("b", 2 * DAY)
    assert second.left_ms("b", 3 * DAY) == 2 * DAY
    # Taken back before Black moved: the turn is White's again, and so is its time.
    assert second.stop(3 * DAY).start("w", 3 * DAY).start("b", 4 * DAY).left_ms("b", 4 * DAY) == 3 * DAY


def test_days_given_to_the_waiting_side_are_kept_for_its_turn() -> None:
    assert clock(DAYS).give("b", DAY).start("b", 0).left_ms("b", 0) == 3 * DAY
    assert Clock.new(DAYS).give("b", DAY).start("b", 0).left_ms("b", 0) == 4 * DAY


READINGS: dict[str, tuple[Clock, ClockReading]] = {
    "standing": (Clock.new(FISCHER), ClockReading(3 * MINUTE, 3 * MINUTE)),
    "running": (clock(FISCHER), ClockReading(58_000, 5 * MINUTE, "w")),
    "in a delay": (clock(DELAY), ClockReading(60_000, 5 * MINUTE, "w", spent=2_000)),
    "in a Bronstein delay": (clock(BRONSTEIN), ClockReading(58_000, 5 * MINUTE, "w", spent=2_000)),
    "past a delay": (
        clock(TimeControl(DELAY.periods, delay_ms=500)),
        ClockReading(58_500, 5 * MINUTE, "w", spent=500),
    ),
    "held": (clock(DELAY).hold("pause", 10_500), ClockReading(60_000, 5 * MINUTE, "w", held="pause", spent=500)),
    "several periods": (
        clock(CLASSICAL, moves=(40, 39), period=(1, 0)),
        ClockReading(58_000, 5 * MINUTE, "w", period=(1, 0), moves=(40, 39)),
    ),
    "a period that repeats": (
        Clock.new(TimeControl((Period(40, MINUTE),))).count("w"),
        ClockReading(60_000, 60_000, period=(0, 0), moves=(1, 0)),
    ),
    "days": (Clock.new(DAYS).start("b", 10_000), ClockReading(3 * DAY, 3 * DAY - 2_000, "b")),
    "past zero": (clock(SUDDEN, 1_999), ClockReading(0, 5 * MINUTE, "w")),
}


@pytest.mark.parametrize(("seen", "reading"), READINGS.values(), ids=READINGS)
def test_clock_reading_round_trips(seen: Clock, reading: ClockReading) -> None:
    assert seen.reading(12_000) == reading
    restored = Clock.from_reading(seen.control, reading, 12_000)
    assert restored.reading(12_000) == reading
    assert restored.reading(12_700) == seen.reading(12_700)


def test_clock_runs_unless_it_is_stopped_or_held() -> None:
    running = clock(SUDDEN)
    assert running.is_running
    assert not running.stop(11_000).is_running
    assert not running.hold("restart", 11_000).is_running


def test_time_control_in_days_is_correspondence() -> None:
    days = Clock.new(TimeControl(days=3))
    assert not days.is_correspondence
    assert days.start("w", 0).is_correspondence
    assert not Clock.new(TimeControl(days=3), SUDDEN).start("b", 0).is_correspondence
