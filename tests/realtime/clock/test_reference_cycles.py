"""Reference cycles: closed sockets and finished games leave nothing for the garbage collector."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import socket
import weakref
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from websockets.frames import Opcode

from game_core import commands as c
from tests.realtime.echo_server import ECHO, EchoServer, echo_server
from tests.realtime.raw_client import client_frame, text, upgrade_request
from tests.realtime.table_harness import Harness, play

if TYPE_CHECKING:
    from collections.abc import Iterator

COME = 40
"""Connections of each kind; of what one of them leaves behind there would be so many."""

KINDS = {
    "a socket that talks and just goes": upgrade_request() + text(ECHO),
    "a socket that says goodbye": upgrade_request() + client_frame(Opcode.CLOSE, b"\x03\xe8"),
    "a socket that breaks the protocol": upgrade_request() + b"\xff" * 8,
    "a socket in the middle of a frame": upgrade_request() + text(ECHO)[:-1],
    "a member's socket": upgrade_request("Authorization: Bearer member"),
    "a socket with a bad token": upgrade_request("Authorization: Bearer expired"),
    "a socket that asks elsewhere": upgrade_request(path="/other"),
    "a socket without a key": upgrade_request().replace(b"Sec-WebSocket-Key", b"X-Key"),
    "a socket with too long a header": upgrade_request("Cookie: " + "x" * 9_000),
    "a socket whose request has a body": upgrade_request("Content-Length: 3") + b"abc",
    "a request": b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "a connection that is kept": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "requests one behind the other": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 3,
    "a request that breaks off": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabcd",
    "half a head": b"GET / HTTP/1.1\r\nHost:",
    "no HTTP": b"HELLO\r\n\r\n",
    "nothing at all": b"",
}
"""What is sent on the connection."""

LAST = KINDS["a request"]


@pytest.fixture
def no_collections() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def no_log() -> Iterator[None]:
    """pytest keeps what is logged."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


def come_and_go(port: int, data: bytes, times: int) -> None:
    """Send ``data``, read an answer to each request, if it asks for any, and hang up."""
    for _ in range(times):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as client, contextlib.suppress(ConnectionError):
            client.sendall(data)
            if data.endswith(b"\r\n") or b"Upgrade" in data:
                asked, answers = max(data.count(b" HTTP/1.1\r\n"), 1), client.recv(1000)
                while answers.count(b"HTTP/1.1 ") < asked and (more := client.recv(1000)):
                    answers += more


async def garbage_after(server: EchoServer, connections: int, data: bytes) -> Counter[str]:
    """What only the collector frees when so many have come and gone, by type."""
    await asyncio.to_thread(come_and_go, server.port, data, connections)
    await asyncio.to_thread(come_and_go, server.port, LAST, 1)  # all others have been taken on when it is answered
    await server.until_empty()
    async with asyncio.timeout(10):
        while server.uvicorn.server_state.tasks:  # noqa: ASYNC110  there is no event
            await asyncio.sleep(0.001)
    server.handler.opened.clear()
    server.handler.closed.clear()
    server.handler.received.clear()
    await asyncio.sleep(0)  # asyncio's own last look at the connection
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        return Counter(f"{type(thing).__module__}.{type(thing).__qualname__}" for thing in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()


@pytest.mark.usefixtures("no_collections", "no_log")
@pytest.mark.parametrize("data", KINDS.values(), ids=KINDS)
async def test_closed_connections_leave_no_cycles(data: bytes) -> None:
    async with echo_server() as server:
        await garbage_after(server, 3, data)
        garbage = await garbage_after(server, COME, data)
        left = {name: count for name, count in garbage.items() if count >= COME // 2}
        assert not left


@pytest.mark.usefixtures("no_collections")
@pytest.mark.parametrize("ends", [True, False])
def test_game_is_freed_with_last_reference_to_its_table(ends: bool) -> None:
    harness = Harness()
    harness.solver.otherwise = None  # queries stay open: the solver must not keep the table either
    play(harness, "e2e4", "e7e5")
    harness.table.chances.query_ahead("b")
    if ends:
        harness.ask(c.Resign(by="w"))
    table = weakref.ref(harness.table)
    harness.journal.written.clear()  # written appends refer to their callbacks
    del harness.table
    assert table() is None
    for _, told in harness.solver.waiting:
        told("no")


@pytest.mark.usefixtures("no_collections")
def test_pending_command_keeps_its_table() -> None:
    harness = Harness()
    play(harness, "e2e4", "e7e5")
    harness.solver.otherwise = None
    harness.time.advance(3_600_000)
    harness.ask(c.ClaimFlag(by="b"))
    assert harness.table.chances.is_waiting
    answers = len(harness.answers)
    harness.journal.written.clear()  # written appends refer to their callbacks
    del harness.table
    _, told = harness.solver.waiting[-1]
    told("yes")
    harness.journal.settle()
    assert len(harness.answers) == answers + 1
