"""Many who come at once wait in the kernel, and are let in a few at a time."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING, Any

import uvicorn

from realtime.server import ACCEPTED_AT_ONCE, Server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

COMING = 50
"""Many more than are accepted at once."""


async def app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


@contextlib.asynccontextmanager
async def served() -> AsyncIterator[Server]:
    ready = asyncio.Event()

    async def nothing(has_time: bool) -> None:
        """There is nothing to be flushed."""

    config = uvicorn.Config(app, host="127.0.0.1", port=0, lifespan="off", log_config=None)
    server = Server(config, lambda url: ready.set(), nothing)
    serving = asyncio.create_task(server.serve())
    await ready.wait()
    yield server
    server.should_exit = True
    await serving


async def test_who_is_there_does_not_wait_for_all_who_come() -> None:
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


async def test_who_comes_while_the_loop_is_busy_waits_and_is_let_in() -> None:
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
