"""Spectators in a separate process: they subscribe, count messages, and measure delays.

So their work does not slow down the players, only the server's does. On request the process runs at idle priority
(``SCHED_IDLE``), because with two cores it shares one with the players and PostgreSQL. Run as ``python -m
bench.load.spectator_process URL`` with one order a line; each answer is one line.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import TYPE_CHECKING, Any

import msgspec

from bench.load.points import points_ms
from bench.load.socket import RequestFailed, connect
from bench.server.process import announce, raise_file_limit, use_idle_priority

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.load.socket import RawWebSocket

AT_ONCE = 50
"""Sockets opened, or requests sent, concurrently; a snapshot may have hundreds of kilobytes."""

LAST_S = 120.0
"""Timeout of an order."""

OK, ERROR = b"\xa1t\xa2ok", b"\xa1t\xa5error"
"""First bytes of messages in MessagePack, after the length of the map."""


class ReceivedMean(msgspec.Struct, frozen=True):
    """Mean of what one spectator has received since the counting began."""

    messages: float
    size: float
    """Bytes of all messages, without frames."""


class SpectatorProcess:
    """All spectators, as the benchmark sees them."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None, "it was started with a pipe"
        assert process.stdout is not None, "it was started with a pipe"
        self._process = process
        self._out, self._in = process.stdin, process.stdout

    @classmethod
    async def open(cls, url: str) -> SpectatorProcess:
        """Start the process, without spectators."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.load.spectator_process", url),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        return cls(process)

    async def grow_by(self, size: int) -> None:
        """Open ``size`` more sockets."""
        await self._order(do="grow", size=size)

    async def sub(self, topic: str, seconds: float = 0.0) -> dict[str, float]:
        """Subscribe all, evenly spread over ``seconds``, or in batches of fifty; return percentiles of their delays in
        ms."""
        found: dict[str, float] = await self._order(do="sub", topic=topic, seconds=seconds)
        return found

    async def join(self, size: int, topic: str, seconds: float) -> dict[str, float]:
        """Open ``size`` more sockets and subscribe them, spread over ``seconds``; return percentiles of the delays from
        the first packet on, in ms."""
        found: dict[str, float] = await self._order(do="come", size=size, topic=topic, seconds=seconds)
        return found

    async def unsub(self, topic: str) -> None:
        """Unsubscribe all."""
        await self._order(do="unsub", topic=topic)

    async def leave(self) -> None:
        """Close all sockets; others may be opened afterwards."""
        await self._order(do="leave")

    async def use_idle_priority(self) -> None:
        """Run at idle priority from now on."""
        await self._order(do="give way")

    async def count(self, kind: str, messages: int) -> None:
        """Count messages of a kind from zero up to ``messages`` at each spectator."""
        await self._order(do="count", kind=kind, messages=messages)

    async def counted(self) -> ReceivedMean:
        """Return the result once every spectator has received that many.

        Raises ``RequestFailed`` if the server closed a socket.
        """
        return msgspec.convert(await self._order(do="counted"), ReceivedMean)

    async def close(self) -> None:
        """Close all sockets and end the process."""
        self._out.close()
        await self._process.wait()

    async def _order(self, **order: Any) -> Any:
        self._out.write(json.dumps(order).encode() + b"\n")
        async with asyncio.timeout(LAST_S):
            line = await self._in.readline()
        if not line:
            raise RequestFailed("the spectators are gone")
        return json.loads(line)


class Answer(msgspec.Struct):
    """The fields of an ``ok`` that are needed."""

    id: int


_answer = msgspec.msgpack.Decoder(Answer).decode


class SpectatorSockets:
    """The sockets, in their process."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._sockets: list[RawWebSocket] = []
        self._kind = b"?"
        self._received = self._received_bytes = 0
        self._sent_s: dict[int, float] = {}
        """When each unanswered request was sent."""
        self._waited_s: list[float] = []
        self._awaited: tuple[int, asyncio.Future[None]] | None = None
        self._answered: asyncio.Future[None] | None = None
        self._leaving = False

    async def carry_out(self, order: dict[str, Any]) -> Any:
        """Carry out one order and return its answer."""
        match order:
            case {"do": "grow", "size": size}:
                for more in _batches(size):
                    await asyncio.gather(*(self._connect() for _ in range(more)))
            case {"do": "sub", "topic": topic, "seconds": seconds}:
                return await self._request_all({"t": "sub", "topic": topic}, seconds)
            case {"do": "come", "size": size, "topic": topic, "seconds": seconds}:
                return await self._join_all(size, topic, seconds)
            case {"do": "unsub", "topic": topic}:
                await self._request_all({"t": "unsub", "topic": topic}, 0.0)
            case {"do": "leave"}:
                await self._leave()
            case {"do": "give way"}:
                use_idle_priority()
            case {"do": "count", "kind": kind, "messages": messages}:
                self._count(kind, messages)
            case {"do": "counted"}:
                return await self._counted()
            case _:
                raise ValueError(f"there is no order {order}")
        return None

    async def _connect(self) -> RawWebSocket:
        socket = await connect(self._url, None, self._on_message)
        socket.closed.add_done_callback(self._lose)
        self._sockets.append(socket)
        return socket

    async def _join_all(self, size: int, topic: str, seconds: float) -> dict[str, float]:
        start_s = time.perf_counter()

        async def join(number: int) -> None:
            self._sent_s[number] = time.perf_counter()
            (await self._connect()).request({"t": "sub", "id": number, "topic": topic})

        self._waited_s = []
        async with asyncio.TaskGroup() as coming:
            for number in range(1, size + 1):
                await asyncio.sleep(start_s + number * seconds / size - time.perf_counter())
                coming.create_task(join(number))
        await self._all_answered()
        return points_ms(self._waited_s)

    async def _request_all(self, message: dict[str, Any], seconds: float) -> dict[str, float]:
        start_s, size = time.perf_counter(), len(self._sockets)
        self._waited_s = []
        for number, socket in enumerate(self._sockets, 1):
            if seconds:
                await asyncio.sleep(start_s + number * seconds / size - time.perf_counter())
            elif number % AT_ONCE == 0:
                await self._all_answered()
            self._sent_s[number] = time.perf_counter()
            socket.request({**message, "id": number})
        await self._all_answered()
        return points_ms(self._waited_s)

    async def _all_answered(self) -> None:
        if self._sent_s:
            self._answered = asyncio.get_running_loop().create_future()
            await self._answered

    async def _leave(self) -> None:
        self._leaving = True
        for socket in self._sockets:
            socket.transport.close()
        await asyncio.gather(*(socket.closed for socket in self._sockets))
        self._sockets = []
        self._leaving = False

    def _count(self, kind: str, messages: int) -> None:
        self._kind = b"\xa1t" + msgspec.msgpack.encode(kind)
        self._received = self._received_bytes = 0
        self._awaited = (messages * len(self._sockets), asyncio.get_running_loop().create_future())

    async def _counted(self) -> dict[str, float]:
        assert self._awaited is not None, "they have been told to count"
        await self._awaited[1]
        size = len(self._sockets)
        return {"messages": self._received / size, "size": self._received_bytes / size}

    def _lose(self, _: asyncio.Future[None]) -> None:
        """Note that the server has closed a socket, as it does with slow readers."""
        if self._leaving:
            return
        gone = RequestFailed("a spectator was closed")
        for waiting in (self._awaited and self._awaited[1], self._answered):
            if waiting is not None and not waiting.done():
                waiting.set_exception(gone)

    def _on_message(self, payload: bytes) -> None:
        self._received_bytes += len(payload)
        if payload.startswith(self._kind, 1):
            self._received += 1
            if self._awaited is not None and self._received == self._awaited[0]:
                self._awaited[1].set_result(None)
        elif payload.startswith(OK, 1):
            self._waited_s.append(time.perf_counter() - self._sent_s.pop(_answer(payload).id))
            if not self._sent_s and self._answered is not None and not self._answered.done():
                self._answered.set_result(None)
        elif payload.startswith(ERROR, 1):
            raise RequestFailed(repr(payload))


def _batches(size: int) -> Iterator[int]:
    while size > 0:
        yield min(AT_ONCE, size)
        size -= AT_ONCE


async def _serve(url: str) -> None:
    """Carry out one order a line until the end of the input."""
    spectators = SpectatorSockets(url)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    line = await reader.readline()
    while line:
        done = asyncio.create_task(spectators.carry_out(json.loads(line)), name="an order")
        asked = asyncio.create_task(reader.readline(), name="the next order")
        await asyncio.wait((done, asked), return_when=asyncio.FIRST_COMPLETED)
        if not done.done():
            return  # the benchmark has ended: it sends one order at a time
        announce(json.dumps(done.result()))
        line = await asked


def main() -> None:
    """Run the process."""
    raise_file_limit()
    asyncio.run(_serve(sys.argv[1]))


if __name__ == "__main__":
    main()
