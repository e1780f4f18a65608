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

    async def nothing() -> None:
        """There is nothing to be flushed."""

    config = uvicorn.Config(app, host="127.0.0.1", port=0, lifespan="off", log_config=None)
    server = Server(config, lambda url: ready.set(), nothing)
    serving = asyncio.create_task(server.serve())
    await ready.wait()
    yield server
    server.should_exit = True
    await serving


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
