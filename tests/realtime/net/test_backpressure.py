"""Backpressure: a peer that does not read gets less, and is then closed. Others are unaffected."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING

from realtime.net.connection import fan_out
from realtime.protocol.codec import frame_text
from realtime.protocol.limits import Limits
from tests.realtime.echo_server import EchoServer, echo_server
from tests.realtime.raw_client import upgrade_request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@contextlib.asynccontextmanager
async def slow_client(server: EchoServer) -> AsyncIterator[socket.socket]:
    """A socket that has shaken hands and reads nothing, with as little room for what comes as the kernel gives."""
    loop = asyncio.get_running_loop()
    with socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        peer.setblocking(False)
        await loop.sock_connect(peer, ("127.0.0.1", server.port))
        count = len(server.handler.opened)
        await loop.sock_sendall(peer, upgrade_request())
        await server.handler.until(lambda: len(server.handler.opened) > count)
        yield peer


async def read_to_close(peer: socket.socket) -> int:
    """Read all that is there; the code of the close frame at its end."""
    loop = asyncio.get_running_loop()
    data = b""
    async with asyncio.timeout(10):
        while b"reads too slowly" not in data[-40:]:
            data += await loop.sock_recv(peer, 65536)
    return int.from_bytes(data[-len(b"reads too slowly") - 2 :][:2], "big")


class TestBackpressure:
    async def test_slow_reader_skips_messages_then_is_closed(self) -> None:
        limits = Limits(soft_buffer_bytes=16 * 1024, hard_buffer_bytes=64 * 1024, close_s=5.0)
        frames = [frame_text(b'{"n":%d,"x":"%s"}' % (number, b"x" * 4_000)) for number in range(400)]
        async with (
            echo_server(limits) as server,
            server.welcomed() as one,
            server.welcomed() as two,
            slow_client(server) as slow,
        ):
            *fast, stuck = server.handler.opened
            for frame in frames:
                stuck.write_droppable(b"")
                fan_out(server.handler.opened, frame)
                for client in (one, two):
                    assert frame.endswith((await client.recv(decode=False))[-20:])
            assert stuck.closed
            assert stuck.skipped > 0
            assert [connection.closed for connection in fast] == [False, False]
            assert server.gateway.traffic.slow == 1
            assert await read_to_close(slow) == 1013

    async def test_peer_that_never_reads_is_disconnected(self) -> None:
        limits = Limits(hard_buffer_bytes=64 * 1024, close_s=0.05)
        async with echo_server(limits) as server, slow_client(server):
            (stuck,) = server.handler.opened
            frame = frame_text(b"x" * 60_000)
            while not stuck.closed:
                stuck.write(frame)
                await asyncio.sleep(0)
            await server.handler.until(lambda: bool(server.handler.closed))
