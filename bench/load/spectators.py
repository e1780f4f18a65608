"""Spectators: sockets that only count messages."""

from __future__ import annotations

import asyncio
from typing import Any

from bench.load.socket import RawWebSocket, RequestFailed, connect, request

OPENED_AT_ONCE = 100
"""Sockets opened, or requests sent, before the client reads again."""

MOVE, OK, ERROR = b"\xa1t\xa4move", b"\xa1t\xa2ok", b"\xa1t\xa5error"
"""First bytes of messages in MessagePack, after the length of the map."""


class Spectators:
    """A growing number of spectators of the same topic."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._sockets: list[RawWebSocket] = []
        self._moves = _Count()
        self._answers = _Count()

    def __len__(self) -> int:
        return len(self._sockets)

    async def grow_by(self, size: int, message: dict[str, Any]) -> None:
        """Open ``size`` more sockets, which all send ``message`` and wait for its ``ok``."""
        framed = request(message)
        while size > 0:
            more = min(OPENED_AT_ONCE, size)
            size -= more
            sockets = await asyncio.gather(*(connect(self._url, None, self._on_message) for _ in range(more)))
            answered = self._answers.after(more)
            for socket in sockets:
                socket.send(framed)
            await answered
            self._sockets += sockets

    async def request(self, message: dict[str, Any]) -> None:
        """Send ``message`` on all sockets and wait for each ``ok``."""
        framed = request(message)
        for start in range(0, len(self._sockets), OPENED_AT_ONCE):
            sockets = self._sockets[start : start + OPENED_AT_ONCE]
            answered = self._answers.after(len(sockets))
            for socket in sockets:
                socket.send(framed)
            await answered

    async def close(self) -> None:
        """Close all sockets."""
        for socket in self._sockets:
            socket.transport.close()
        await asyncio.gather(*(socket.closed for socket in self._sockets))
        self._sockets = []

    def see(self, moves: int) -> asyncio.Future[None]:
        """Return a future that is done when every spectator has received ``moves`` moves beyond those awaited
        already."""
        return self._moves.after(moves * len(self._sockets))

    def _on_message(self, payload: bytes) -> None:
        kind = payload[1:8]
        if kind == MOVE:
            self._moves.add()
        elif payload[1:6] == OK:
            self._answers.add()
        elif payload.startswith(ERROR, 1):
            self._answers.fail(RequestFailed(repr(payload)))


class _Count:
    """A counter with futures for the numbers to be reached."""

    __slots__ = ("_awaited", "_goals", "_value")

    def __init__(self) -> None:
        self._value = 0
        self._awaited = 0
        self._goals: dict[int, asyncio.Future[None]] = {}

    def add(self) -> None:
        self._value += 1
        if self._value in self._goals:
            self._goals.pop(self._value).set_result(None)

    def after(self, more: int) -> asyncio.Future[None]:
        """Return a future that is done when ``more`` have been added beyond those awaited already."""
        self._awaited += more
        reached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._value == self._awaited:
            reached.set_result(None)
        else:
            self._goals[self._awaited] = reached
        return reached

    def fail(self, error: Exception) -> None:
        for reached in self._goals.values():
            reached.set_exception(error)
        self._goals.clear()
