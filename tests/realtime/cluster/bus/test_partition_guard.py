"""Partition guard: a node that alone lost the database sends its clients to others."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

import pytest

from realtime.cluster.bus.bus import Exchange
from realtime.cluster.bus.partition_guard import CHECKS, LeaseQuery, LeaseReply, PartitionGuard
from realtime.journal.nodes import EXPIRY_S, LEASE_S
from tests.realtime.cluster.fleet import fleet
from tests.realtime.cluster.meeting import end_lease

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.journal.nodes import Node
    from realtime.net.gateway import Gateway
    from realtime.postgres.database import Pool
    from tests.realtime.cluster.fleet import Member


class Link:
    """A node's lease as the test says."""

    def __init__(self) -> None:
        self.silent_s = 0.0

    def is_leased(self) -> bool:
        return self.silent_s < LEASE_S

    def unheard_s(self) -> float:
        return self.silent_s


class Socket:
    """As far as it is closed."""

    def __init__(self) -> None:
        self.closed = False
        self.code = 0

    def close(self, code: int, reason: str) -> None:
        self.closed, self.code = True, code


class Door:
    """A gateway as far as it lets nobody in."""

    def __init__(self) -> None:
        self.connections = {Socket(), Socket()}
        self.is_away = False


class Guard:
    """What looks after one node."""

    def __init__(self, member: Member) -> None:
        self.member, self.link, self.door = member, Link(), Door()
        self.partition_guard = PartitionGuard(
            member.cluster, cast("Node", self.link), cast("Gateway", self.door), member.games.replicas
        )

    async def check(self, times: int = CHECKS) -> bool:
        for _ in range(times):
            await self.partition_guard.check()
        return self.partition_guard.is_on

    def are_gone(self) -> list[bool]:
        return [socket.closed for socket in self.door.connections]


@asynccontextmanager
async def guarded(url: str, pool: Pool, *names: str, exchange: Exchange | None = None) -> AsyncIterator[list[Guard]]:
    async with fleet(url, pool, *names, exchange=exchange) as members:
        guards = [Guard(member) for member in members]
        for guard in guards:
            await guard.check(1)
        yield guards


async def test_node_that_alone_lost_the_database_sends_clients_away(database_url: str, pool: Pool) -> None:
    async with guarded(database_url, pool, "a", "b", "c") as (a, b, c):
        a.link.silent_s = c.link.silent_s = EXPIRY_S + 1
        assert not await a.check(CHECKS - 1)
        assert a.are_gone() == [False, False]
        assert await a.check(1)
        assert a.are_gone() == [True, True]
        assert {socket.code for socket in a.door.connections} == {1012}
        assert a.door.is_away
        assert a.member.games.replicas.is_stopping
        assert not await b.check()

        a.link.silent_s = 0.0
        assert not await a.check(1)
        assert not a.door.is_away
        assert not a.member.games.replicas.is_stopping


async def test_clients_stay_if_all_nodes_lost_the_database(database_url: str, pool: Pool) -> None:
    async with guarded(database_url, pool, "a", "b") as (a, b):
        a.link.silent_s = b.link.silent_s = EXPIRY_S + 1
        assert not await a.check()
        assert not await b.check()
        assert a.are_gone() == [False, False]


async def test_clients_stay_if_the_leases_of_all_nodes_expired(database_url: str, pool: Pool) -> None:
    """All leases have expired, so no node knows of another node."""
    async with guarded(database_url, pool, "a", "b") as (a, b):
        for guard in (a, b):
            await end_lease(guard.member.node, pool)
        for guard in (a, b):
            await guard.member.cluster.look()
            assert guard.member.cluster.is_alone
            guard.link.silent_s = EXPIRY_S + 60
        assert not await a.check()
        assert not await b.check()
        assert a.are_gone() == [False, False]


async def test_clients_stay_if_other_nodes_recover_database_first(database_url: str, pool: Pool) -> None:
    async with guarded(database_url, pool, "a", "b") as (a, b):
        a.link.silent_s = b.link.silent_s = EXPIRY_S + 1
        assert not await a.check()
        b.link.silent_s = 0.0
        assert not await a.check(CHECKS - 1)
        a.link.silent_s = 0.0
        assert not await a.check(1)
        a.link.silent_s = EXPIRY_S + 1
        assert not await a.check(CHECKS - 1)


@pytest.mark.parametrize("silent_s", [LEASE_S, EXPIRY_S])
async def test_clients_stay_until_the_games_of_the_node_expire(database_url: str, pool: Pool, silent_s: float) -> None:
    async with guarded(database_url, pool, "a", "b") as (a, _b):
        a.link.silent_s = silent_s
        assert not await a.check()


async def test_isolated_node_sends_clients_away(database_url: str, pool: Pool) -> None:
    exchange = Exchange()
    async with guarded(database_url, pool, "a", "b", exchange=exchange) as (a, _b):
        exchange.is_lost = lambda sender, node, data: True
        a.link.silent_s = EXPIRY_S + 1
        assert await a.check()


async def test_single_node_keeps_its_clients(database_url: str, pool: Pool) -> None:
    async with guarded(database_url, pool, "a") as (a,):
        a.link.silent_s = 60.0
        assert not await a.check()


async def test_node_reports_whether_it_reaches_the_database(database_url: str, pool: Pool) -> None:
    async with guarded(database_url, pool, "a", "b") as (a, b):
        for silent_s, is_good in ((0.0, True), (LEASE_S, False)):
            b.link.silent_s = silent_s
            assert await a.member.cluster.request("b", "node.lease", LeaseQuery(), LeaseReply) == LeaseReply(is_good)
