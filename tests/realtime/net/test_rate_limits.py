"""Who may send how fast: cases of messages at given times."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from realtime.net.rate_limits import SocketRate, Verdict
from realtime.protocol.limits import DEFAULTS, Limits

PASS, REFUSE, FLOOD = None, Verdict.REFUSE, Verdict.FLOOD


def test_a_burst_passes_then_is_refused_then_is_a_flood() -> None:
    rate = SocketRate(DEFAULTS, 0)
    verdicts = [rate.take(0) for _ in range(122)]
    assert verdicts == [PASS] * 60 + [REFUSE] * 60 + [FLOOD] * 2


def test_the_sustained_rate_passes_for_ever() -> None:
    rate = SocketRate(DEFAULTS, 0)
    assert {rate.take(now) for now in range(0, 600_000, 50)} == {PASS}


def test_after_a_burst_the_rate_is_what_refills() -> None:
    rate = SocketRate(DEFAULTS, 0)
    for _ in range(60):
        rate.take(0)
    assert [rate.take(50), rate.take(50), rate.take(149), rate.take(150)] == [PASS, REFUSE, PASS, PASS]


def test_the_burst_is_back_after_a_rest() -> None:
    rate = SocketRate(DEFAULTS, 0)
    for _ in range(70):
        rate.take(0)
    assert [rate.take(3_600_000) for _ in range(61)] == [PASS] * 60 + [REFUSE]


def test_a_little_too_fast_is_refused_now_and_then_but_no_flood() -> None:
    rate = SocketRate(DEFAULTS, 0)
    verdicts = [rate.take(now) for now in range(0, 600_000, 40)]
    assert FLOOD not in verdicts
    assert 0.79 < verdicts.count(PASS) / len(verdicts) < 0.81


def test_who_pays_no_heed_is_a_flood() -> None:
    rate = SocketRate(DEFAULTS, 0)
    verdicts = [rate.take(now) for now in range(0, 60_000, 10)]
    assert FLOOD in verdicts
    assert verdicts.index(REFUSE) < verdicts.index(FLOOD)


def test_time_that_seems_to_go_back_changes_nothing() -> None:
    rate = SocketRate(Limits(rate=1, burst=2), 1_000)
    assert [rate.take(now) for now in (1_000, 0, 500, 1_999, 2_000)] == [PASS, PASS, REFUSE, REFUSE, PASS]


@given(st.lists(st.integers(0, 200), max_size=300), st.integers(1, 50), st.integers(1, 100))
def test_no_more_pass_than_the_limits_allow(waits: list[int], per_s: int, burst: int) -> None:
    rate = SocketRate(Limits(rate=per_s, burst=burst), 0)
    now = passed = 0
    for wait in waits:
        now += wait
        passed += rate.take(now) is PASS
    assert passed <= burst + now * per_s / 1000 + 1e-6
