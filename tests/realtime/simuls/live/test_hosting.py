"""Hosts of running simuls hear of them at every node."""

from __future__ import annotations

from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from realtime.cluster.bus import replicated_feed
from realtime.cluster.bus.bus import Exchange
from realtime.simuls.live.hosting import Hosting
from tests.realtime.cluster.party import Guest, party, person
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import pytest

    from realtime.postgres.database import Pool

ANNA = person("anna")


def running(simul: str, *hosts: str) -> Any:
    """A simul as far as its hosts matter."""
    return SimpleNamespace(id=simul, is_running=True, possible_hosts=lambda: list(hosts))


@asynccontextmanager
async def two(url: str, pool: Pool, exchange: Exchange) -> AsyncIterator[tuple[tuple[Guest, Hosting], ...]]:
    """Two nodes; Anna is connected to the second."""
    async with party(url, pool, "a", "b", exchange=exchange) as guests:
        nodes = tuple((guest, Hosting(guest.cluster, guest.people)) for guest in guests)
        yield nodes
        for _, hosting in nodes:
            hosting.close()


def told(socket: Any) -> list[list[str]]:
    """The lists that a socket was sent."""
    return [message["simuls"] for message in socket.heard if message["t"] == "simul.hosting"]


async def test_host_at_another_node_hears_of_start_and_end(database_url: str, pool: Pool) -> None:
    async with two(database_url, pool, Exchange()) as ((_, at_a), (b, at_b)):
        socket = b.enter(ANNA)
        at_a.tick([running("one", "anna")])
        await until(lambda: told(socket) == [["one"]])
        assert at_a.of("anna") == at_b.of("anna") == ["one"]
        at_b.tick([running("two", "bert", "anna")])
        assert told(socket) == [["one"], ["one", "two"]]
        for _ in range(30):
            at_a.tick([running("one", "anna")])
        at_a.tick([])
        await until(lambda: told(socket) == [["one"], ["one", "two"], ["two"]])
        at_b.tick([running("two", "bert")])
        assert told(socket)[-1] == []


async def test_lost_message_is_made_up_for(database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replicated_feed, "RETRY_INTERVAL_S", 0.05)
    exchange = Exchange()
    async with two(database_url, pool, exchange) as ((a, at_a), (b, at_b)):
        socket = b.enter(ANNA)
        exchange.is_lost = lambda sender, node, data: sender == "a"
        at_a.tick([running("one", "anna")])
        await until(lambda: at_a._feed is not None and at_a._feed._timer is None)
        assert at_b.of("anna") == []
        exchange.is_lost = lambda sender, node, data: False
        a.people.send("bert", {"t": "notice"})  # the next message shows the gap
        await until(lambda: told(socket) == [["one"]])


async def test_simul_whose_leader_dies_is_kept_until_another_takes_over(database_url: str, pool: Pool) -> None:
    async with two(database_url, pool, Exchange()) as ((a, at_a), (b, at_b)):
        socket = b.enter(ANNA)
        at_a.tick([running("one", "anna")])
        await until(lambda: told(socket) == [["one"]])
        at_a.close()
        await a.die()
        await b.cluster.look()
        assert told(socket) == [["one"]]
        at_b.tick([running("one", "anna")])
        assert set(map(tuple, told(socket))) == {("one",)}
        at_b.tick([])
        assert told(socket)[-1] == at_b.of("anna") == []
