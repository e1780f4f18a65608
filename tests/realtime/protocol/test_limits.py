"""Limits: defaults, and settings that change them."""

from __future__ import annotations

import pytest

from realtime.protocol.errors import BadLimits
from realtime.protocol.limits import DEFAULTS, Limits, parse_limits


def test_default_limits_are_as_documented() -> None:
    assert DEFAULTS.as_wire() == {
        "frame": 8192,
        "rate": 20,
        "burst": 60,
        "connections": 50,
        "guests": 10,
        "logins": 20,
        "accounts": 20,
        "handshake_s": 5.0,
        "silence_s": 30.0,
        "imports": 8192,
    }


def test_single_limits_may_be_raised() -> None:
    limits = parse_limits("connections=20000,guests=20000,rate=1000")
    assert (limits.connections, limits.guests, limits.rate, limits.burst) == (20000, 20000, 1000, 3000)
    assert limits.accounts == DEFAULTS.accounts


def test_burst_may_be_set_explicitly() -> None:
    assert parse_limits(" rate = 100 , burst=100, ").burst == 100
    assert parse_limits("burst=7") == Limits(burst=7)


def test_every_reported_limit_may_be_set() -> None:
    told = DEFAULTS.as_wire()
    text = ",".join(f"{name}={number}" for number, name in enumerate(told, start=100))
    assert parse_limits(text).as_wire() == {name: number for number, name in enumerate(told, start=100)}


@pytest.mark.parametrize(("silence_s", "interval_s"), [(30, 5), (15, 5), (3, 1), (600, 5)])
def test_ping_interval_fits_the_silence_limit(silence_s: float, interval_s: float) -> None:
    assert Limits(silence_s=silence_s).ping_interval_s == interval_s


def test_limits_may_be_set_one_by_one() -> None:
    assert parse_limits("accounts=5", parse_limits("frame=1024")) == Limits(accounts=5, frame_bytes=1024)
    assert parse_limits("") == DEFAULTS


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("speed=5", "there is no limit 'speed'"),
        ("rate", "rate=: expected a positive integer"),
        ("rate=0", "rate=0: expected a positive integer"),
        ("rate=-5", "expected a positive integer"),
        ("rate=1.5", "expected a positive integer"),
        ("rate=²", "expected a positive integer"),
        ("rate=99999999999", "expected a positive integer"),
        ("=5", "there is no limit ''"),
    ],
)
def test_invalid_limit_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadLimits, match=says):
        parse_limits(text)
