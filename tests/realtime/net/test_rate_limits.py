"""Rate limits of messages, as cases with given times."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from realtime.net.rate_limits import KEPT, RateVerdict, SocketRate, TokenBucket, TokenBuckets
from realtime.protocol.limits import DEFAULTS, Limits

PASS, REFUSE, FLOOD = None, RateVerdict.REFUSE, RateVerdict.FLOOD


def test_burst_is_allowed_then_refused_then_a_flood() -> None:
    rate = SocketRate(DEFAULTS, 0)
    verdicts = [rate.take(0) for _ in range(122)]
    assert verdicts == [PASS] * 60 + [REFUSE] * 60 + [FLOOD] * 2


def test_sustained_rate_is_always_allowed() -> None:
    rate = SocketRate(DEFAULTS, 0)
    assert {rate.take(now) for now in range(0, 600_000, 50)} == {PASS}


def test_rate_refills_after_a_burst() -> None:
    rate = SocketRate(DEFAULTS, 0)
    for _ in range(60):
        rate.take(0)
    assert [rate.take(50), rate.take(50), rate.take(149), rate.take(150)] == [PASS, REFUSE, PASS, PASS]


def test_burst_is_restored_after_a_rest() -> None:
    rate = SocketRate(DEFAULTS, 0)
    for _ in range(70):
        rate.take(0)
    assert [rate.take(3_600_000) for _ in range(61)] == [PASS] * 60 + [REFUSE]


def test_slight_excess_is_refused_but_no_flood() -> None:
    rate = SocketRate(DEFAULTS, 0)
    verdicts = [rate.take(now) for now in range(0, 600_000, 40)]
    assert FLOOD not in verdicts
    assert 0.79 < verdicts.count(PASS) / len(verdicts) < 0.81


def test_continued_excess_is_a_flood() -> None:
    rate = SocketRate(DEFAULTS, 0)
    verdicts = [rate.take(now) for now in range(0, 60_000, 10)]
    assert FLOOD in verdicts
    assert verdicts.index(REFUSE) < verdicts.index(FLOOD)


def test_backward_time_refills_nothing() -> None:
    rate = SocketRate(Limits(rate=1, burst=2), 1_000)
    assert [rate.take(now) for now in (1_000, 0, 500, 1_999, 2_000)] == [PASS, PASS, REFUSE, REFUSE, PASS]


@given(st.lists(st.integers(0, 200), max_size=300), st.integers(1, 50), st.integers(1, 100))
def test_allowed_messages_never_exceed_the_limits(waits: list[int], per_s: int, burst: int) -> None:
    rate = SocketRate(Limits(rate=per_s, burst=burst), 0)
    now = passed = 0
    for wait in waits:
        now += wait
        passed += rate.take(now) is PASS
    assert passed <= burst + now * per_s / 1000 + 1e-6


WAITS = st.lists(st.integers(-50, 3000), max_size=100)


@given(WAITS, st.integers(1, 60), st.integers(1, 60), st.sampled_from([1000, 6000, 60_000]))
def test_bucket_is_exact(waits: list[int], burst: int, rate: int, per_ms: int) -> None:
    bucket = TokenBucket(burst, rate, 0, per_ms)
    tokens, latest = Fraction(burst), 0
    for now in accumulate(waits):
        tokens = min(Fraction(burst), tokens + Fraction(rate * max(0, now - latest), per_ms))
        latest = max(latest, now)
        assert bucket.used(latest) == float(burst - tokens)
        assert bucket.wait_ms(latest) == float(max(Fraction(0), 1 - tokens) * per_ms / rate)
        is_there = tokens >= 1
        assert bucket.take(now) is is_there
        tokens -= is_there


def test_each_key_has_its_own_bucket() -> None:
    buckets = TokenBuckets(2, 1)
    assert [buckets.take(key, 0) for key in "aaabbb"] == [True, True, False] * 2


def test_only_own_usage_is_reported() -> None:
    told: list[tuple[str, float]] = []
    buckets = TokenBuckets(2, 1)
    buckets.on_spent.append(lambda key, count: told.append((key, count)))
    buckets.spend("a", 1, 0)
    assert [buckets.take("a", 0), buckets.take("a", 0)] == [True, False]
    buckets.add("a", -1, 0)
    assert told == [("a", 1), ("a", -1)]
    assert buckets.wait_ms("a", 0) == 0


def test_usage_of_other_nodes_delays_own() -> None:
    buckets = TokenBuckets(2, 1)
    buckets.spend("a", 5, 0)
    assert (buckets.used("a", 0), buckets.wait_ms("a", 0)) == (5, 4000)
    assert [buckets.take("a", 3999), buckets.take("a", 4000)] == [False, True]


def test_full_and_oldest_buckets_are_forgotten() -> None:
    buckets = TokenBuckets(1, 1, kept=2)
    buckets.add("a", 1, 0)
    buckets.add("a", -1, 0)
    assert not buckets._buckets
    assert all(buckets.take(key, 0) for key in "ab")
    assert not buckets.take("a", 0), "which counts as use"
    assert buckets.take("c", 0)
    assert [*buckets._buckets] == ["a", "c"]


def test_promised_number_of_keys_is_remembered() -> None:
    buckets = TokenBuckets(1, 1)
    assert all(buckets.take(str(number), 0) for number in range(KEPT))
    assert not buckets.take("0", 0)
