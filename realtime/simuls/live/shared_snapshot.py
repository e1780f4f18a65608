"""The snapshot of a simul, encoded once for all viewers and joined with each viewer's private part.

A MessagePack map is a header followed by its fields; a JSON map is its fields between braces. So two parts encoded
separately can be joined without decoding.
"""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING, Any, Protocol

from realtime.protocol.codec import encode_json, encode_msgpack

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAP_16, _MAP_FIX = 0xDE, 0x80


class SnapshotSource(Protocol):
    """Source of a snapshot: the live simul (``simul.feed.Feed``), its delayed view, or the replica of another node's
    simul.
    """

    @property
    def seq(self) -> int:
        """Return the number of the last event."""

    @property
    def is_host_here(self) -> bool:
        """Return whether the host is connected, which no event reports."""

    def snapshot(self, user: str | None, watchers: int) -> Mapping[str, Any]:
        """Return the ``simul`` message for ``user``; None: an anonymous visitor."""


class EncodedSnapshots:
    """The encoded snapshots of one simul after the last event."""

    def __init__(self, feed: SnapshotSource) -> None:
        self._feed = feed
        self._of: object = None
        self._common: dict[str, Any] = {}
        self._encoded: dict[str, bytes] = {}

    def forget(self) -> None:
        """Discard the encoded snapshots after a change that no event reports."""
        self._of = None

    def payload(self, codec: str, own: Mapping[str, Any], watchers: int) -> bytes:
        """Return the ``simul`` message for one viewer, with their private part ``own``."""
        now = (self._feed.seq, self._feed.is_host_here)
        if self._of != now:
            self._of = now
            body: dict[str, Any] = {**self._feed.snapshot(None, watchers)}
            self._common = {name: value for name, value in body.items() if name not in OWN}
            self._encoded.clear()
        common = self._encoded.get(codec)
        if common is None:
            common = self._encoded[codec] = _fields(codec, self._common)
        if codec == "msgpack":
            return pack("!BH", _MAP_16, len(self._common) + len(own)) + common + _fields(codec, own)
        return b"{" + common + b"," + _fields(codec, own) + b"}"


OWN = frozenset({"you", "your_board", "prepared", "passes_left", "notes", "invited"})
"""The fields of ``simul.wire.SimulOwnWire``."""


def _fields(codec: str, body: Mapping[str, Any]) -> bytes:
    """Encode ``body`` without its map header."""
    if codec != "msgpack":
        return encode_json(body)[1:-1]
    packed = encode_msgpack(body)
    return packed[1:] if packed[0] & 0xF0 == _MAP_FIX else packed[3:]
