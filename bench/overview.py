"""Spectators of an exhibition's overview: they count boards that changed, and bytes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bench.wire import Refused, connect, request

if TYPE_CHECKING:
    from bench.wire import Socket

OPENED_AT_ONCE = 50
"""Each is sent a snapshot of hundreds of kilobytes."""

OK, ERROR, BOARD = b"\xa1t\xa2ok", b"\xa1t\xa5error", b"\xa1t\xabsimul.board"
"""How messages begin in MessagePack, after the length of the map."""


class Overview:
    """Everybody who watches the same exhibition.

    Attributes:
        heard: boards that changed, of all watchers together.
        heard_bytes: of all messages, without their frames.
    """

    def __init__(self, url: str, simul: str) -> None:
        self.heard = 0
        self.heard_bytes = 0
        self._url = url
        self._sub = request({"t": "sub", "id": 1, "topic": f"simul:{simul}"})
        self._sockets: list[Socket] = []
        self._ready = 0
        self._awaited: tuple[int, asyncio.Future[None]] | None = None

    def __len__(self) -> int:
        return len(self._sockets)

    async def grow_by(self, size: int) -> None:
        """As many more come, and have subscribed."""
        while size > 0:
            more = min(OPENED_AT_ONCE, size)
            size -= more
            sockets = await asyncio.gather(*(connect(self._url, None, self._hear) for _ in range(more)))
            self._sockets += sockets
            self._ready = 0
            subscribed = self._after(more)
            for socket in sockets:
                socket.send(self._sub)
            await subscribed

    async def close(self) -> None:
        """All hang up."""
        for socket in self._sockets:
            socket.transport.close()
        await asyncio.gather(*(socket.closed for socket in self._sockets))

    def see(self, changes: int) -> asyncio.Future[None]:
        """Count from zero; done when everybody has heard of ``changes`` boards."""
        self.heard = self.heard_bytes = 0
        return self._after(changes * len(self))

    def _after(self, number: int) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if number:
            self._awaited = (number, done)
        else:
            done.set_result(None)
        return done

    def _reached(self, number: int) -> None:
        if self._awaited is not None and number == self._awaited[0]:
            self._awaited[1].set_result(None)
            self._awaited = None

    def _hear(self, payload: bytes) -> None:
        self.heard_bytes += len(payload)
        if payload.startswith(BOARD, 1):
            self.heard += 1
            self._reached(self.heard)
        elif payload.startswith(OK, 1):
            self._ready += 1
            self._reached(self._ready)
        elif payload.startswith(ERROR, 1):
            raise Refused(repr(payload))
