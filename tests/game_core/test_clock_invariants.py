"""Clock invariants for every control and any game, against a second model of the rules."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from game_core.clock import Clock
from game_core.color import COLORS, Color, of, other
from game_core.events import ClockReading
from game_core.time_control import Period, TimeControl

DAY = 86_400_000


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    """Any control, small enough that flags fall and periods end within a few moves."""
    kind = draw(st.sampled_from(["sudden", "fischer", "delay", "bronstein", "periods", "repeat", "days"]))
    base_ms = draw(st.integers(1, 20_000))
    step_ms = draw(st.integers(0, 5_000))
    if kind == "days":
        return TimeControl(days=draw(st.integers(1, 14)))
    if kind in ("periods", "repeat"):
        counted = st.builds(Period, st.integers(1, 3), st.integers(0, 20_000), st.integers(0, 5_000))
        first = tuple(draw(st.lists(counted, min_size=1, max_size=3)))
        delay_ms = draw(st.sampled_from([0, step_ms]))
        return TimeControl(first if kind == "repeat" else (*first, Period(None, base_ms, step_ms)), delay_ms=delay_ms)
    periods = (Period(None, base_ms, step_ms if kind == "fischer" else 0),)
    if kind == "delay":
        return TimeControl(periods, delay_ms=step_ms)
    return TimeControl(periods, bronstein_ms=step_ms if kind == "bronstein" else 0)


times = st.integers(0, 8_000)
# A move: the pieces of thinking between holds, how long each hold is, and the lag of its last piece.
thoughts = st.tuples(st.lists(times, min_size=1, max_size=3), times, st.integers(0, 300))
courses = st.lists(thoughts, min_size=1, max_size=12)


def expected_left(control: TimeControl, before: Clock, color: Color, used: int, left: int) -> int:
    """The rules of section 3 once more, on the whole of a move's time, in the words of the table there."""
    if control.days is not None:
        return control.days * DAY
    left -= max(0, used - control.delay_ms)
    left += min(used, control.bronstein_ms)
    index, made = of(before.period, color), of(before.moves, color) + 1
    left += control.period(index).inc_ms
    due = control.due_moves(index)
    while due is not None and made >= due:
        index += 1
        left += control.period(index).base_ms
        due = control.due_moves(index)
    return left


@given(controls(), courses, st.booleans())
def test_charges_follow_the_rules_despite_interruptions(
    control: TimeControl, course: list[tuple[list[int], int, int]], rebuild: bool
) -> None:
    now_ms, color, running = 0, COLORS[0], Clock.new(control)
    for pieces, pause_ms, lag_ms in course:
        before = running
        running = running.start(color, now_ms)
        for piece in pieces[:-1]:
            now_ms += piece
            running = running.hold("stall", now_ms)
            if rebuild:
                running = Clock.from_reading(control, running.reading(now_ms), now_ms)
            now_ms += pause_ms
            running = running.resume(now_ms)
            if running.is_flagged(now_ms):
                return
        now_ms += pieces[-1]
        if running.is_flagged(now_ms, lag_ms):
            return
        running, spent_ms = running.press(now_ms, lag_ms)
        used = sum(pieces[:-1]) + spent_ms
        assert spent_ms == max(0, pieces[-1] - lag_ms)
        assert of(running.left, color) == expected_left(control, before, color, used, of(before.left, color))
        assert of(running.left, other(color)) == of(before.left, other(color))
        color = other(color)


@given(controls(), times, st.lists(times, min_size=2, max_size=6), st.integers(0, 500))
def test_running_clock_only_decreases_and_flags_when_announced(
    control: TimeControl, since_ms: int, instants: list[int], allowance_ms: int
) -> None:
    running = Clock.new(control).start("b", since_ms)
    flag_at = running.flag_at_ms()
    assert flag_at is not None
    shown = [running.left_ms("b", now_ms) for now_ms in sorted(instants)]
    assert shown == sorted(shown, reverse=True)
    for now_ms in (*instants, flag_at - 1, flag_at, flag_at + allowance_ms):
        left = running.left_ms("b", now_ms)
        assert 0 <= left <= of(running.left, "b")
        assert of(running.left, "b") - left <= running.elapsed_ms(now_ms), "more charged than elapsed"
        assert running.is_flagged(now_ms) == (left == 0 and now_ms >= flag_at)
        assert running.is_flagged(now_ms, allowance_ms) == (now_ms - allowance_ms >= flag_at)
        assert running.left_ms("w", now_ms) == of(running.left, "w")


@given(controls(), times, times, st.integers(0, 2_000))
def test_move_within_its_lag_allowance_leaves_time(
    control: TimeControl, since_ms: int, elapsed: int, lag_ms: int
) -> None:
    running = Clock.new(control).start("w", since_ms)
    now_ms = since_ms + elapsed
    pressed, spent_ms = running.press(now_ms, lag_ms)
    assert 0 <= spent_ms <= elapsed
    assert of(pressed.left, "w") >= 0
    if not running.is_flagged(now_ms, lag_ms):
        assert of(pressed.left, "w") > 0


@given(controls(), st.lists(times, min_size=1, max_size=6), st.sampled_from(COLORS), times)
def test_clock_restored_from_any_reading_runs_on_equally(
    control: TimeControl, steps: list[int], color: Color, more: int
) -> None:
    now_ms = 0
    seen = restored = Clock.new(control).start(color, now_ms)
    for step in steps:
        now_ms += step
        wire = msgspec.json.encode(restored.reading(now_ms))
        restored = Clock.from_reading(control, msgspec.json.decode(wire, type=ClockReading), now_ms)
        assert restored.reading(now_ms) == seen.reading(now_ms)
        assert restored.delay_left_ms(now_ms) == seen.delay_left_ms(now_ms)
    assert restored.is_flagged(now_ms) == seen.is_flagged(now_ms)
    if not seen.is_flagged(now_ms + more):
        assert restored.flag_at_ms() == seen.flag_at_ms()
        assert restored.press(now_ms + more)[0] == seen.press(now_ms + more)[0]


@given(st.integers(1, 20_000), st.integers(0, 5_000), st.lists(times, min_size=1, max_size=12))
def test_bronstein_equals_simple_delay_until_a_flag_falls(base_ms: int, step_ms: int, course: list[int]) -> None:
    periods = (Period(None, base_ms),)
    delayed, given_back = (
        Clock.new(TimeControl(periods, delay_ms=step_ms)),
        Clock.new(TimeControl(periods, bronstein_ms=step_ms)),
    )
    for used in course:
        delayed, given_back = delayed.start("w", 0), given_back.start("w", 0)
        if given_back.is_flagged(used):
            return
        delayed, given_back = delayed.press(used)[0], given_back.press(used)[0]
        assert delayed.left == given_back.left
