"""One socket of somebody who asks for things: requests with their answers. What else comes is for who he is."""

from __future__ import annotations

import asyncio
import itertools
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import msgspec

from bench.load.socket import Refused, connect

if TYPE_CHECKING:
    from bench.load.socket import Socket

MATCH_BITS = 12
"""Ids of moves are the match's number, from 1, and the half-move's in this many bits; smaller ids are others'."""


class Asker(ABC):
    """A socket and whoever sits at it.

    Attributes:
        socket: his, once he has come.
    """

    def __init__(self) -> None:
        self.socket: Socket
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ids = itertools.count(1)
        self._welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def come(self, url: str, token: str | None) -> None:
        """Open the socket and wait for the welcome."""
        self.socket = await connect(url, token, self._hear)
        await self._welcome

    async def go(self) -> None:
        """Hang up."""
        self.socket.transport.close()
        await self.socket.closed

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """A request and its ``ok``. Raises ``Refused``."""
        number = next(self._ids) % (1 << MATCH_BITS)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        self.socket.ask({"t": kind, "id": number, **fields})
        return await answer

    def answered(self, kind: str, number: int, payload: bytes) -> None:
        """Take what answers a request, or greets; ``_hear`` hands on what is nothing else.

        Args:
            kind: the message's ``t``.
            number: its ``id``, 0 where it has none.
            payload: the message.
        """
        if kind == "ok":
            self._asked.pop(number).set_result(msgspec.msgpack.decode(payload))
        elif kind == "error":
            answer = msgspec.msgpack.decode(payload)
            error = Refused(f"{answer['code']}: {answer['message']}")
            if number in self._asked:
                self._asked.pop(number).set_exception(error)
            else:
                self._refused(number, error)
        elif kind == "welcome":
            self._welcome.set_result(None)

    @abstractmethod
    def _hear(self, payload: bytes) -> None:
        """Any message."""

    @abstractmethod
    def _refused(self, number: int, error: Refused) -> None:
        """What was sent as ``number`` is refused, and it was no request of ``ask``."""
