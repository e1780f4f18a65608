"""Presence across nodes, and messages to people at other nodes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from realtime.cluster.bus import replicated_feed
from realtime.cluster.bus.bus import Exchange
from realtime.cluster.people import remote_presence
from realtime.cluster.people.remote_presence import PresenceReport
from realtime.protocol.errors import HandshakeRefused
from tests.realtime.cluster.party import Guest, meet, party, person
from tests.realtime.until import until

if TYPE_CHECKING:
    from realtime.postgres.database import Pool

ANNA, BERT = person("anna"), person("bert")


async def test_message_reaches_all_sockets_of_a_person(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b", "c") as (a, b, c):
        sockets = [node.enter(ANNA) for node in (a, b, b)]
        other = c.enter(BERT)
        a.people.send("anna", {"t": "paired", "g": "x"})
        await until(lambda: all(socket.heard for socket in sockets))
        assert [socket.heard for socket in sockets] == [[{"t": "paired", "g": "x"}]] * 3
        assert other.heard == []


async def test_presence_is_known_at_every_node(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b") as (a, b):
        first = a.enter(ANNA)
        await until(lambda: b.people.is_here("anna"))
        second = b.enter(ANNA)
        await until(lambda: a.presence.sockets_of("anna") == 1)
        a.leave(first)
        await until(lambda: b.presence.sockets_of("anna") == 0)
        assert a.people.is_here("anna")
        b.leave(second)
        await until(lambda: not a.people.is_here("anna"))
        for node in (a, b):
            # Once each, whatever the number of sockets and nodes.
            assert node.notices == [("anna", True), ("anna", False)]


async def test_number_of_people_online_counts_all_nodes(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b") as (a, b):
        a.enter(ANNA)
        b.enter(ANNA)
        b.enter(BERT)
        stranger = b.enter(None)
        a.enter(None)
        await until(lambda: a.people.online == b.people.online == 4)
        b.leave(stranger)
        await until(lambda: a.people.online == b.people.online == 3)
        assert (a.people.online_here, b.people.online_here) == (2, 2)
        assert sorted(a.people.everybody()) == sorted(b.people.everybody()) == ["anna", "bert"]


async def test_a_robot_of_the_server_is_shown_online_and_not_counted(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b") as (a, b):
        robot = a.enter(person("robot3"))
        robot.grant = msgspec.structs.replace(robot.grant, is_invisible=True)
        a.people.apply_grants("robot3")
        await until(lambda: b.people.is_here("robot3"))
        await until(lambda: [node.people.online for node in (a, b)] == [0, 0])
        assert [node.people.is_shown("robot3") for node in (a, b)] == [True, True]
        assert [node.people.shown_users() for node in (a, b)] == [[], []]
        a.leave(robot)
        await until(lambda: not b.people.is_shown("robot3"))


async def test_who_is_invisible_is_not_shown_at_any_node(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b", "c") as (a, b, c):
        first, second = a.enter(ANNA), b.enter(ANNA)
        c.enter(BERT)
        await until(lambda: all(node.people.online == 2 for node in (a, b, c)))
        for node, socket in ((a, first), (b, second)):
            socket.grant = msgspec.structs.replace(socket.grant, is_invisible=True)
            node.people.apply_grants("anna")
        await until(lambda: all(node.people.shown_users() == ["bert"] for node in (a, b, c)))
        assert [node.people.online for node in (a, b, c)] == [1, 1, 1]
        assert all(node.people.is_here("anna") for node in (a, b, c))
        late = Guest(database_url, pool, "d", a.exchange)
        await late.come()
        await meet(a, b, c, late)
        await until(lambda: late.people.is_here("anna") and late.people.is_here("bert"))
        assert late.people.shown_users() == ["bert"]
        await late.die()
        a.leave(first)
        await until(lambda: c.presence.sockets_of("anna") == 1)
        assert c.people.shown_users() == ["bert"]
        second.grant = msgspec.structs.replace(second.grant, is_invisible=False)
        b.people.apply_grants("anna")
        await until(lambda: all(sorted(node.people.shown_users()) == ["anna", "bert"] for node in (a, b, c)))
        assert [node.people.online for node in (a, b, c)] == [2, 2, 2]
        assert a.notices == [("anna", True), ("bert", True)]


async def test_new_node_learns_presence_of_all(database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_presence, "PORTION", 7)
    exchange = Exchange()
    async with party(database_url, pool, "a", exchange=exchange) as (a,):
        for number in range(50):
            a.enter(person(f"user {number}"))
        a.enter(None)
        a.gateway.admit(None, "10.0.0.1")
        b = Guest(database_url, pool, "b", exchange)
        await b.come()
        await meet(a, b)
        await until(lambda: b.people.online == 51)
        assert b.presence.guests_of("10.0.0.1") == 1
        assert len(b.notices) == 50
        await b.die()


async def test_presence_is_right_if_people_leave_during_full_report(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_presence, "PORTION", 3)
    monkeypatch.setattr(replicated_feed, "BATCH_INTERVAL_S", 0.0)
    exchange = Exchange()
    async with party(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        sockets = [a.enter(person(f"user {number}")) for number in range(40)]
        await until(lambda: b.people.online == 40)
        b.presence._feed._missed("a")
        for number, socket in enumerate(sockets):
            if number % 2:
                a.leave(socket)
            if number % 5 == 0:
                a.enter(person(f"late {number}"))
                await b.cluster._pool.fetchval("SELECT 1")
        await until(lambda: sorted(b.people.everybody()) == sorted(a.people.everybody()))
        assert b.people.online == a.people.online == 28


async def test_people_of_a_lost_node_are_absent(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b", "c") as (a, b, c):
        b.enter(ANNA)
        b.enter(BERT)
        b.enter(None)
        c.enter(BERT)
        b.gateway.admit(None, "10.0.0.1")
        await until(lambda: a.people.online == 3 and a.presence.guests_of("10.0.0.1") == 1)
        await until(lambda: a.presence.sockets_of("bert") == 2)
        await b.die()
        await a.cluster.look()
        assert a.people.everybody() == ["bert"]
        assert a.people.online == 1
        assert a.presence.guests_of("10.0.0.1") == a.presence.sockets_of("anna") == 0
        assert sorted(a.notices[:2]) == [("anna", True), ("bert", True)]
        assert a.notices[2:] == [("anna", False)]


async def test_lost_presence_report_is_requested_again(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replicated_feed, "RETRY_INTERVAL_S", 0.05)
    exchange = Exchange()
    async with party(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        stays = a.enter(BERT)
        await until(lambda: b.people.is_here("bert"))
        exchange.is_lost = lambda sender, node, data: sender == "a"
        a.enter(ANNA)
        a.leave(stays)
        await until(lambda: a.presence._feed._timer is None)
        assert not b.people.is_here("anna")
        lost = list[bytes]()

        def every_third(sender: str, node: str, data: bytes) -> bool:
            """Some of what repairs it gets lost, too."""
            if sender == "a":
                lost.append(data)
            return sender == "a" and len(lost) % 3 == 1

        exchange.is_lost = every_third
        await until(lambda: b.people.everybody() == ["anna"])
        exchange.is_lost = lambda sender, node, data: False
        assert b.people.online == 1


async def test_socket_limits_count_other_nodes(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b") as (a, b):
        limits = a.gateway.limits
        for _ in range(limits.accounts):
            a.enter(ANNA)
        for _ in range(limits.connections):
            a.gateway.admit(None, "10.0.0.1")
        await until(lambda: b.presence.sockets_of("anna") == limits.accounts)
        with pytest.raises(HandshakeRefused):
            b.gateway.admit(ANNA, "10.0.0.2")
        with pytest.raises(HandshakeRefused):
            b.gateway.admit(None, "10.0.0.1")
        b.gateway.admit(None, "10.0.0.2")
        a.gateway.release(None, "10.0.0.1")
        await until(lambda: b.presence.guests_of("10.0.0.1") < limits.connections)
        b.gateway.admit(None, "10.0.0.1")


async def test_single_node_sends_no_presence(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a") as (a,):
        socket = a.enter(ANNA)
        a.gateway.admit(None, "10.0.0.1")
        a.people.send("anna", {"t": "notice"})
        assert socket.heard == [{"t": "notice"}]
        assert a.presence._feed._timer is None
        assert not a.presence._feed._changed
        assert not a.cluster._links._links


async def test_unknown_sender_is_looked_up_at_once(database_url: str, pool: Pool) -> None:
    exchange = Exchange()
    async with party(database_url, pool, "a", exchange=exchange) as (a,):
        looked = asyncio.Event()
        a.cluster.on_came.append(lambda node: looked.set())
        b = Guest(database_url, pool, "b", exchange)
        await b.come()
        socket = b.enter(ANNA)
        await looked.wait()
        a.people.send("anna", {"t": "notice"})
        await until(lambda: bool(socket.heard))
        await b.die()


def test_messages_have_the_fields_of_older_versions() -> None:
    sent = msgspec.to_builtins(PresenceReport({"anna": 1}, {"10.0.0.1": 2}, 3, first=True, last=True))
    networks = {"10.0.0.1": 2}
    assert sent == {"people": {"anna": 1}, "networks": networks, "strangers": 3, "is_first": True, "is_last": True}
