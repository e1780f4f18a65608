"""A client with one socket that matches answers to requests. Subclasses handle all other messages."""

from __future__ import annotations

import asyncio
import itertools
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import msgspec

from bench.load.socket import RequestFailed, connect

if TYPE_CHECKING:
    from bench.load.socket import RawWebSocket

MATCH_BITS = 12
"""The id of a move is the number of its match, from 1, followed by the half-move in this many bits. Smaller ids are
other requests."""


class MessageHeader(msgspec.Struct):
    """The fields of a message that clients need."""

    t: str
    id: int = 0
    g: str = ""
    ply: int = -1
    board: int = 0


decode_header = msgspec.msgpack.Decoder(MessageHeader).decode


class Requester(ABC):
    """Base of clients with one socket.

    Attributes:
        socket: set by ``connect``.
    """

    def __init__(self) -> None:
        self.socket: RawWebSocket
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ids = itertools.count(1)
        self._welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def connect(self, url: str, token: str | None) -> None:
        """Open the socket and wait for the welcome."""
        self.socket = await connect(url, token, self._on_message)
        await self._welcome

    async def close(self) -> None:
        """Close the socket."""
        self.socket.transport.close()
        await self.socket.closed

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request and return its ``ok``. Raises ``RequestFailed``."""
        number = next(self._ids) % (1 << MATCH_BITS)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        self.socket.request({"t": kind, "id": number, **fields})
        return await answer

    def answered(self, kind: str, number: int, payload: bytes) -> None:
        """Handle answers and the welcome; ``_hear`` passes them here.

        Args:
            kind: the message's ``t``.
            number: its ``id``; 0 if it has none.
            payload: the message.
        """
        if kind == "ok":
            self._answers.pop(number).set_result(msgspec.msgpack.decode(payload))
        elif kind == "error":
            answer = msgspec.msgpack.decode(payload)
            error = RequestFailed(f"{answer['code']}: {answer['message']}")
            if number in self._answers:
                self._answers.pop(number).set_exception(error)
            else:
                self._refused(number, error)
        elif kind == "welcome":
            self._welcome.set_result(None)

    @abstractmethod
    def _on_message(self, payload: bytes) -> None:
        """Handle any message."""

    @abstractmethod
    def _refused(self, number: int, error: RequestFailed) -> None:
        """Handle the refusal of message ``number``, which is not a request of ``request``."""
