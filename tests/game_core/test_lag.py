"""Lag compensation: the design's formulas as tables, and its bounds for any sequence of moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core import lag
from game_core.time_control import parse_time_control

# g = min(1000, 150 + 4 x estimated seconds) ms.
GAINS: dict[str, tuple[object, int]] = {
    "15 s": ({"base_s": 15, "inc_s": 0}, 210),
    "1+0": ({"base_s": 60, "inc_s": 0}, 390),
    "2+1, estimated at 160 s": ({"base_s": 120, "inc_s": 1}, 790),
    "just under the most": ({"base_s": 212, "inc_s": 0}, 998),
    "just over it": ({"base_s": 213, "inc_s": 0}, 1000),
    "3+2": ({"base_s": 180, "inc_s": 2}, 1000),
    "a delay counts as an increment": ({"base_s": 60, "delay_s": 2}, 710),
    "40 in 2 h, then 1 h": ({"periods": [{"moves": 40, "base_s": 7200}, {"base_s": 3600}]}, 1000),
    "days": ({"days": 1}, 1000),
    "no clock": (None, 1000),
}


@pytest.mark.parametrize(("form", "gain"), GAINS.values(), ids=GAINS)
def test_longer_time_controls_have_a_larger_quota(form: object, gain: int) -> None:
    control = parse_time_control(form)
    assert lag.gain_ms(control) == gain
    assert lag.start_quota(control) == 3 * gain


# comp = min(claimed lag or else the ceiling, ceiling + 15, 1000, quota); quota = min(7 g, quota + g - comp).
# Columns: quota, g, claimed, ceiling; then comp, quota after. 1170 and 390: the start of 1+0.
CASES: dict[str, tuple[int, int, int | None, int, int, int]] = {
    "an honest claim is given": (1170, 390, 40, 50, 40, 1520),
    "no claim: the ceiling stands in": (1170, 390, None, 50, 50, 1510),
    "a claim of nothing is a claim": (1170, 390, 0, 50, 0, 1560),
    "a claim may pass the ceiling by 15 ms": (1170, 390, 65, 50, 65, 1495),
    "and by no more": (1170, 390, 66, 50, 65, 1495),
    "a forged claim gets the ceiling + 15": (1170, 390, 60_000, 50, 65, 1495),
    "nothing is known of the connection: 15 ms": (1170, 390, 400, 0, 15, 1545),
    "neither claimed nor known: nothing": (1170, 390, None, 0, 0, 1560),
    "a second a move at most": (7000, 1000, 3000, 3000, 1000, 7000),
    "no claim, a bad connection: a second": (3000, 1000, None, 2500, 1000, 3000),
    "no more than the quota": (200, 390, 900, 900, 200, 390),
    "an empty quota gives nothing": (0, 390, 900, 900, 0, 390),
    "and fills with the next good move": (390, 390, 0, 900, 0, 780),
    "the quota is capped at 7 g": (2700, 390, 10, 50, 10, 2730),
    "at the cap, lag below the gain costs nothing": (2730, 390, 100, 100, 100, 2730),
    "at the cap, lag above the gain costs the difference": (2730, 390, 500, 500, 500, 2620),
    "a negative claim takes nothing": (1170, 390, -500, 50, 0, 1560),
    "nor does a negative ceiling": (1170, 390, 500, -100, 0, 1560),
}


@pytest.mark.parametrize(("quota", "gain", "claimed", "ceiling", "comp", "after"), CASES.values(), ids=CASES)
def test_lag_of_a_move_is_compensated_by_the_table(
    quota: int, gain: int, claimed: int | None, ceiling: int, comp: int, after: int
) -> None:
    assert lag.compensate(quota, gain, claimed, ceiling) == (comp, after)
    assert lag.refill(quota, gain, comp) == after


def test_compensation_by_a_more_generous_program_leaves_no_debt() -> None:
    gain, quota = 790, 3 * 790
    for _ in range(100):
        quota = lag.refill(quota, gain, 870)
    assert quota == 0
    assert lag.refill(quota, gain, 0) == gain


def test_constant_lag_is_compensated_up_to_the_quota() -> None:
    # 1+0: three gains to begin with, then one gain a move: after four moves no more than 390 ms each.
    quota, forgiven = lag.start_quota(parse_time_control({"base_s": 60, "inc_s": 0})), []
    for _ in range(6):
        comp, quota = lag.compensate(quota, 390, None, 1000)
        forgiven.append(comp)
    assert forgiven == [1000, 560, 390, 390, 390, 390]


# What a flag waits for: min(ceiling + 15, 1000, quota).
ALLOWANCES = {
    "the ceiling and its slack": (1170, 50, 65),
    "a second at most": (3000, 5000, 1000),
    "no more than the quota": (30, 50, 30),
    "nothing is known of the connection": (1170, 0, 15),
    "an empty quota": (0, 50, 0),
    "never negative": (1170, -100, 0),
}


@pytest.mark.parametrize(("quota", "ceiling", "allowance"), ALLOWANCES.values(), ids=ALLOWANCES)
def test_flag_allowance_follows_the_table(quota: int, ceiling: int, allowance: int) -> None:
    assert lag.allowance_ms(quota, ceiling) == allowance


gains = st.integers(150, 1000)
lags = st.integers(-2_000, 100_000)
moves = st.lists(st.tuples(st.none() | lags, lags), max_size=100)


@given(gains, moves)
def test_compensation_never_exceeds_the_quota(gain: int, moves: list[tuple[int | None, int]]) -> None:
    quota, total = 3 * gain, 0
    for claimed, ceiling in moves:
        allowance = lag.allowance_ms(quota, ceiling)
        comp, quota = lag.compensate(quota, gain, claimed, ceiling)
        assert 0 <= comp <= min(1000, max(0, ceiling + 15))
        assert comp <= allowance, "a flag never falls before a move that would be forgiven"
        assert 0 <= quota <= 7 * gain
        total += comp
    assert total <= (3 + len(moves)) * gain


@given(gains, moves)
def test_quota_is_rebuilt_from_the_events(gain: int, moves: list[tuple[int | None, int]]) -> None:
    live = rebuilt = 3 * gain
    for claimed, ceiling in moves:
        comp, live = lag.compensate(live, gain, claimed, ceiling)
        rebuilt = lag.refill(rebuilt, gain, comp)
    assert rebuilt == live


BLITZ = parse_time_control({"base_s": 180, "inc_s": 0})


@pytest.mark.parametrize("claimed_ms", [None, 950])
def test_forged_unmeasured_lag_gains_at_most_two_seconds(claimed_ms: int | None) -> None:
    """Pings behind a proxy are answered 0.95 s late, and each move takes a second."""
    unmeasured_quota, forgiven = lag.UNMEASURED_QUOTA_MS, []
    quota, gain = lag.start_quota(BLITZ), lag.gain_ms(BLITZ)
    for _ in range(40):
        lag_ms, quota = lag.compensate(quota, gain, claimed_ms, lag.unmeasured_ms(950, unmeasured_quota))
        unmeasured_quota = lag.refill_unmeasured(unmeasured_quota, lag_ms)
        forgiven.append(lag_ms)
    assert sum(forgiven) <= lag.UNMEASURED_QUOTA_MS + 40 * lag.UNMEASURED_GAIN_MS
    assert max(forgiven) <= lag.MOST_UNMEASURED_MS
    assert max(forgiven[10:]) <= lag.UNMEASURED_GAIN_MS


def test_honest_unmeasured_lag_is_mostly_compensated() -> None:
    unmeasured_quota, lost = lag.UNMEASURED_QUOTA_MS, 0
    quota, gain = lag.start_quota(BLITZ), lag.gain_ms(BLITZ)
    for _ in range(40):
        lag_ms, quota = lag.compensate(quota, gain, 150, lag.unmeasured_ms(150, unmeasured_quota))
        unmeasured_quota = lag.refill_unmeasured(unmeasured_quota, lag_ms)
        lost = max(lost, 150 - lag_ms)
    assert lost <= 50
