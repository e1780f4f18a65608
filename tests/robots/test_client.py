"""The client for bots against servers that fail in the middle."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from robots.client import BotClient, BotDisconnected

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

WELCOME = msgspec.msgpack.encode({"t": "welcome", "user": None, "games": [], "limits": {"rate": 1000, "burst": 1000}})


@contextlib.asynccontextmanager
async def server(handle: Callable[[ServerConnection], Awaitable[None]]) -> AsyncIterator[str]:
    """Yield the address of a server that handles each socket by ``handle``."""
    async with serve(handle, "127.0.0.1", 0, subprotocols=["zeitnot.v1.msgpack"], close_timeout=0.1) as running:  # type: ignore[list-item]  # a NewType of str
        yield f"http://127.0.0.1:{next(iter(running.sockets)).getsockname()[1]}"


async def stay(socket: ServerConnection) -> None:
    await socket.wait_closed()


async def greet(socket: ServerConnection) -> None:
    await socket.send(WELCOME)
    await socket.wait_closed()


async def greet_and_die(socket: ServerConnection) -> None:
    await socket.send(WELCOME)
    socket.transport.pause_reading()  # as after a loss of the network: nothing comes, and nothing is closed
    await asyncio.sleep(1)


async def test_server_without_a_welcome_is_given_up() -> None:
    async with server(stay) as url:
        with pytest.raises(BotDisconnected):
            async with asyncio.timeout(5), BotClient(url, timeout_s=0.2):
                pass


async def test_request_without_an_answer_closes_the_connection() -> None:
    async with server(greet) as url, BotClient(url, timeout_s=0.1) as client:
        with pytest.raises(BotDisconnected, match="does not answer"):
            await client.request("sub", topic="user")
        async with asyncio.timeout(5):
            assert [message async for message in client] == []
        assert not client.is_open


async def test_connection_whose_other_end_is_gone_is_noticed() -> None:
    async with server(greet_and_die) as url, BotClient(url, timeout_s=0.1) as client, asyncio.timeout(5):
        assert [message async for message in client] == []


async def test_server_nearby_is_reached_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    async with server(greet) as url, BotClient(url) as client:
        assert client.is_open
