"""Codecs of messages, and websocket frames ready for ``transport.write``.

There are two codecs, one a subprotocol: MessagePack in binary frames, JSON in text frames. A decoder returns only None,
bool, int (64 bits), finite float, str, list and dict with str keys, at most ``MAX_DEPTH`` deep, so every decoded value
can be encoded again. Any other payload raises ``BadMessage``.
"""

from __future__ import annotations

from math import isfinite
from struct import Struct
from typing import TYPE_CHECKING, Any, Literal, Never

import msgpack  # type: ignore[import-untyped]  # it ships no annotations
import msgspec
from websockets.frames import Opcode

from lobby.errors import BadMessage

if TYPE_CHECKING:
    from collections.abc import Mapping

Codec = Literal["msgpack", "json"]

MAX_DEPTH = 8
"""Nesting of maps and lists. A time control with periods in a seek has 4."""

MAX_ITEMS = 1024
"""Entries of one map or list; MessagePack can claim 4 billion in five bytes. A simul may name a thousand people."""

INT_MIN, INT_MAX = -(2**63), 2**64 - 1
"""Range of MessagePack; JSON has none."""

_FIN = 0x80
_SHORT, _MEDIUM, _LONG = Struct("!BB"), Struct("!BBH"), Struct("!BBQ")
"""Headers of unmasked frames: FIN and opcode, the length or its form, the length."""

_pack = msgpack.Packer().pack
_encode_json = msgspec.json.Encoder().encode
_decode_json = msgspec.json.Decoder().decode


def encode_msgpack(message: Mapping[str, Any]) -> bytes:
    """Encode ``message`` as MessagePack. One packer serves all, so only the loop's thread may call it."""
    packed: bytes = _pack(message)
    return packed


def encode_json(message: Mapping[str, Any]) -> bytes:
    """Encode ``message`` as JSON in UTF-8."""
    return _encode_json(message)


def decode_msgpack(payload: bytes | bytearray) -> dict[str, Any]:
    """Decode a map. Raises ``BadMessage``."""
    try:
        message = msgpack.unpackb(
            payload,
            ext_hook=_refuse_extension,
            max_bin_len=0,
            max_array_len=MAX_ITEMS,
            max_map_len=MAX_ITEMS,
            max_ext_len=0,
        )
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"not MessagePack of this protocol: {str(error) or type(error).__name__}") from error
    return _checked(message)


def decode_json(payload: bytes | bytearray | str) -> dict[str, Any]:
    """Decode a map. Raises ``BadMessage``."""
    try:
        message = _decode_json(payload)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadMessage(f"not JSON: {error}") from error
    return _checked(message)


def frame_binary(payload: bytes) -> bytes:
    """Return ``payload`` as one unmasked binary frame (RFC 6455 §5.2), as a server sends it."""
    return _frame(Opcode.BINARY, payload)


def frame_text(payload: bytes) -> bytes:
    """Return ``payload``, which must be UTF-8, as one unmasked text frame."""
    return _frame(Opcode.TEXT, payload)


def frame_payload(frame: bytes) -> memoryview:
    """Return the payload of a ``frame`` made here."""
    length = frame[1]  # 5.2: up to 125 the length itself; 126 and 127 say that it follows in 2 or 8 bytes
    return memoryview(frame)[2 if length < 126 else 4 if length == 126 else 10 :]


def frame_message(message: Mapping[str, Any], codec: Codec) -> bytes:
    """Encode and frame ``message`` for sockets with ``codec``."""
    return frame_binary(encode_msgpack(message)) if codec == "msgpack" else frame_text(encode_json(message))


def _frame(opcode: Opcode, payload: bytes) -> bytes:
    """Return the result of ``websockets.frames.Frame.serialize``, three times as fast: it is called twice a move."""
    length = len(payload)
    if length < 126:
        return _SHORT.pack(_FIN | opcode, length) + payload
    if length < 65536:
        return _MEDIUM.pack(_FIN | opcode, 126, length) + payload
    return _LONG.pack(_FIN | opcode, 127, length) + payload


def _refuse_extension(code: int, data: bytes) -> Never:
    raise ValueError(f"extension type {code} of {len(data)} bytes")


def _checked(message: object) -> dict[str, Any]:
    if type(message) is not dict:
        raise BadMessage(f"expected a map with 't', got {type(message).__name__}")
    _check(message, 1)
    return message


def _check(value: dict[Any, Any] | list[Any], depth: int) -> None:
    """Refuse values that the other codec, or a later encoder, cannot represent."""
    if depth > MAX_DEPTH:
        raise BadMessage(f"more than {MAX_DEPTH} maps and lists within each other")
    if len(value) > MAX_ITEMS:
        raise BadMessage(f"more than {MAX_ITEMS} entries in one map or list")
    if type(value) is dict:
        for key in value:
            if type(key) is not str:
                raise BadMessage(f"expected map keys to be strings, got {type(key).__name__}")
        items: Any = value.values()
    else:
        items = value
    for item in items:
        kind = type(item)
        if kind is str or kind is bool or item is None:
            continue
        if kind is int:
            if not INT_MIN <= item <= INT_MAX:
                raise BadMessage("an integer of more than 64 bits")
        elif kind is dict or kind is list:
            _check(item, depth + 1)
        elif kind is float:
            if not isfinite(item):
                raise BadMessage("a number that is not finite")
        else:
            raise BadMessage(f"a value of type {kind.__name__}; expected text, numbers, booleans, null, maps and lists")
