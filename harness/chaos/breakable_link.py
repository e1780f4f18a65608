"""A network link that can be cut, restored, or stalled without being closed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, Self

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path
    from types import TracebackType

    Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
    Dial = Callable[[], Awaitable[Streams]]

    Way = Literal["there", "back"]
    """Direction: to the target, or from it."""

CHUNK = 64 * 1024

HERE = "127.0.0.1"


class BreakableLink:
    """A relay on a port or socket of its own, in the running loop.

    Args:
        target: the port on this machine that it leads to, or a function that opens a connection (raises ``OSError``).
        path: the Unix socket to listen on; without it a port is chosen.
        host: the address of that port.

    Attributes:
        url: ``http://HOST:PORT``, for clients.
        port: the port; 0 for a Unix socket.
    """

    def __init__(self, target: int | Dial, path: Path | None = None, host: str = HERE) -> None:
        self.url = ""
        self.port = 0
        self._dial: Dial = _dial_port(target) if isinstance(target, int) else target
        self._path = path
        self._host = host
        self._plugged = True
        self._flows: dict[Way, asyncio.Event] = {"there": asyncio.Event(), "back": asyncio.Event()}
        self.flow()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._relays: set[asyncio.Task[None]] = set()

    def pull(self) -> None:
        """Cut every connection, and every new one until ``plug``."""
        self._plugged = False
        for writer in self._writers:
            writer.transport.abort()

    def plug(self) -> None:
        """Accept connections again."""
        self._plugged = True

    def remove(self) -> None:
        """Cut it for good: stop listening."""
        assert self._server is not None, "it is open"
        self.pull()
        self._server.close()
        if self._path is not None:
            self._path.unlink()

    def stall(self, *ways: Way) -> None:
        """Let nothing through and close nothing, like a firewall that drops packets or a paused machine.

        ``ways``: only these directions; both by default.
        """
        for way in ways or self._flows:
            self._flows[way].clear()

    def flow(self) -> None:
        """Let through what is buffered and what comes."""
        for flows in self._flows.values():
            flows.set()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "a stream server calls this in a task"
        self._relays.add(task)
        ends = [writer]
        try:
            await self._flows["there"].wait()
            if not self._plugged:
                return
            upstream, onward = await self._dial()
            ends.append(onward)
            self._writers.update(ends)
            async with asyncio.TaskGroup() as group:
                group.create_task(self._copy(reader, onward, self._flows["there"]))
                group.create_task(self._copy(upstream, writer, self._flows["back"]))
        except OSError:
            pass  # the target is down
        finally:
            for end in ends:
                end.transport.abort()
            self._writers.difference_update(ends)
            self._relays.discard(task)

    async def __aenter__(self) -> Self:
        if self._path is not None:
            self._server = await asyncio.start_unix_server(self._relay, self._path)
        else:
            self._server = await asyncio.start_server(self._relay, self._host, 0)
            self.port = self._server.sockets[0].getsockname()[1]
            self.url = f"http://{self._host}:{self.port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.flow()
        self.pull()
        await asyncio.gather(*self._relays)
        await self._server.wait_closed()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flows: asyncio.Event) -> None:
        with suppress(OSError):
            while chunk := await reader.read(CHUNK):
                await flows.wait()
                writer.write(chunk)
                await writer.drain()
        await flows.wait()  # a stalled end does not see either that the other end is gone
        if not writer.is_closing():
            writer.transport.abort()  # a cut at one end is a cut at the other


def _dial_port(port: int) -> Dial:
    return lambda: asyncio.open_connection(HERE, port)
