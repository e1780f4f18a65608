"""Parser for a read that is exactly one short, complete frame, as nearly all are: faster than an incremental parser.

RFC 6455 §5.2: FIN, three reserved bits and the opcode; the mask bit and a length of up to 125; the mask; the payload.
Everything else is left to ``websockets``, which also judges errors.
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
"""Longest payload whose length fits the second byte."""


def first_byte(opcode: Opcode) -> int:
    """Return the first byte of a whole message, or of a control frame, with ``opcode``."""
    return FIN | opcode


def short_payload(data: bytes) -> bytes | None:
    """Return the payload if ``data`` is exactly one whole short masked frame; None for anything else."""
    size = len(data) - HEAD
    if 0 <= size <= SHORT and data[1] == MASKED | size:
        return apply_mask(data[HEAD:], data[2:HEAD])
    return None


def ends_with_a_frame(data: bytes) -> bool:
    """Return whether the last of the frames in ``data``, which begins with one, ends where ``data`` does."""
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
