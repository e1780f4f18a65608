"""Delivery guarantees of both kinds of bus."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from harness.chaos.breakable_link import BreakableLink
from realtime.cluster.bus import nats_bus
from realtime.cluster.bus.bus import MAX_BYTES, Bus, Exchange, LocalBus
from realtime.cluster.bus.nats_bus import NatsBus
from tests.nats_process import NatsProcess
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    Make = Callable[[], Bus]


@pytest.fixture(scope="module")
def nats() -> Iterator[NatsProcess]:
    with NatsProcess() as server:
        yield server


@pytest.fixture(params=["local", "nats"])
def make(request: pytest.FixtureRequest) -> Make:
    """Makes buses that meet."""
    if request.param == "local":
        exchange = Exchange()
        return lambda: LocalBus(exchange)
    url = request.getfixturevalue("nats").url
    return lambda: NatsBus(url, request.node.name)


@asynccontextmanager
async def opened(make: Make, *names: str) -> AsyncIterator[list[tuple[Bus, list[bytes]]]]:
    async with AsyncExitStack() as stack:
        found = []
        for name in names:
            bus, heard = make(), list[bytes]()
            await bus.open(name, heard.append)
            stack.push_async_callback(bus.close)
            found.append((bus, heard))
        yield found


async def test_messages_arrive_once_and_in_order(make: Make) -> None:
    async with opened(make, "a", "b", "c") as ((a, _), (b, at_b), (_, at_c)):
        sent = [str(number).encode() for number in range(500)]
        for data in sent:
            a.send("b", data)
        b.send("c", b"x")
        await until(lambda: len(at_b) >= len(sent) and bool(at_c))
        assert (at_b, at_c) == (sent, [b"x"])


async def test_longest_message_arrives_whole(make: Make) -> None:
    async with opened(make, "a", "b") as ((a, _), (_, at_b)):
        a.send("b", bytes(MAX_BYTES))
        await until(lambda: bool(at_b))
        assert at_b == [bytes(MAX_BYTES)]


async def test_message_to_absent_node_does_not_affect_others(make: Make) -> None:
    async with opened(make, "a", "b") as ((a, _), (_, at_b)):
        a.send("nobody", b"lost")
        a.send("b", b"here")
        await until(lambda: bool(at_b))
        assert at_b == [b"here"]


async def test_last_message_arrives_after_the_sender_closes(make: Make) -> None:
    async with opened(make, "b") as ((_, at_b),):
        a = make()
        await a.open("a", lambda data: None)
        a.send("b", b"good bye")
        await a.close()
        await until(lambda: at_b == [b"good bye"])


async def test_closed_bus_is_down_and_drops_messages(make: Make) -> None:
    a = make()
    await a.open("a", lambda data: None)
    assert a.is_up
    await a.close()
    assert not a.is_up
    a.send("a", b"too late")


async def test_clusters_on_one_nats_server_are_isolated(nats: NatsProcess) -> None:
    ours, theirs = list[bytes](), list[bytes]()
    a, b, other = NatsBus(nats.url, "one"), NatsBus(nats.url, "one"), NatsBus(nats.url, "two")
    await a.open("a", lambda data: None)
    await b.open("b", ours.append)
    await other.open("b", theirs.append)
    a.send("b", b"secret")
    await until(lambda: bool(ours))
    assert theirs == []
    for bus in (a, b, other):
        await bus.close()


async def test_bus_reconnects_after_nats_starts_late_or_restarts() -> None:
    server = NatsProcess()
    heard = list[bytes]()
    a, b = NatsBus(server.url, "late"), NatsBus(server.url, "late")
    await asyncio.gather(a.open("a", lambda data: None), b.open("b", heard.append))
    assert not a.is_up
    a.send("b", b"lost")
    try:
        for text in (b"first", b"second"):
            server.start()
            await until(lambda: all(bus.is_up for bus in (a, b)))
            a.send("b", text)
            await until(lambda: bool(heard))
            assert heard == [text]
            heard.clear()
            server.kill()
            await until(lambda: not any(bus.is_up for bus in (a, b)))
            a.send("b", b"lost")
        assert a.dropped >= 3
    finally:
        await a.close()
        await b.close()
        server.kill()


async def test_hung_nats_server_is_detected() -> None:
    with NatsProcess() as server:
        a = NatsBus(server.url, "hung")
        await a.open("a", lambda data: None)
        server.pause()
        try:
            await until(lambda: not a.is_up)
        finally:
            server.go_on()
        await until(lambda: a.is_up)
        await a.close()


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"INFO {bad json\r\n",
        b"INFO []\r\n",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\xff" * 200_000,
        b'INFO {"max_payload":1000000}\r\nPONG\r\nMSG what ever 9999999999999\r\n',
    ],
    ids=["nothing", "no json", "no object", "http", "no lines", "no protocol"],
)
async def test_bus_retries_until_the_server_speaks_nats(junk: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a NATS server answers, the bus works."""
    monkeypatch.setattr(nats_bus, "RETRY_INTERVAL_S", 0.02)
    monkeypatch.setattr(nats_bus, "OPEN_S", 0.1)
    heard, asked = list[bytes](), list[int]()

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(len(asked))
        writer.write(junk)
        writer.close()

    fake = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = fake.sockets[0].getsockname()[1]
    with NatsProcess() as server:
        async with BreakableLink(lambda: asyncio.open_connection("127.0.0.1", port)) as link:
            bus = NatsBus(f"nats://127.0.0.1:{link.port}", "junk")
            await bus.open("a", heard.append)
            assert not bus.is_up
            await until(lambda: len(asked) >= 3)
            port = server.port
            await until(lambda: bus.is_up)
            bus.send("a", b"x")
            await until(lambda: heard == [b"x"])
            await bus.close()
    fake.close()
    await fake.wait_closed()


async def test_message_sent_on_dead_connection_is_not_delivered_later() -> None:
    """The client buffers it until the connection is given up, and then drops it."""
    heard = list[bytes]()
    with NatsProcess() as server:
        async with BreakableLink(server.port) as link:
            a, b = NatsBus(f"nats://127.0.0.1:{link.port}", "dead"), NatsBus(server.url, "dead")
            await a.open("a", lambda data: None)
            await b.open("b", heard.append)
            link.stall("there")
            for number in range(40):
                a.send("b", b"%d" % number * 100_000)
            await until(lambda: not a.is_up)
            link.pull()
            link.plug()
            link.flow()
            await until(lambda: a.is_up)
            a.send("b", b"new")
            await until(lambda: b"new" in heard)
            assert heard == [b"new"]
            await a.close()
            await b.close()
