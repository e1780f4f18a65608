"""Short frames: the fast path equals the parser, for any split of the bytes."""

from __future__ import annotations

import json
import random

from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from realtime.net.short_frames import SHORT, ends_with_a_frame, first_byte, short_payload
from tests.realtime.echo_server import echo_server
from tests.realtime.raw_client import client_frame, text

opcodes = st.sampled_from((Opcode.TEXT, Opcode.BINARY, Opcode.PING, Opcode.PONG, Opcode.CONT))

payloads = st.binary(max_size=200) | st.integers(65_530, 65_540).map(bytes)


@given(opcodes, st.binary(max_size=SHORT))
def test_short_frame_is_read_like_the_parser(opcode: Opcode, payload: bytes) -> None:
    frame = client_frame(opcode, payload)
    assert frame[0] == first_byte(opcode)
    assert short_payload(frame) == payload
    assert short_payload(frame + b"\x81") is None
    assert short_payload(frame[:-1]) is None


def test_fragment_differs_from_message_in_first_byte() -> None:
    assert client_frame(Opcode.TEXT, b"{", fin=False)[0] != first_byte(Opcode.TEXT)


@given(st.binary(max_size=140))
def test_accepted_bytes_are_one_frame_for_the_parser(data: bytes) -> None:
    payload = short_payload(data)
    if payload is not None:
        parser = ServerProtocol(state=OPEN)
        parser.receive_data(bytes([first_byte(Opcode.BINARY)]) + data[1:])
        (event,) = parser.events_received()
        assert bytes(event.data) == payload  # type: ignore[union-attr]  # a frame
        assert ends_with_a_frame(data)


def test_long_or_unmasked_frame_is_left_to_the_parser() -> None:
    assert short_payload(client_frame(Opcode.TEXT, bytes(SHORT + 1))) is None
    assert short_payload(client_frame(Opcode.TEXT, b"abcdef", mask=False)) is None
    # 126 and 127 in the place of the length say that it follows.
    assert short_payload(bytes([0x81, 0x80 | 126]) + bytes(4 + 126)) is None


@given(st.lists(st.tuples(payloads, st.booleans()), min_size=1, max_size=4), st.data())
def test_end_of_frame_is_detected(frames: list[tuple[bytes, bool]], data: st.DataObject) -> None:
    ends, stream = {0}, b""
    for payload, mask in frames:
        stream += client_frame(Opcode.BINARY, payload, mask=mask)
        ends.add(len(stream))
    near = st.sampled_from(sorted(ends)).flatmap(lambda end: st.integers(max(0, end - 12), min(len(stream), end + 12)))
    cut = data.draw(near | st.integers(0, len(stream)))
    assert ends_with_a_frame(stream[:cut]) == (cut in ends)


async def test_messages_arrive_in_order_for_any_split() -> None:
    chance = random.Random(7)
    async with echo_server() as server:
        for whole in (True, False):
            async with server.raw() as client:
                await client.open()
                for number in range(40):
                    length = chance.choice((0, 5, 90, 130, 2000))
                    message = json.dumps({"t": "x", "n": number, "x": "y" * length})
                    frames = text(message)
                    if chance.random() < 0.2:
                        half = len(message) // 2
                        frames = client_frame(Opcode.TEXT, message[:half], fin=False)
                        frames += client_frame(Opcode.PONG, b"mine") + client_frame(Opcode.CONT, message[half:])
                    cut = 0 if whole else chance.randrange(len(frames))
                    for part in filter(None, (frames[:cut], frames[cut:])):
                        await client.send(part)
                    assert (await client.message())["n"] == number
