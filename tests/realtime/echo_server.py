"""A real uvicorn server in the test's event loop, with a few lines of ASGI as pages and an echo as session."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from typing import TYPE_CHECKING, Any

import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from lobby.accounts.identity import token_hash
from lobby.accounts.user import Grant, User
from realtime.clock.loop_time import new_event_loop, running_time
from realtime.net.gateway import Gateway
from realtime.net.http_protocol import TAKE_TIME
from realtime.protocol.limits import Limits
from tests.realtime.raw_client import RawClient, raw_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
    from contextlib import AbstractAsyncContextManager

    from realtime.net.connection import Connection

ECHO = '{"t":"x"}'
"""A message that is echoed unchanged."""

MSGPACK = "zeitnot.v1.msgpack"
JSON = "zeitnot.v1.json"

QUICK = Limits(close_s=0.3)
"""The defaults, except that a raw client that does not close its connection delays nothing for a second."""

LONG, LONG_PIECES = 64 * 1024 * 1024, 1024
"""Size of a long response in bytes, and the number of pieces in which it is sent."""

USERS = {
    "member": User("u1", "Anna", "member"),
    "guest": User("u2", "Guest 2", "guest"),
    "other-guest": User("u3", "Guest 3", "guest"),
}
"""Users by token."""


class Echo:
    """A session that sends a welcome, echoes every message, and records its calls."""

    def __init__(self) -> None:
        self.opened: list[Connection] = []
        self.closed: list[Connection] = []
        self.received: list[tuple[dict[str, Any], int]] = []
        self.asked: list[str] = []
        """Tokens that were presented."""
        self.may_answer = asyncio.Event()
        """While cleared, ``authenticate`` waits."""
        self.may_answer.set()
        self._changed = asyncio.Event()

    async def authenticate(self, token: str) -> Grant | None:
        self.asked.append(token)
        self._changed.set()
        await self.may_answer.wait()
        if token == "broken":
            raise RuntimeError("no database")
        user = USERS.get(token)
        return None if user is None else Grant(user, token_hash(token))

    def on_open(self, connection: Connection) -> None:
        self.opened.append(connection)
        self._changed.set()
        connection.send({"t": "welcome", "user": connection.user and connection.user.name})

    def on_message(self, connection: Connection, message: dict[str, Any], received_ms: int) -> None:
        self.received.append((message, received_ms))
        self._changed.set()
        match message.get("t"):
            case "raise":
                raise ValueError("the session is broken")
            case "leave":
                connection.close(1000, "as you wish")
            case "broadcast":
                for other in self.opened:
                    other.send(message)
            case _:
                connection.send(message)

    def on_close(self, connection: Connection) -> None:
        self.closed.append(connection)
        self._changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition on the recorded calls."""
        async with asyncio.timeout(10):
            while not condition():
                self._changed.clear()
                await self._changed.wait()


async def page(
    scope: MutableMapping[str, Any],
    receive: Callable[[], Awaitable[MutableMapping[str, Any]]],
    send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
) -> None:
    """Respond with the method and the length of the body. ``/long`` responds with more than fits into the socket
    buffers, ``/slow`` has no timeout for the body, and ``/hasty`` has none either but waits for its first piece
    only."""
    length, more = 0, True
    if scope["path"] in ("/slow", "/hasty"):
        scope["extensions"][TAKE_TIME]["call"]()
    while more and not (length and scope["path"] == "/hasty"):
        event = await receive()
        length += len(event.get("body", b""))
        more = event.get("more_body", False)
    body = f"{scope['method']} {length}".encode()
    if scope["path"] == "/long":
        body = bytes(LONG // LONG_PIECES)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % LONG)]})
        for _ in range(LONG_PIECES - 1):
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": body})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


class EchoServer:
    """The server and its gateway; ``port`` is where it listens."""

    def __init__(self, limits: Limits, *, trust_tcp_info: bool) -> None:
        self.handler = Echo()
        self.gateway = Gateway(self.handler, running_time(), limits=limits, trust_tcp_info=trust_tcp_info)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.socket.getsockname()[1]
        config = uvicorn.Config(
            page, lifespan="off", log_config=None, timeout_graceful_shutdown=5, **self.gateway.uvicorn_options()
        )
        self.uvicorn = uvicorn.Server(config)

        self.running: asyncio.Task[None]

    async def stop(self) -> None:
        """Stop as SIGTERM does, and wait for the end."""
        self.uvicorn.should_exit = True
        await self.running
        assert not self.uvicorn.server_state.connections
        assert not self.uvicorn.server_state.tasks

    async def until_empty(self) -> None:
        """Poll until uvicorn has forgotten all connections; it has no notification."""
        async with asyncio.timeout(10):
            while self.uvicorn.server_state.connections:  # noqa: ASYNC110  there is no event
                await asyncio.sleep(0.001)

    async def until_begun(self, connections: int) -> None:
        """Poll until so many connections have sent an incomplete request; uvicorn has no notification."""
        async with asyncio.timeout(10):
            while self._begun() < connections:  # noqa: ASYNC110  there is no event
                await asyncio.sleep(0.001)

    def _begun(self) -> int:
        return sum(getattr(one, "_has_begun", True) for one in self.uvicorn.server_state.connections)

    def connect(self, *subprotocols: str, token: str | None = None, **options: Any) -> connect:
        """Return a ``websockets`` client of this server: an async context manager."""
        headers = dict(options.pop("additional_headers", {}))
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        options = {"proxy": None, "compression": None, "ping_interval": None, **options}
        return connect(
            f"ws://127.0.0.1:{self.port}{options.pop('path', '/ws')}",
            additional_headers=headers,
            subprotocols=[Subprotocol(name) for name in subprotocols] or None,
            **options,
        )

    @contextlib.asynccontextmanager
    async def welcomed(self, *subprotocols: str, **options: Any) -> AsyncIterator[ClientConnection]:
        """Connect a client that has read its welcome."""
        async with self.connect(*subprotocols, **options) as client:
            await client.recv()
            yield client

    def raw(self) -> AbstractAsyncContextManager[RawClient]:
        """Return a plain TCP connection to the server."""
        return raw_client(self.port)


@contextlib.asynccontextmanager
async def echo_server(limits: Limits = QUICK, *, trust_tcp_info: bool = True) -> AsyncIterator[EchoServer]:
    """Run a server. At the end it is stopped as by SIGTERM, unless the test has stopped it."""
    server = EchoServer(limits, trust_tcp_info=trust_tcp_info)
    server.running = asyncio.create_task(server.uvicorn.serve(sockets=[server.socket]), name="uvicorn")
    try:  # the socket listens already: an early client waits in the backlog
        yield server
    finally:
        await server.stop()


async def close_code(client: ClientConnection) -> int | None:
    """Return the code with which the server closes, skipping messages before it."""
    async with asyncio.timeout(10):
        try:
            while True:
                await client.recv()
        except ConnectionClosed as end:
            return None if end.rcvd is None else end.rcvd.code


async def talks(client: ClientConnection) -> bool:
    """Return whether the socket still gets answers."""
    await client.send(ECHO)
    return await client.recv() == ECHO


async def main() -> None:
    """Serve until a signal; print the port on stdout."""
    async with echo_server() as server:
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        await server.running


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(main())
