"""Limits of password guesses for an address, a name, and a name from an address, with a fake clock."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.errors import RateLimited
from realtime.http.accounts import login_limit
from realtime.http.accounts.login_limit import ADDRESS_EVERY_S, NAME_EVERY_S, OWN_TRIES, RIGHT_EVERY_S, LoginLimit

NAME_TRIES = 10
"""Half of what an address may."""


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def fail(limit: LoginLimit, times: int, address: str = "192.0.2.1", name: str = "anna") -> int:
    """Wrong passwords until the limit refuses one; how many were looked at."""
    for number in range(times):
        try:
            limit.take(address, name)
        except RateLimited:
            return number
    return times


def test_attempts_of_an_address_are_limited_then_slowed() -> None:
    clock = Clock()
    limit = LoginLimit(20, clock)
    assert sum(fail(limit, 1, name=f"name{number}") for number in range(50)) == 20
    with pytest.raises(RateLimited) as caught:
        limit.take("192.0.2.1", "somebody")
    assert caught.value.retry_after_s == ADDRESS_EVERY_S
    clock.now_s += ADDRESS_EVERY_S
    assert fail(limit, 2, name="somebody") == 1
    assert fail(limit, 1, "192.0.2.2", "somebody") == 1


def test_addresses_of_one_network_share_a_limit() -> None:
    limit = LoginLimit(3, Clock())
    assert [fail(limit, 1, f"2001:db8::{number}", f"name{number}") for number in range(5)] == [1, 1, 1, 0, 0]
    assert fail(limit, 1, "2001:db8:0:1::1") == 1


def test_attempts_on_a_name_from_one_address_are_slowed() -> None:
    clock = Clock()
    limit = LoginLimit(20, clock)
    assert fail(limit, 50) == NAME_TRIES
    clock.now_s += NAME_EVERY_S
    assert fail(limit, 5) == 1


def test_attacked_name_allows_few_attempts_per_address() -> None:
    limit = LoginLimit(20, Clock())
    looked_at = [fail(limit, 50, f"192.0.2.{number}") for number in range(30)]
    assert looked_at[0] == NAME_TRIES
    assert set(looked_at[1:]) == {OWN_TRIES}


def test_owner_may_log_in_from_unused_address_during_attack() -> None:
    clock = Clock()
    limit = LoginLimit(20, clock)
    for number in range(100):
        fail(limit, 50, f"192.0.2.{number}")
    for _ in range(50):
        limit.take("198.51.100.7", "anna").succeed()
        clock.now_s += RIGHT_EVERY_S


def test_successful_login_is_not_counted_as_failure() -> None:
    clock = Clock()
    limit = LoginLimit(3, clock)
    for _ in range(100):
        limit.take("192.0.2.1", "anna").succeed()
        clock.now_s += RIGHT_EVERY_S
    assert fail(limit, 9) == 3
    assert len(limit._names._buckets) == 1


def succeed(limit: LoginLimit, times: int, address: str = "192.0.2.1", name: str = "anna") -> int:
    """Right passwords until the limit refuses one; how many were looked at."""
    for number in range(times):
        try:
            limit.take(address, name).succeed()
        except RateLimited:
            return number
    return times


def test_successful_logins_have_limits_of_their_own() -> None:
    clock = Clock()
    limit = LoginLimit(20, clock)
    assert sum(succeed(limit, 20, f"192.0.2.{number}") for number in range(30)) == 10
    assert sum(succeed(limit, 20, "192.0.2.1", f"name{number}") for number in range(30)) == 20
    with pytest.raises(RateLimited) as caught:
        limit.take("192.0.2.1", "somebody")
    assert caught.value.retry_after_s == RIGHT_EVERY_S
    clock.now_s += RIGHT_EVERY_S
    assert (succeed(limit, 9), succeed(limit, 9, "192.0.2.2")) == (1, 0)
    assert succeed(limit, 9, "192.0.2.2", "berta") == 9


def test_concurrent_attempts_of_an_address_are_limited() -> None:
    limit = LoginLimit(20, Clock())
    with contextlib.ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(limit.trying("2001:db8::1", "anna"))
        for name in ("anna", "berta"):
            with pytest.raises(RateLimited) as caught, limit.trying("2001:db8::2", name):
                pass
            assert caught.value.retry_after_s == 1
        with limit.trying("2001:db8:0:1::1", "anna"):
            pass
    with limit.trying("2001:db8::2", "berta"):
        pass
    assert limit._hashing == {}


def test_cancelled_attempt_is_not_counted_as_failure() -> None:
    limit = LoginLimit(20, Clock())
    for _ in range(100):
        with contextlib.suppress(asyncio.CancelledError), limit.trying("192.0.2.1", "anna"):
            raise asyncio.CancelledError
    assert fail(limit, 50) == NAME_TRIES


def test_impossible_names_share_a_limit() -> None:
    """This is so for any case folding of the database."""
    limit = LoginLimit(20, Clock())
    names = ["anna \u0130", "\u0130nna", "\u212aarl", "x" * 8000, "an\0na", "1anna", "änna"]
    assert sum(fail(limit, 9, name=name) for name in names) == NAME_TRIES
    assert len(limit._names._buckets) == 1
    assert max(len(key) for key in limit._own._buckets) < 64


def test_concurrent_attempts_are_all_counted() -> None:
    limit = LoginLimit(20, Clock())
    under_way = []
    for _ in range(100):
        with contextlib.suppress(RateLimited):
            under_way.append(limit.take("192.0.2.1", "anna"))
    assert len(under_way) == NAME_TRIES
    for succeeded in under_way:
        succeeded.take_back()
    assert fail(limit, 50) == NAME_TRIES


def test_remembered_attempts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login_limit, "KEPT", 10)
    limit = LoginLimit(20, Clock())
    for number in range(50):
        fail(limit, 1, f"192.0.2.{number}", f"name{number}")
    assert len(limit._addresses._buckets) == len(limit._names._buckets) == len(limit._own._buckets) == 10


@given(st.lists(st.tuples(st.integers(0, 600), st.integers(0, 3), st.integers(0, 2), st.booleans()), max_size=200))
def test_checked_attempts_never_exceed_the_limit(tries: list[tuple[int, int, int, bool]]) -> None:
    clock = Clock()
    limit = LoginLimit(5, clock)
    failed: dict[str, list[float]] = {}
    for wait_s, host, name, succeeds in tries:
        clock.now_s += wait_s / 10
        address = f"192.0.2.{host}"
        try:
            attempt = limit.take(address, f"name{name}")
        except RateLimited:
            continue
        if succeeds:
            attempt.succeed()
        else:
            failed.setdefault(address, []).append(clock.now_s)
    for instants in failed.values():
        for first in range(len(instants)):
            for last in range(first, len(instants)):
                span_s = instants[last] - instants[first]
                assert last - first + 1 <= 5 + span_s / ADDRESS_EVERY_S + 1e-6
