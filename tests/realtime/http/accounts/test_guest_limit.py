"""Limit of new guests for an address and minute, with a fake clock."""

from __future__ import annotations

import pytest

from lobby.errors import RateLimited
from realtime.http.accounts.guest_limit import WINDOW_S, GuestLimit


class Clock:
    def __init__(self) -> None:
        self.now_s = 500.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_new_guests_never_exceed_the_limit_in_any_minute(clock: Clock) -> None:
    limit = GuestLimit(3, clock)
    for _ in range(3):
        limit.take("192.0.2.1")
        clock.now_s += 10
    with pytest.raises(RateLimited) as refused:
        limit.take("192.0.2.1")
    assert (refused.value.code, refused.value.retry_after_s) == ("rate_limited", 30)
    clock.now_s += 29.5
    with pytest.raises(RateLimited) as refused:
        limit.take("192.0.2.1")
    assert refused.value.retry_after_s == 1
    clock.now_s += 0.5
    limit.take("192.0.2.1")
    with pytest.raises(RateLimited):
        limit.take("192.0.2.1")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("local", "local", True),
    ],
)
def test_addresses_are_grouped_by_network(clock: Clock, first: str, second: str, same: bool) -> None:
    limit = GuestLimit(1, clock)
    limit.take(first)
    if same:
        with pytest.raises(RateLimited):
            limit.take(second)
    else:
        limit.take(second)


def test_addresses_are_forgotten_after_a_minute(clock: Clock) -> None:
    limit = GuestLimit(2, clock)
    for number in range(100):
        limit.take(f"192.0.2.{number}")
    clock.now_s += WINDOW_S / 2
    limit.take("192.0.2.1")
    assert len(limit) == 100
    clock.now_s += WINDOW_S / 2
    limit.take("192.0.2.200")
    assert len(limit) == 2
