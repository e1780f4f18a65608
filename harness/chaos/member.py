"""Member who makes requests and listens on a socket of their own."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from harness.chaos.polling import until
from harness.chaos.repeated_requests import request_until_done
from harness.chaos.socket import GONE, Message, Socket

if TYPE_CHECKING:
    import random

AGAIN_S = 0.3
"""Interval between two attempts."""

CHAT_S = 2.0
"""Time for a line of chat to arrive."""


class Member:
    """A member who is always connected, except while a socket is lost.

    Attributes:
        received: messages received by the listening sockets.
        sockets: number of its sockets.
    """

    def __init__(self, url: str, token: str, user: Message, chance: random.Random) -> None:
        self.name: str = user["name"]
        self.id: str = user["id"]
        self.received: list[Message] = []
        self.sockets = 0
        self._url = url
        self._token = token
        self._chance = chance
        self._socket: Socket | None = None

    async def run(self) -> None:
        """Stay connected until cancelled."""
        while True:
            with contextlib.suppress(*GONE):
                async with Socket(self._url, self._token) as socket:
                    self._socket = socket
                    self.sockets += 1
                    async for message in socket:
                        self.received.append(message)
            self._socket = None
            await asyncio.sleep(AGAIN_S)

    async def request(self, kind: str, **fields: Any) -> Message:
        """Return the ``ok``, however long it takes. Raises ``Violation`` for a refusal that no fault explains."""
        key = f"{self._chance.getrandbits(60):x}"
        return await request_until_done(self._url, self._token, self._chance, {"t": kind, "key": key, **fields})

    async def listen(self, topic: str) -> bool:
        """Subscribe the listening socket to ``topic``; return whether that worked."""
        socket, known = self._socket, len(self.received)
        if socket is None:
            return False
        try:
            await socket.send({"t": "sub", "id": 1, "topic": topic})
            async with asyncio.timeout(CHAT_S):
                await until(lambda: any(message.get("id") == 1 for message in self.received[known:]))
        except (*GONE, TimeoutError):
            return False
        return self._socket is socket
