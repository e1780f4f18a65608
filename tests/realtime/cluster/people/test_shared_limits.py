"""Rate limits shared by all nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lobby.chat import FLOOD_LINES, FLOOD_MS, Flood
from lobby.errors import RateLimited
from realtime.cluster.people.shared_limits import SharedLimits
from realtime.http.accounts.guest_limit import GuestLimit
from realtime.http.accounts.login_limit import LoginLimit
from realtime.net.rate_limits import TokenBuckets
from tests.realtime.cluster.party import party
from tests.realtime.fake_time import FakeTime
from tests.realtime.until import until

if TYPE_CHECKING:
    from realtime.cluster.bus.cluster import Cluster
    from realtime.postgres.database import Pool


class Desk:
    """The limits of a node, whose clock stands still."""

    def __init__(self, cluster: Cluster) -> None:
        self.time = FakeTime(1_000_000)
        self.shared_limits = SharedLimits(cluster)
        self.rate_limiter = TokenBuckets(10, 1)
        self.logins = LoginLimit(20, lambda: 0.0)
        self.guests = GuestLimit(10, lambda: 0.0)
        self.shared_limits.share("lobby", self.rate_limiter, self.time.now_ms)
        for name, buckets in self.logins.buckets.items():
            self.shared_limits.share(f"login {name}", buckets, self.logins.now_ms)
        self.shared_limits.share("guests", self.guests, self.guests.now_ms)
        self.flood = Flood()
        self.shared_limits.share("chat", self.flood, self.time.now_ms)

    def left(self, user: str) -> float:
        """Tokens of ``user``."""
        return 10 - self.rate_limiter.used(user, self.time.now_ms())


async def test_request_rate_counts_all_nodes(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b") as (a, b):
        at_a, at_b = Desk(a.cluster), Desk(b.cluster)
        assert all(at_a.rate_limiter.take("anna", 1_000_000) for _ in range(10))
        assert not at_a.rate_limiter.take("anna", 1_000_000)
        await until(lambda: at_b.left("anna") == 0)
        assert not at_b.rate_limiter.take("anna", 1_000_000)
        assert at_b.rate_limiter.take("bert", 1_000_000)


async def test_simultaneous_use_at_two_nodes_doubles_the_wait(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b") as (a, b):
        desks = Desk(a.cluster), Desk(b.cluster)
        for desk in desks:
            assert all(desk.rate_limiter.take("anna", 1_000_000) for _ in range(10))
        await until(lambda: all(desk.left("anna") == -10 for desk in desks))
        assert not desks[0].rate_limiter.take("anna", 1_010_000)
        assert desks[0].rate_limiter.take("anna", 1_011_000)


async def test_password_attempts_count_at_all_nodes(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b") as (a, b):
        at_a, at_b = Desk(a.cluster), Desk(b.cluster)
        for _ in range(20):
            at_a.logins.take("10.0.0.1", f"name{_}")
        at_a.logins.take("10.0.0.2", "anna").take_back()

        def is_refused() -> bool:
            try:
                at_b.logins.take("10.0.0.1", "bert").take_back()
            except RateLimited:
                return True
            return False

        await until(is_refused)
        at_b.logins.take("10.0.0.2", "anna")
        assert at_b.logins._own.used("10.0.0.2 anna", 0.0) == 1


async def test_new_guests_count_at_all_nodes(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b") as (a, b):
        at_a, at_b = Desk(a.cluster), Desk(b.cluster)
        for _ in range(9):
            at_a.guests.take("10.0.0.1")
        at_a.guests.take("10.0.0.1")()
        await until(lambda: len(at_b.guests._made.get("10.0.0.1", ())) == 9)
        at_b.guests.take("10.0.0.1")
        with pytest.raises(RateLimited):
            at_b.guests.take("10.0.0.1")


async def test_chat_lines_count_at_all_nodes(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b") as (a, b):
        desks = at_a, at_b = Desk(a.cluster), Desk(b.cluster)
        for desk in desks:  # at once: each counts for itself
            for _ in range(FLOOD_LINES):
                desk.flood.take("anna", 1_000_000)
        await until(lambda: all(desk.flood._written["anna"][0] > 1_000_000 for desk in desks))
        # The excess counts as if it had been written later: they wait twice as long.
        for desk in desks:
            with pytest.raises(RateLimited):
                desk.flood.take("anna", 1_000_000 + 2 * FLOOD_MS - 1)
        at_a.flood.take("anna", 1_000_000 + 2 * FLOOD_MS)
        at_b.flood.take("bert", 1_000_000)


async def test_single_node_shares_no_usage(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a") as (a,):
        desk = Desk(a.cluster)
        assert desk.rate_limiter.take("anna", 1_000_000)
        assert not desk.shared_limits._unsent
        assert desk.shared_limits._timer is None
