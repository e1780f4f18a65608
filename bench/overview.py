"""Spectators of an exhibition's overview, in a process of their own: they count boards that changed, and bytes.

Read by somebody else than the players they are in nobody's way but the server's. Run as ``python -m bench.overview URL
SIMUL SIZE``; prints a line when they are there; to a number of changes it prints one when it counts from zero, and the
bytes that each has heard when everybody has heard so many.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from bench.process import announce, raise_file_limit
from bench.wire import Refused, connect, request

if TYPE_CHECKING:
    from bench.wire import Socket

OPENED_AT_ONCE = 50
"""Each is sent a snapshot of hundreds of kilobytes."""

LAST_S = 120.0
"""A change that takes longer to reach everybody never does."""

OK, ERROR, BOARD = b"\xa1t\xa2ok", b"\xa1t\xa5error", b"\xa1t\xabsimul.board"
"""How messages begin in MessagePack, after the length of the map."""


class Overview:
    """Everybody who watches the exhibition, as the benchmark sees them."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None, "it was started with a pipe"
        assert process.stdout is not None, "it was started with a pipe"
        self._process = process
        self._out, self._in = process.stdin, process.stdout

    @classmethod
    async def open(cls, url: str, simul: str, size: int) -> Overview:
        """``size`` spectators, who have subscribed."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.overview", url, simul, str(size)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        overview = cls(process)
        await overview._line()
        return overview

    async def count(self, changes: int) -> None:
        """Count from zero to ``changes``."""
        self._out.write(f"{changes}\n".encode())
        await self._line()

    async def counted(self) -> float:
        """The bytes that each has heard, once everybody has heard of so many changes."""
        return float(await self._line())

    async def close(self) -> None:
        """All hang up."""
        self._out.close()
        await self._process.wait()

    async def _line(self) -> str:
        async with asyncio.timeout(LAST_S):
            line = (await self._in.readline()).decode().strip()
        if not line:
            raise Refused("the spectators are gone")
        return line


class _Crowd:
    """The sockets, in their process."""

    def __init__(self, url: str, simul: str) -> None:
        self.heard = self.heard_bytes = 0
        self.sockets: list[Socket] = []
        self._url = url
        self._sub = request({"t": "sub", "id": 1, "topic": f"simul:{simul}"})
        self._ready = 0
        self._awaited: tuple[int, asyncio.Future[None]] | None = None

    async def grow_by(self, size: int) -> None:
        """As many more come, and have subscribed."""
        while size > 0:
            more = min(OPENED_AT_ONCE, size)
            size -= more
            sockets = await asyncio.gather(*(connect(self._url, None, self._hear) for _ in range(more)))
            self.sockets += sockets
            for socket in sockets:
                socket.closed.add_done_callback(self._lose)
            self._ready = 0
            subscribed = self.after(more)
            for socket in sockets:
                socket.send(self._sub)
            await subscribed

    def after(self, number: int) -> asyncio.Future[None]:
        """Done when so many have been counted."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._awaited = (number, done)
        return done

    def _lose(self, _: asyncio.Future[None]) -> None:
        """The server has closed a socket, as it does to who reads too slowly."""
        if self._awaited is not None and not self._awaited[1].done():
            self._awaited[1].set_exception(Refused("a spectator was closed"))

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


async def _watch(url: str, simul: str, size: int) -> None:
    crowd = _Crowd(url, simul)
    await crowd.grow_by(size)
    announce("here")
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    line = await reader.readline()
    while line:
        crowd.heard = crowd.heard_bytes = 0
        seen = crowd.after(int(line) * size)
        announce("counting")
        asked = asyncio.create_task(reader.readline(), name="the benchmark asks again")
        await asyncio.wait((seen, asked), return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            return  # the benchmark is gone
        seen.result()
        announce(str(crowd.heard_bytes / size))
        line = await asked


def main() -> None:
    """Entry point."""
    raise_file_limit()
    asyncio.run(_watch(sys.argv[1], sys.argv[2], int(sys.argv[3])))


if __name__ == "__main__":
    main()
