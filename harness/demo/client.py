"""A websocket of a demonstration: requests with their answers, and a callback for all other messages."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from harness.demo.errors import DemoFailed, RequestRefused

if TYPE_CHECKING:
    from collections.abc import Callable

Message = dict[str, Any]

OPEN_S = 30.0
"""Timeout of a handshake; many sockets are opened concurrently."""

ANSWER_S = 30.0
"""Timeout of an answer. A server answers every request, with ``unavailable`` after ten seconds at the latest."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Message).decode


class Client:
    """An open socket.

    Attributes:
        welcome: the server's first message.
        closed: done when the socket is closed.
    """

    def __init__(self, socket: ClientConnection, welcome: Message, on_message: Callable[[Message], None]) -> None:
        self.welcome = welcome
        self._socket = socket
        self._on_message = on_message
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self.closed: asyncio.Task[None] = asyncio.create_task(self._read(), name="a demonstration's socket")

    @classmethod
    async def open(cls, url: str, token: str | None, on_message: Callable[[Message], None]) -> Client:
        """Connect to the server at ``url`` (``http://HOST:PORT``) and wait for its welcome.

        Args:
            token: None for an anonymous spectator.
            hear: called with every message that is not an answer to a request.

        Raises:
            DemoFailed: the server refuses the connection.
            RequestRefused: it cannot accept it now (``unavailable``), or is not running.
        """
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        try:
            socket = await connect(
                url.replace("http", "ws", 1) + "/ws",
                additional_headers=headers,
                subprotocols=["zeitnot.v1.msgpack"],  # type: ignore[list-item]  # a NewType of str
                compression=None,
                max_size=None,  # the snapshot of a thousand boards has hundreds of kilobytes
                ping_interval=None,  # the server sends them
                open_timeout=OPEN_S,
                close_timeout=1.0,
            )
            welcome = _decode(_bytes(await socket.recv()))
        except InvalidStatus as error:
            raise _refusal(url, error) from error
        except (InvalidHandshake, ConnectionClosed, TimeoutError, OSError) as error:
            # The server answered when the guests were created. A busy machine may be late for a handshake.
            raise RequestRefused("unavailable", f"no socket to {url}: {str(error) or type(error).__name__}") from error
        return cls(socket, welcome, on_message)

    async def request(self, kind: str, **fields: Any) -> Message:
        """Send a request and return its ``ok``.

        Raises:
            RequestRefused: it was answered with an error, or not at all (``unavailable``).
        """
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(_encode({"t": kind, "id": number, **fields}))
            async with asyncio.timeout(ANSWER_S):
                message: Message = await answer
        except (ConnectionClosed, TimeoutError) as error:
            raise RequestRefused("unavailable", "the server does not answer") from error
        finally:
            self._answers.pop(number, None)
        if message["t"] == "error":
            raise RequestRefused(message["code"], message["message"])
        return message

    async def close(self) -> None:
        """Close the socket."""
        with suppress(OSError):
            await self._socket.close()
        await self.closed

    async def _read(self) -> None:
        try:
            async for payload in self._socket:
                message = _decode(_bytes(payload))
                answer = self._answers.get(message.get("id", 0)) if message["t"] in ("ok", "error") else None
                if answer is None:
                    self._on_message(message)
                elif not answer.done():
                    answer.set_result(message)
        except ConnectionClosed:
            pass
        finally:
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_result({"t": "error", "code": "unavailable", "message": "the socket was closed"})


def _bytes(payload: str | bytes) -> bytes:
    return payload.encode() if isinstance(payload, str) else payload


def _refusal(url: str, error: InvalidStatus) -> DemoFailed:
    status = error.response.status_code
    if status == 401:
        return DemoFailed(
            f"{url} does not know that token; one is made on the account page, with the scopes play and host"
        )
    if status == 429:
        return DemoFailed(
            f"{url} takes no more sockets from one address; start it with --limit connections=2000,guests=2000, "
            "or take fewer boards"
        )
    why = bytes(error.response.body or b"").decode(errors="replace")[:200]
    message = f"{url} refuses a socket: {status} {why}".rstrip()
    return RequestRefused("unavailable", message) if status == 503 else DemoFailed(message)
