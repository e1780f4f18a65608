"""A websocket of a scripted client, with either codec."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

Message = dict[str, Any]

GONE = (OSError, EOFError, WebSocketException)
"""Errors of a client whose server is dead or dying."""

OPEN_S = 10.0

SILENT_S = 40.0
"""A server that has sent nothing for this long, pings and ticks included, counts as gone."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Message).decode


class Socket:
    """Use as ``async with Socket(url, token, codec) as socket: async for message in socket``.

    Entering raises one of ``GONE``.

    Attributes:
        closed_with: the close code; None while it is open, or if it never was.
    """

    def __init__(self, url: str, token: str | None, codec: str = "msgpack") -> None:
        self.closed_with: int | None = None
        self._url = url
        self._token = token
        self._codec = codec
        self._socket: ClientConnection

    async def __aenter__(self) -> Socket:
        headers = {} if self._token is None else {"Authorization": f"Bearer {self._token}"}
        self._socket = await connect(
            self._url.replace("http", "ws", 1) + "/ws",
            additional_headers=headers,
            subprotocols=[f"zeitnot.v1.{self._codec}"],  # type: ignore[list-item]  # a NewType of str
            compression=None,
            max_size=None,
            ping_interval=SILENT_S / 2,
            ping_timeout=SILENT_S / 2,
            open_timeout=OPEN_S,
            close_timeout=1.0,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()
        self.closed_with = self._socket.close_code if self._socket.close_code is not None else 1006

    async def send(self, message: Message) -> None:
        """Send ``message``. Raises one of ``GONE``."""
        await self._socket.send(_encode(message) if self._codec == "msgpack" else json.dumps(message))

    async def __aiter__(self) -> AsyncIterator[Message]:
        """Yield every message from the welcome on, until the socket is closed."""
        try:
            async for payload in self._socket:
                yield json.loads(payload) if isinstance(payload, str) else _decode(payload)
        except ConnectionClosed:
            return
