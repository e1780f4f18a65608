"""Server: connections are accepted in small groups, and shutdown is graceful unless SIGINT hurries it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn

from lobby.errors import Unavailable
from realtime.net.server import ACCEPTED_AT_ONCE, Server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

COMING = 50
"""Many more than are accepted at once."""


async def app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


class House:
    """What a server does before its end."""

    def __init__(self) -> None:
        self.is_leaving = asyncio.Event()
        self.may_leave = asyncio.Event()
        self.has_closed = asyncio.Event()
        self.may_end = asyncio.Event()
        self.was_hurried = False
        self.was_flushed = False

    async def leave(self, close: Callable[[], None]) -> None:
        """Close and end when it may."""
        self.is_leaving.set()
        try:
            await self.may_leave.wait()
            close()
            self.has_closed.set()
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.was_hurried = True
            raise

    async def flush(self) -> None:
        """There is nothing to be flushed."""
        self.was_flushed = True


@contextlib.asynccontextmanager
async def served(house: House | None = None) -> AsyncIterator[Server]:
    ready, house = asyncio.Event(), house or House()
    config = uvicorn.Config(app, host="127.0.0.1", port=0, lifespan="off", log_config=None)
    server = Server(config, lambda url: ready.set(), house.leave, house.flush)
    serving = asyncio.create_task(server.serve())
    await ready.wait()
    yield server
    if not house.may_end.is_set():
        server.handle_exit(signal.SIGINT, None)
    await serving
    assert house.was_flushed


def answer_at(place: tuple[str, int]) -> bytes:
    """What a new connection gets. Raises ``ConnectionRefusedError``."""
    with socket.create_connection(place, timeout=10) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        return client.recv(100)


async def test_server_accepts_connections_until_close() -> None:
    house = House()
    async with served(house) as server:
        place = server.servers[0].sockets[0].getsockname()[:2]
        server.handle_exit(signal.SIGTERM, None)
        await house.is_leaving.wait()
        assert (await asyncio.to_thread(answer_at, place)).startswith(b"HTTP/1.1 204")
        house.may_leave.set()
        await house.has_closed.wait()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.to_thread(answer_at, place)
        assert not house.was_flushed
        house.may_end.set()
    assert not house.was_hurried


@pytest.mark.parametrize("is_closed", [False, True])
async def test_sigint_during_shutdown_hurries_it(is_closed: bool) -> None:
    house = House()
    async with served(house) as server:
        server.handle_exit(signal.SIGTERM, None)
        await house.is_leaving.wait()
        if is_closed:
            house.may_leave.set()
            await house.has_closed.wait()
    assert house.was_hurried


async def test_failing_shutdown_step_still_sends_answers(caplog: pytest.LogCaptureFixture) -> None:
    class Faulty(House):
        async def leave(self, close: Callable[[], None]) -> None:
            self.may_end.set()
            raise Unavailable("nobody has it")

    house = Faulty()
    async with served(house) as server:  # which looks whether it was flushed
        server.handle_exit(signal.SIGTERM, None)
        await house.may_end.wait()
    assert "could not shut down cleanly" in caplog.text


async def test_sigint_skips_the_shutdown_steps() -> None:
    house = House()
    async with served(house) as server:
        server.handle_exit(signal.SIGINT, None)
        server.handle_exit(signal.SIGTERM, None)  # too late to be patient
    assert not house.is_leaving.is_set()


async def test_open_connection_is_served_while_many_connect() -> None:
    async with served() as server, contextlib.AsyncExitStack() as stack:
        place = server.servers[0].sockets[0].getsockname()[:2]
        there = stack.enter_context(socket.create_connection(place, timeout=10))
        async with asyncio.timeout(10):
            while not server.server_state.connections:  # noqa: ASYNC110  there is no event
                await asyncio.sleep(0)
        for _ in range(COMING):
            stack.enter_context(socket.create_connection(place, timeout=10))
        there.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        there.setblocking(False)
        answer = b""
        async with asyncio.timeout(10):
            while not answer:
                await asyncio.sleep(0)
                with contextlib.suppress(BlockingIOError):
                    answer = there.recv(100)
        assert answer.startswith(b"HTTP/1.1 204")
        assert len(server.server_state.connections) < COMING / 2
        async with asyncio.timeout(10):
            while len(server.server_state.connections) <= COMING:  # noqa: ASYNC110  there is no event
                await asyncio.sleep(0)


async def test_connections_during_busy_loop_are_accepted_in_groups() -> None:
    async with served() as server, contextlib.AsyncExitStack() as stack:
        place = server.servers[0].sockets[0].getsockname()[:2]
        # The loop does not turn meanwhile: all of them are in the kernel's queue.
        clients = [stack.enter_context(socket.create_connection(place, timeout=10)) for _ in range(COMING)]
        taken_on: list[int] = []
        while len(server.server_state.connections) < COMING:
            before = len(server.server_state.connections)
            await asyncio.sleep(0)
            taken_on.append(len(server.server_state.connections) - before)
        assert max(taken_on) <= ACCEPTED_AT_ONCE
        for client in clients:
            client.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(clients[-1], b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await loop.sock_recv(clients[-1], 100)).startswith(b"HTTP/1.1 204")
