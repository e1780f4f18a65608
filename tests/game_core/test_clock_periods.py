"""Clocks of several periods: moves to make, time that carries, moves counted and taken back (Articles 6.2, 6.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core.clock import Clock
from game_core.time_control import Period, TimeControl

if TYPE_CHECKING:
    from game_core.color import Color, Pair

MINUTE = 60_000

CLASSICAL = TimeControl((Period(40, 120 * MINUTE), Period(None, 60 * MINUTE)))


def clock(control: TimeControl, left: int = MINUTE, *, moves: Pair[int] = (0, 0), period: Pair[int] = (0, 0)) -> Clock:
    """White to move since 10,000 with ``left`` ms; Black has five minutes."""
    return Clock(control, (left, 5 * MINUTE), period, moves).start("w", 10_000)


# 40 moves in 2 h, then 1 h. White is about to make the move after ``made``; columns: made, left, time used; then left
# after it, period, moves to go.
PERIODS: dict[str, tuple[int, int, int, int, int, int | None]] = {
    "the first move": (0, 120 * MINUTE, 60_000, 119 * MINUTE, 0, 39),
    "move 39 does not end the period": (38, 10 * MINUTE, 60_000, 9 * MINUTE, 0, 1),
    "move 40 ends it; unused time carries (6.2)": (39, 10 * MINUTE, 60_000, 69 * MINUTE, 1, None),
    "move 40 in the last millisecond": (39, 1_000, 999, 60 * MINUTE + 1, 1, None),
}


@pytest.mark.parametrize(("made", "left", "used", "after", "period", "to_go"), PERIODS.values(), ids=PERIODS)
def test_period_ends_with_its_last_move(
    made: int, left: int, used: int, after: int, period: int, to_go: int | None
) -> None:
    pressed, _ = clock(CLASSICAL, left, moves=(made, made)).press(10_000 + used)
    assert pressed.left == (after, 5 * MINUTE)
    assert pressed.period == (period, 0)
    assert pressed.moves == (made + 1, made)
    assert CLASSICAL.moves_to_go(period, made + 1) == to_go


def test_each_side_has_its_own_period() -> None:
    running = clock(CLASSICAL, moves=(40, 39), period=(1, 0)).press(10_000)[0].start("b", 10_000)
    pressed, _ = running.press(10_000)
    assert pressed.period == (1, 1)
    assert pressed.moves == (41, 40)
    assert pressed.left == (MINUTE, 65 * MINUTE)


def test_each_period_has_its_own_increment() -> None:
    # Move 2 still earns the first period's increment, move 3 the second's.
    control = TimeControl((Period(2, 10_000, 1_000), Period(1, 20_000, 2_000), Period(None, 40_000, 4_000)))
    running, shown = Clock.new(control), []
    for _ in range(4):
        running, _ = running.start("w", 0).press(500)
        shown.append(running.left[0])
    assert shown == [10_500, 10_500 + 500 + 20_000, 31_000 + 1_500 + 40_000, 72_500 + 3_500]
    assert running.period == (2, 0)


def test_delay_is_the_same_in_all_periods() -> None:
    control = TimeControl((Period(1, 10_000), Period(None, 20_000)), delay_ms=5_000)
    first, _ = Clock.new(control).start("w", 0).press(1_000)
    assert first.left[0] == 30_000
    second = first.start("w", 10_000)
    assert second.delay_left_ms(10_000) == 5_000
    assert second.press(16_000)[0].left[0] == 29_000


def test_last_period_with_moves_repeats() -> None:
    control = TimeControl((Period(2, 10_000), Period(1, 3_000)))
    running, seen = Clock.new(control), []
    for _ in range(4):
        running, _ = running.start("b", 0).press(1_000)
        seen.append((running.left[1], running.period[1]))
    assert seen == [(9_000, 0), (11_000, 1), (13_000, 2), (15_000, 3)]


def test_free_first_move_counts_without_increment() -> None:
    control = TimeControl((Period(2, 10_000, 1_000), Period(None, 20_000)))
    counted = Clock.new(control).count("w")
    assert counted.moves == (1, 0)
    assert counted.left == (10_000, 10_000)
    assert counted.start("w", 0).press(0)[0].left == (31_000, 10_000)


def test_free_move_can_end_a_period() -> None:
    counted = Clock.new(TimeControl((Period(1, 10_000), Period(None, 20_000)))).count("b")
    assert counted.left == (10_000, 30_000)
    assert counted.period == (0, 1)


def test_moves_counted_at_once_pass_all_their_periods() -> None:
    # An arbiter who sets the clocks sets the move counter too (6.13).
    control = TimeControl((Period(2, 10_000), Period(3, 20_000), Period(None, 40_000)))
    counted = clock(control, 10_000).count("w", 5)
    assert counted.left == (70_000, 5 * MINUTE)
    assert counted.period == (2, 0)
    assert (counted.run, counted.since_ms) == ("w", 10_000)


def test_moves_are_counted_only_for_periods() -> None:
    for control in (TimeControl((Period(None, MINUTE, 2_000),)), TimeControl(days=3)):
        assert Clock.new(control).count("w").moves == (0, 0)
        assert Clock.new(control).uncount(3, last="b").moves == (0, 0)


@pytest.mark.parametrize(
    ("plies", "last", "moves"),
    [(1, "w", (9, 10)), (1, "b", (10, 9)), (2, "w", (9, 9)), (3, "b", (9, 8)), (4, "b", (8, 8))],
)
def test_moves_taken_back_count_again_when_played(plies: int, last: Color, moves: Pair[int]) -> None:
    assert clock(CLASSICAL, moves=(10, 10)).stop(10_000).uncount(plies, last=last).moves == moves


def test_period_is_added_once_despite_takebacks() -> None:
    reached, _ = clock(CLASSICAL, moves=(39, 39)).press(10_000)
    back = reached.uncount(1, last="w")
    assert back.left == reached.left == (61 * MINUTE, 5 * MINUTE)
    again, _ = back.start("w", 10_000).press(10_000)
    assert again == reached
