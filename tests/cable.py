"""A network cable between a client and the server that a test can pull out and plug in again."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

CHUNK = 64 * 1024


class Cable:
    """A TCP relay on a port of its own, in the running loop.

    Attributes:
        url: ``http://127.0.0.1:PORT``, what the client connects to.
    """

    def __init__(self, port: int) -> None:
        self.url = ""
        self._target = port
        self._plugged = True
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._relays: set[asyncio.Task[None]] = set()

    def pull(self) -> None:
        """Cut every connection, and every new one, until it is plugged in again."""
        self._plugged = False
        for writer in self._writers:
            writer.transport.abort()

    def plug(self) -> None:
        """Let connections through again."""
        self._plugged = True

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "a stream server calls this in a task"
        self._relays.add(task)
        ends = [writer]
        try:
            if not self._plugged:
                return
            upstream, onward = await asyncio.open_connection("127.0.0.1", self._target)
            ends.append(onward)
            self._writers.update(ends)
            async with asyncio.TaskGroup() as group:
                group.create_task(_copy(reader, onward))
                group.create_task(_copy(upstream, writer))
        except OSError:
            pass  # the server is not there either
        finally:
            for end in ends:
                end.transport.abort()
            self._writers.difference_update(ends)
            self._relays.discard(task)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.pull()
        await asyncio.gather(*self._relays)
        await self._server.wait_closed()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await reader.read(CHUNK):
            writer.write(chunk)
            await writer.drain()
    if not writer.is_closing():
        writer.transport.abort()  # what is cut at one end is cut at the other
