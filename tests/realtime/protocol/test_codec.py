"""Codecs: valid messages round-trip, and anything else raises ``BadMessage``."""

from __future__ import annotations

import json
import math
import struct
from typing import TYPE_CHECKING, Any

import msgpack  # type: ignore[import-untyped]  # it ships no annotations
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from lobby.errors import BadMessage
from realtime.protocol.codec import (
    MAX_DEPTH,
    MAX_ITEMS,
    decode_json,
    decode_msgpack,
    encode_json,
    encode_msgpack,
    frame_binary,
    frame_message,
    frame_payload,
    frame_text,
)
from realtime.protocol.limits import DEFAULTS

if TYPE_CHECKING:
    from collections.abc import Callable

    Decode = Callable[[bytes], dict[str, Any]]

DECODERS = [pytest.param(decode_msgpack, id="msgpack"), pytest.param(decode_json, id="json")]

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=12
)
MESSAGES = st.dictionaries(TEXT, VALUES, max_size=6)


def depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


@given(MESSAGES.filter(lambda message: depth(message) <= MAX_DEPTH))
def test_valid_messages_round_trip(message: dict[str, Any]) -> None:
    assert decode_msgpack(encode_msgpack(message)) == message
    assert decode_json(encode_json(message)) == message
    assert json.loads(encode_json(message)) == message
    assert msgpack.unpackb(encode_msgpack(message)) == message


@given(st.binary(max_size=200))
@example(b"\xc7\x00\x05")
@example(b"\x81\xa1a\xd6\xff\x00\x00\x00\x00")
def test_any_bytes_are_a_message_or_bad_message(payload: bytes) -> None:
    for decode, encode in ((decode_msgpack, encode_msgpack), (decode_json, encode_json)):
        try:
            message = decode(payload)
        except BadMessage:
            continue
        assert decode(encode(message)) == message


@given(MESSAGES, st.data())
def test_mangled_message_is_a_message_or_bad_message(message: dict[str, Any], data: st.DataObject) -> None:
    for decode, payload in ((decode_msgpack, encode_msgpack(message)), (decode_json, encode_json(message))):
        mangled = bytearray(payload)
        for _ in range(data.draw(st.integers(1, 3))):
            if mangled:
                mangled[data.draw(st.integers(0, len(mangled) - 1))] = data.draw(st.integers(0, 255))
        try:
            decode(mangled[: data.draw(st.integers(0, len(mangled)))])
        except BadMessage:
            continue


@pytest.mark.parametrize("decode", DECODERS)
def test_largest_nested_payload_is_a_bad_message(decode: Decode) -> None:
    size = DEFAULTS.frame_bytes
    bombs = [
        b"\x91" * size,
        b"\x81\xa1a" * (size // 3),
        b"\x91" * (size - 1) + b"\xc0",
        b"[" * size,
        b'{"a":' * (size // 5),
        b"[" * (size // 2) + b"]" * (size // 2),
        b"1" * size,
        b"[" + b"0," * (size // 2 - 1) + b"0]",
    ]
    for bomb in bombs:
        with pytest.raises(BadMessage):
            decode(bomb)


def test_messages_may_be_nested_eight_levels_deep() -> None:
    message: dict[str, Any] = {"t": "seek"}
    for _ in range(MAX_DEPTH - 1):
        message = {"t": "seek", "tc": message}
    assert decode_json(encode_json(message)) == decode_msgpack(encode_msgpack(message)) == message
    deeper = {"t": "seek", "tc": [message]}
    for decode, payload in ((decode_json, encode_json(deeper)), (decode_msgpack, encode_msgpack(deeper))):
        with pytest.raises(BadMessage, match="within each other"):
            decode(payload)


def test_map_or_list_may_have_1024_entries() -> None:
    full: dict[str, Any] = {
        "t": "simul.create",
        "invited": ["a"] * MAX_ITEMS,
        "x": dict.fromkeys(map(str, range(MAX_ITEMS))),
    }
    assert decode_json(encode_json(full)) == decode_msgpack(encode_msgpack(full)) == full
    for value in (["a"] * (MAX_ITEMS + 1), dict.fromkeys(map(str, range(MAX_ITEMS + 1)))):
        for decode, payload in (
            (decode_json, encode_json({"x": value})),
            (decode_msgpack, encode_msgpack({"x": value})),
        ):
            with pytest.raises(BadMessage, match=r"entries|max_(array|map)_len"):
                decode(payload)


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        (b"", "incomplete"),
        (b"\xc0", "expected a map"),
        (b"\x93\x01\x02\x03", "expected a map"),
        (b"\xa4ping", "expected a map"),
        (b"\x81\xa1t", "incomplete"),
        (b"\x80\x80", "extra data"),
        (b"\xc1", "FormatError"),
        (b"\x81\x01\xa1a", "map key"),
        (b"\x81\xa1a\x81\xc0\x01", "map key"),
        (b"\x81\xc4\x01a\x01", "max_bin_len"),
        (b"\x81\xc4\x00\x01", "map keys to be strings"),
        (b"\x81\xa1a\xc4\x02ab", "max_bin_len"),
        (b"\x81\xa1a\xc4\x00", "type bytes"),
        (b"\x81\xa1a\xa1\xff", "utf-8"),
        (b"\x81\xa1a\xd4\x05a", "max_ext_len"),
        (b"\x81\xa1a\xc7\x00\x05", "extension type 5"),
        (b"\x81\xa1a\xd6\xff\x00\x00\x00\x00", "max_ext_len"),
        (b"\x81\xa1a\xcb" + struct.pack(">d", math.nan), "not finite"),
        (b"\x81\xa1a\xca" + struct.pack(">f", math.inf), "not finite"),
        (b"\xdf\xff\xff\xff\xff", "max_map_len"),
        (b"\x81\xa1a\xdd\xff\xff\xff\xff", "max_array_len"),
        (b"\x81\xa1a\xdc" + struct.pack(">H", MAX_ITEMS + 1) + b"\xc0" * (MAX_ITEMS + 1), "max_array_len"),
        (b"\x81\xa1a\xdb\xff\xff\xff\xff", "incomplete"),
    ],
)
def test_unsupported_messagepack_is_a_bad_message(payload: bytes, says: str) -> None:
    with pytest.raises(BadMessage, match=says):
        decode_msgpack(payload)


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        (b"", "truncated"),
        (b"null", "expected a map"),
        (b"[1]", "expected a map"),
        (b'"ping"', "expected a map"),
        (b'{"t":"ping"', "truncated"),
        (b'{"t":"ping"}{}', "trailing"),
        (b'{"a":NaN}', "invalid character"),
        (b'{"a":Infinity}', "invalid character"),
        (b'{"a":1e999}', "out of range"),
        (b'{"a":123456789012345678901234567890}', "64 bits"),
        (b'{"a":[{"b":-9223372036854775809}]}', "64 bits"),
        (b'{"a":"\\ud800"}', "not JSON"),
        (b'{"a":"\xff"}', "not JSON"),
        (b"{'a':1}", "not JSON"),
    ],
)
def test_unsupported_json_is_a_bad_message(payload: bytes, says: str) -> None:
    with pytest.raises(BadMessage, match=says):
        decode_json(payload)


def test_json_may_be_a_string() -> None:
    assert decode_json('{"t":"ping","id":1}') == {"t": "ping", "id": 1}


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536])
@pytest.mark.parametrize(
    ("frame", "opcode"), [(frame_binary, Opcode.BINARY), (frame_text, Opcode.TEXT)], ids=["binary", "text"]
)
def test_frame_is_read_by_the_client_parser(frame: Callable[[bytes], bytes], opcode: Opcode, size: int) -> None:
    payload = b"x" * size
    reader = StreamReader()
    reader.feed_data(frame(payload))
    parser = Frame.parse(reader.read_exact, mask=False)
    with pytest.raises(StopIteration) as parsed:
        next(parser)
    assert parsed.value.value == Frame(opcode, payload)
    assert not reader.buffer
    assert frame_payload(frame(payload)) == payload


def test_message_is_framed_for_the_codec_of_the_socket() -> None:
    message = {"t": "ok", "id": 7}
    assert frame_message(message, "msgpack") == frame_binary(encode_msgpack(message))
    assert frame_message(message, "json") == frame_text(b'{"t":"ok","id":7}')
