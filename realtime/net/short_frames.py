"""Frames as nearly all of them come: whole, short, one in what was read. They need no parser that waits for more.

RFC 6455 §5.2: FIN, three reserved bits and the opcode; the mask bit and a length of up to 125; the mask; the payload.
Everything else is for ``websockets``, which also judges what is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    from websockets.speedups import apply_mask
except ImportError:  # built without its C extension
    from websockets.utils import apply_mask

if TYPE_CHECKING:
    from websockets.frames import Opcode

FIN = 0x80
MASKED = 0x80
LENGTH = 0x7F
HEAD = 6
"""Bytes before the payload of a short masked frame."""
SHORT = 125
"""A greater length does not stand in the second byte."""


def first_byte(opcode: Opcode) -> int:
    """How a whole message, or a control frame, with ``opcode`` begins."""
    return FIN | opcode


def short_payload(data: bytes) -> bytes | None:
    """The payload, if ``data`` is one whole short masked frame and nothing else; None if it is anything else."""
    size = len(data) - HEAD
    if 0 <= size <= SHORT and data[1] == MASKED | size:
        return apply_mask(data[HEAD:], data[2:HEAD])
    return None


def ends_with_a_frame(data: bytes) -> bool:
    """Whether the last of the frames in ``data``, which begins with one, ends where ``data`` does."""
    at, size = 0, len(data)
    while at + 2 <= size:
        length, head = data[at + 1] & LENGTH, at + 2
        if length > SHORT:
            more = 2 if length == SHORT + 1 else 8
            if head + more > size:
                return False
            length = int.from_bytes(data[head : head + more], "big")
            head += more
        at = head + length + (4 if data[at + 1] & MASKED else 0)
    return at == size
