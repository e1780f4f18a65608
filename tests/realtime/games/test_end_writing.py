"""End of a stream, to a connected client and after a reset."""

from __future__ import annotations

import asyncio
import socket
import struct

import pytest

from realtime.net.connection import end_writing


class Ended(asyncio.Protocol):
    """Tells when the connection is over."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


async def connected() -> tuple[Ended, asyncio.Transport, socket.socket]:
    """A transport that does not read yet, and its peer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        peer = socket.create_connection(listener.getsockname())
        ours, _ = listener.accept()
    transport, protocol = await asyncio.get_running_loop().connect_accepted_socket(Ended, ours)
    transport.pause_reading()
    return protocol, transport, peer


async def test_connected_peer_reads_to_the_end() -> None:
    _, transport, peer = await connected()
    with peer:
        transport.write(b"goodbye")
        end_writing(transport)
        assert peer.recv(100) == b"goodbye"
        assert peer.recv(100) == b""
    transport.abort()


async def test_end_of_stream_after_reset_closes_connection() -> None:
    protocol, transport, peer = await connected()
    # Closed with a linger time of zero, a socket is reset.
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()
    ours = transport.get_extra_info("socket")
    # The kernel reports the reset once; a later shutdown raises "not connected".
    async with asyncio.timeout(10):
        while not ours.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):  # noqa: ASYNC110  there is no event
            await asyncio.sleep(0)
    with pytest.raises(OSError, match="not connected"):
        ours._sock.shutdown(socket.SHUT_WR)
    end_writing(transport)
    async with asyncio.timeout(10):
        await protocol.lost.wait()
