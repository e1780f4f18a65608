"""How a robot spends its time, answers offers and gives up."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robots.levels import WIN
from robots.playing.behaviour import (
    CORRESPONDENCE_S,
    LONGEST_S,
    QUICK_S,
    UNTIMED_S,
    accepts_draw,
    claims_draw,
    clock_s,
    is_recapture,
    offers_draw,
    resigns,
    step_s,
    thinking_time,
)

BLITZ = {"base_s": 300, "inc_s": 3}


@given(st.floats(0, 10_800), st.integers(0, 180), st.integers(0, 300), st.floats(0, 1), st.integers())
def test_no_move_takes_a_large_part_of_the_clock(
    left_s: float, step: int, ply: int, difficulty: float, seed: int
) -> None:
    chance = Random(seed)
    time = thinking_time({"base_s": 60, "inc_s": step}, left_s, ply, chance)
    spent_s = time.of(difficulty, is_obvious=False, chance=chance)
    assert 0 <= spent_s <= min(left_s * 0.1 + 0.4 * step, LONGEST_S)


@given(st.integers())
def test_flag_never_falls_with_a_second_of_increment(seed: int) -> None:
    chance, left_s = Random(seed), 3.0
    for ply in range(0, 400, 2):
        time = thinking_time({"base_s": 60, "inc_s": 1}, left_s, ply, chance)
        left_s += 1 - time.of(1, is_obvious=False, chance=chance) - 0.2  # a slow machine and network
        assert left_s > 0.5


def test_move_of_medium_difficulty_takes_one_to_three_hundredths_of_the_clock() -> None:
    for seed in range(100):
        chance = Random(seed)
        time = thinking_time({"base_s": 300}, 300.0, 30, chance)
        assert 3 <= time.of(0.5, is_obvious=False, chance=chance) <= 9
        assert QUICK_S[0] <= time.of(0.5, is_obvious=True, chance=chance) <= QUICK_S[1]


def test_hard_moves_take_longer() -> None:
    time = thinking_time(BLITZ, 200.0, 30, Random(1))
    assert time.of(0.0, is_obvious=False, chance=Random(1)) < time.of(1.0, is_obvious=False, chance=Random(1))


def test_games_without_a_clock_and_with_days() -> None:
    for seed in range(100):
        chance = Random(seed)
        untimed = thinking_time(None, None, 30, chance)
        assert UNTIMED_S[0] <= untimed.wanted_s <= UNTIMED_S[1]
        days = thinking_time({"days": 3}, 259_200.0, 30, chance)
        assert days.of(1.0, is_obvious=False, chance=chance) <= CORRESPONDENCE_S[1] < 3600


@pytest.mark.parametrize(
    ("control", "step", "total"),
    [
        (None, 0, None),
        ({"days": 3}, 0, None),
        ({"base_s": 180, "inc_s": 2}, 2, 260),
        ({"base_s": 180, "delay_s": 3}, 3, 300),
        ({"base_s": 180, "bronstein_s": 1}, 1, 220),
        ({"periods": [{"moves": 40, "base_s": 5400, "inc_s": 30}, {"base_s": 1800, "inc_s": 30}]}, 30, 8400),
    ],
)
def test_estimated_time_is_the_base_and_forty_increments(
    control: dict[str, object] | None, step: float, total: float | None
) -> None:
    assert clock_s(control) == total
    if total is not None and control is not None:
        assert step_s(control) == step


@pytest.mark.parametrize(
    ("last", "notation", "move", "expected"),
    [
        ("e4d5", "exd5", "d8d5", True),
        ("e4d5", "exd5", "g8f6", False),
        ("e2e4", "e4", "d5e4", False),
        ("28x19", "28x19", "24x13", True),
        ("28x19", "28x19", "20-25", False),
    ],
)
def test_recaptures_are_obvious(last: str, notation: str, move: str, expected: bool) -> None:
    assert is_recapture(last, notation, move) is expected


def test_draws_are_accepted_late_and_when_not_better() -> None:
    assert accepts_draw(0, 60)
    assert accepts_draw(-300, 60)
    assert not accepts_draw(200, 60)
    assert not accepts_draw(0, 10)
    assert not accepts_draw(None, 60)
    assert claims_draw(-50)
    assert not claims_draw(80)


def test_draws_are_offered_in_dull_games_only() -> None:
    assert offers_draw([0] * 10, 120, 60)
    assert not offers_draw([0] * 10, 120, 5)
    assert not offers_draw([0] * 10, 40, 60)
    assert not offers_draw([0] * 9 + [200], 120, 60)
    assert not offers_draw([0], 120, 60)


def test_robots_resign_only_what_is_lost_for_long() -> None:
    assert resigns("chess", "standard", 6, [-1000] * 4)
    assert not resigns("chess", "standard", 2, [-1000] * 4)
    assert not resigns("chess", "standard", 6, [-1000] * 3)
    assert not resigns("chess", "standard", 6, [-1000, -1000, -100, -1000])
    assert not resigns("chess", "antichess", 8, [-1000] * 9)
    assert not resigns("draughts", "international", 6, [-651] * 4), "two kings hold against four"
    assert not resigns("draughts", "losing-english", 6, [-543] * 4)
    assert resigns("draughts", "international", 6, [-WIN] * 4)
    assert not resigns("chinese-checkers", "fifteen", 8, [-5000] * 9)
