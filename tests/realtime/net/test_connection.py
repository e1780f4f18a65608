"""Writes of one connection: sent, skipped, or closing, on a fake transport."""

from __future__ import annotations

import asyncio
from typing import Any

from websockets.frames import Close, Frame, Opcode
from websockets.protocol import OPEN
from websockets.streams import StreamReader

from realtime.net.connection import Connection, fan_out
from realtime.net.handshake import WebSocket
from realtime.ops.traffic import Traffic
from realtime.protocol.codec import Codec, frame_text
from realtime.protocol.limits import Limits

LIMITS = Limits(soft_buffer_bytes=100, hard_buffer_bytes=1000, close_s=0.01)


class Memory(asyncio.Transport):
    """A transport whose buffer is as full as the test says."""

    def __init__(self, *, can_write_eof: bool = True) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.buffered = 0
        self.ended: list[str] = []
        self.aborted = asyncio.Event()
        self._can_write_eof = can_write_eof

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        return self.buffered

    def can_write_eof(self) -> bool:
        return self._can_write_eof

    def write_eof(self) -> None:
        self.ended.append("eof")

    def close(self) -> None:
        self.ended.append("close")

    def abort(self) -> None:
        self.ended.append("abort")
        self.aborted.set()


class Peer:
    """A connection and what its other end sees of it."""

    def __init__(self, *, codec: Codec = "json", can_write_eof: bool = True) -> None:
        self.transport = Memory(can_write_eof=can_write_eof)
        self.websocket = WebSocket(state=OPEN)
        self.traffic = Traffic()
        self.connection = Connection(
            number=1,
            grant=None,
            codec=codec,
            address="192.0.2.7",
            transport=self.transport,
            websocket=self.websocket,
            loop=asyncio.get_running_loop(),
            limits=LIMITS,
            traffic=self.traffic,
        )

    def frames(self) -> list[Frame]:
        """What was written, parsed."""
        reader = StreamReader()
        reader.feed_data(b"".join(self.transport.written))
        frames = []
        while reader.buffer:
            try:
                next(Frame.parse(reader.read_exact, mask=False))
            except StopIteration as parsed:
                frames.append(parsed.value)
        return frames

    def close_frame(self) -> Close:
        """The last frame, which must be a close frame."""
        last = self.frames()[-1]
        assert last.opcode is Opcode.CLOSE
        return Close.parse(last.data)


async def test_frame_is_written_unchanged() -> None:
    peer = Peer()
    peer.connection.write(b"frame")
    peer.connection.write_droppable(b"tick")
    assert peer.transport.written == [b"frame", b"tick"]


async def test_message_is_encoded_with_the_codec_of_the_socket() -> None:
    for codec, opcode, payload in (
        ("json", Opcode.TEXT, b'{"t":"ok"}'),
        ("msgpack", Opcode.BINARY, b"\x81\xa1t\xa2ok"),
    ):
        peer = Peer(codec=codec)  # type: ignore[arg-type]  # mypy widens the literals of the tuple
        peer.connection.send({"t": "ok"})
        assert peer.frames() == [Frame(opcode, payload)]


async def test_droppable_frame_is_skipped_over_the_soft_limit() -> None:
    peer = Peer()
    peer.transport.buffered = LIMITS.soft_buffer_bytes + 1
    peer.connection.write_droppable(b"tick")
    peer.connection.write(b"move")
    assert peer.transport.written == [b"move"]
    assert peer.connection.skipped == peer.traffic.skipped == 1
    peer.transport.buffered = LIMITS.soft_buffer_bytes
    peer.connection.write_droppable(b"tick")
    assert peer.transport.written == [b"move", b"tick"]


async def test_next_frame_over_the_hard_limit_closes() -> None:
    peer = Peer()
    peer.transport.buffered = LIMITS.hard_buffer_bytes
    peer.connection.write(frame_text(b"move 1"))
    assert not peer.connection.closed
    peer.transport.buffered += 1
    peer.connection.write(frame_text(b"move 2"))
    assert peer.connection.closed
    assert [frame.data for frame in peer.frames()[:-1]] == [b"move 1"]
    assert peer.close_frame().code == 1013
    assert peer.traffic.slow == 1


async def test_corked_frames_are_sent_in_one_write_and_in_order() -> None:
    peer = Peer()
    peer.connection.cork()
    peer.connection.write(b"move")
    peer.connection.write_droppable(b"crowd")
    peer.connection.write(b"ok")
    assert peer.transport.written == []
    peer.connection.uncork()
    peer.connection.write(b"next")
    assert peer.transport.written == [b"movecrowdok", b"next"]
    peer.connection.cork()
    peer.connection.uncork()
    peer.connection.uncork()
    assert len(peer.transport.written) == 2


async def test_corked_frames_precede_the_close_frame() -> None:
    peer = Peer()
    peer.connection.cork()
    peer.connection.write(frame_text(b"move"))
    peer.connection.close(1012, "the server is restarting")
    peer.connection.uncork()
    assert [frame.data for frame in peer.frames()[:-1]] == [b"move"]
    assert peer.close_frame().code == 1012


async def test_nothing_is_written_after_the_close_frame() -> None:
    peer = Peer()
    peer.connection.close(1012, "the server is restarting")
    written = list(peer.transport.written)
    peer.connection.write(b"move")
    peer.connection.write_droppable(b"tick")
    peer.connection.send({"t": "ok"})
    peer.connection.close(1001)
    peer.connection.fail(4008)
    assert peer.transport.written == written
    assert peer.close_frame() == Close(1012, "the server is restarting")


async def test_peer_that_ignores_close_frame_is_disconnected() -> None:
    peer = Peer()
    peer.connection.close(1001)
    assert peer.transport.ended == []
    await peer.transport.aborted.wait()


async def test_lost_transport_is_not_aborted_again() -> None:
    peer = Peer()
    peer.connection.close(1001)
    peer.connection.lost()
    await asyncio.sleep(2 * LIMITS.close_s)  # the cut-off would have come in this time
    assert peer.transport.ended == []


async def test_failed_socket_is_closed_at_once() -> None:
    peer = Peer()
    peer.connection.fail(4008, "flood")
    assert peer.close_frame() == Close(4008, "flood")
    assert peer.transport.ended == ["eof"]
    assert not peer.websocket.events_received()
    peer.connection.lost()
    peer = Peer(can_write_eof=False)
    peer.connection.fail(1003)
    assert peer.transport.ended == ["close"]
    peer.connection.lost()


async def test_close_reason_is_truncated_to_fit() -> None:
    peer = Peer()
    peer.connection.close(1011, "ü" * 100)
    assert peer.close_frame().reason == "ü" * 61
    peer.connection.lost()


async def test_fan_out_skips_closed_connections() -> None:
    peers = [Peer() for _ in range(3)]
    peers[1].connection.lost()
    fan_out([peer.connection for peer in peers], b"frame")
    assert [peer.transport.written for peer in peers] == [[b"frame"], [], [b"frame"]]


async def test_connection_has_a_name_for_logs() -> None:
    assert repr(Peer().connection) == "<Connection 1 stranger 192.0.2.7 json>"
