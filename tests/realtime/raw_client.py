"""A client under the exact control of a test: requests and frames as bytes on a TCP connection."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

from websockets.frames import Close, Frame, Opcode
from websockets.streams import StreamReader

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PATIENCE_S = 10.0
"""Timeout for what must come."""


def upgrade_request(*headers: str, path: str = "/ws", host: str = "localhost") -> bytes:
    """Return a well-formed opening handshake with additional header lines."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        "Connection: keep-alive, Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *headers,
    ]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


def client_frame(opcode: Opcode, payload: bytes | str = b"", *, fin: bool = True, mask: bool = True) -> bytes:
    """Return a frame as a client sends it."""
    data = payload.encode() if isinstance(payload, str) else payload
    return Frame(opcode, data, fin).serialize(mask=mask)


def text(payload: bytes | str) -> bytes:
    """Return a whole text message."""
    return client_frame(Opcode.TEXT, payload)


class RawClient:
    """One TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._frames = StreamReader()

    async def send(self, data: bytes) -> None:
        """Send bytes and wait until the transport has taken them."""
        self.writer.write(data)
        await self.writer.drain()

    async def response(self) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers (names in lower case) and body of the next HTTP response."""
        async with asyncio.timeout(PATIENCE_S):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:-2])}
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        return int(head[0].split(" ")[1]), headers, body

    async def error(self) -> tuple[int, str]:
        """Return status and code of the next response, which must be an error in JSON."""
        status, headers, body = await self.response()
        assert headers["content-type"] == "application/json"
        error = json.loads(body)["error"]
        assert set(error) == {"code", "message"}
        return status, error["code"]

    async def open(self, *headers: str) -> dict[str, Any]:
        """Do the opening handshake; return the welcome."""
        await self.send(upgrade_request(*headers))
        assert (await self.response())[0] == 101
        return await self.message()

    async def frame(self) -> Frame:
        """Return the next frame of any kind."""
        parser = Frame.parse(self._frames.read_exact, mask=False)
        while True:
            try:
                next(parser)
            except StopIteration as parsed:
                frame: Frame = parsed.value
                return frame
            async with asyncio.timeout(PATIENCE_S):
                data = await self.reader.read(65536)
            if not data:
                raise EOFError("the server hung up")
            self._frames.feed_data(data)

    async def next(self, opcode: Opcode) -> Frame:
        """Return the next frame of this kind; pings before it are skipped, unanswered."""
        while (frame := await self.frame()).opcode is not opcode:
            assert frame.opcode is Opcode.PING, f"expected {opcode.name}, got {frame}"
        return frame

    async def message(self) -> dict[str, Any]:
        """Return the next text message."""
        message: dict[str, Any] = json.loads(bytes((await self.next(Opcode.TEXT)).data))
        return message

    async def close_frame(self) -> Close:
        """Return the next close frame, skipping messages before it."""
        while (frame := await self.frame()).opcode is not Opcode.CLOSE:
            pass
        return Close.parse(frame.data)

    async def hung_up(self) -> bytes:
        """Return what comes until the server closes the connection, possibly by a reset."""
        rest = b""
        async with asyncio.timeout(PATIENCE_S):
            with contextlib.suppress(ConnectionError):
                while data := await self.reader.read(65536):
                    rest += data
        return rest


@contextlib.asynccontextmanager
async def raw_client(port: int) -> AsyncIterator[RawClient]:
    """Connect to the server on ``port`` of this machine."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield RawClient(reader, writer)
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
