"""Client end of a websocket, as cheap as possible in Python: no library, no task, no decoding of unread messages.

Frames are masked with the key zero, which leaves the payload unchanged: it is the same to the server and saves time in
the client. Only whole, unfragmented binary frames are understood, which is all that our server sends.
"""

from __future__ import annotations

import asyncio
import base64
import os
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

    OnMessage = Callable[[bytes], None]

SUBPROTOCOL = "zeitnot.v1.msgpack"

BINARY, CLOSE, PING, PONG = 0x2, 0x8, 0x9, 0xA
FIN = MASKED = 0x80
NO_MASK = b"\0\0\0\0"

_BUFFER = memoryview(bytearray(1 << 16))

encode = msgspec.msgpack.Encoder().encode


class RequestFailed(RuntimeError):
    """The server did not do what the benchmark needs."""


def frame(payload: bytes, opcode: int = BINARY) -> bytes:
    """Return ``payload`` (up to 64 KiB) as a client's frame."""
    length = len(payload)
    if length < 126:
        return bytes((FIN | opcode, MASKED | length)) + NO_MASK + payload
    return bytes((FIN | opcode, MASKED | 126)) + length.to_bytes(2, "big") + NO_MASK + payload


def request(message: dict[str, Any]) -> bytes:
    """Return ``message`` as a client's frame."""
    return frame(encode(message))


class RawWebSocket(asyncio.BufferedProtocol):
    """One socket to the server.

    Attributes:
        on_message: called with the payload of every message.
        opened: done when the server has answered the upgrade; failed if it refused.
        closed: done when the connection is closed.
    """

    __slots__ = ("_rest", "_token", "_upgraded", "_url", "closed", "on_message", "opened", "transport")

    def __init__(self, url: str, token: str | None, on_message: OnMessage) -> None:
        loop = asyncio.get_running_loop()
        self.on_message = on_message
        self.opened: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self.transport: asyncio.Transport
        self._url = url
        self._token = token
        self._upgraded = False
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the upgrade request."""
        self.transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        authorization = "" if self._token is None else f"Authorization: Bearer {self._token}\r\n"
        self.transport.write(
            f"GET /ws HTTP/1.1\r\nHost: {urlsplit(self._url).netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {SUBPROTOCOL}\r\n"
            f"{authorization}\r\n".encode()
        )

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return the read buffer. All sockets share one, which is emptied at once."""
        del sizehint
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        """Split the data into frames. This is the client's hot loop, run once a frame."""
        data = bytes(_BUFFER[:nbytes])
        if self._rest:
            data = self._rest + data
            self._rest = b""
        if not self._upgraded:
            data = self._upgrade(data)
        at, size = 0, len(data)
        while size - at >= 2:
            length, start = data[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            end = start + length
            if start > size or end > size:
                break
            opcode = data[at] & 0xF
            if opcode == BINARY:
                self.on_message(data[start:end])
            elif opcode == PING:
                self.transport.write(frame(data[start:end], PONG))
            elif opcode == CLOSE:
                self.transport.close()
            at = end
        if at < size:
            self._rest = data[at:]

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the connection."""
        if not self.opened.done():
            self.opened.set_exception(RequestFailed("the server hung up before the upgrade"))
        if not self.closed.done():
            self.closed.set_result(None)

    def send(self, framed: bytes) -> None:
        """Send a prebuilt frame."""
        self.transport.write(framed)

    def request(self, message: dict[str, Any]) -> None:
        """Build and send a message."""
        self.transport.write(request(message))

    def _upgrade(self, data: bytes) -> bytes:
        """Take the server's answer to the upgrade once it is complete; return what follows it."""
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            self._rest = data
            return b""
        self._upgraded = True
        if head.startswith(b"HTTP/1.1 101 "):
            self.opened.set_result(None)
        else:
            self.opened.set_exception(RequestFailed(f"no upgrade: {data.decode(errors='replace')}"))
        return rest


def host_and_port(url: str) -> tuple[str, int]:
    """Return host and port of the server at ``url``."""
    address = urlsplit(url)
    assert address.hostname is not None, "the server prints it"
    assert address.port is not None, "the server prints it"
    return address.hostname, address.port


async def connect(url: str, token: str | None, on_message: OnMessage) -> RawWebSocket:
    """Return an open socket to the server at ``url`` (``http://HOST:PORT``)."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: RawWebSocket(url, token, on_message), *host_and_port(url))
    await socket.opened
    return socket
