"""The snapshot of an exhibition, encoded once for all who ask for it: to the part that all see each adds his own.

A map of MessagePack is its head and its fields one after the other, a map of JSON its fields between braces: so the two
parts, encoded by themselves, are joined without looking into them.
"""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING, Any, Protocol

from realtime.protocol.codec import encode_json, encode_msgpack

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAP_16, _MAP_FIX = 0xDE, 0x80


class Source(Protocol):
    """What is shown: the exhibition as it is (``simul.feed.Feed``), as it was, or as another node tells it."""

    @property
    def seq(self) -> int:
        """Number of the last event."""

    @property
    def is_host_here(self) -> bool:
        """Whether the host is connected, of which no event tells."""

    def snapshot(self, user: str | None, watchers: int) -> Mapping[str, Any]:
        """The ``simul`` message for ``user``; None for a stranger."""


class Shown:
    """The snapshots of one exhibition as of the last event."""

    def __init__(self, feed: Source) -> None:
        self._feed = feed
        self._of: object = None
        self._common: dict[str, Any] = {}
        self._encoded: dict[str, bytes] = {}

    def forget(self) -> None:
        """Something has changed that no event tells of."""
        self._of = None

    def payload(self, codec: str, own: Mapping[str, Any], watchers: int) -> bytes:
        """The ``simul`` message for one viewer, who alone is told ``own``."""
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
"""``simul.wire.SimulOwnWire``."""


def _fields(codec: str, body: Mapping[str, Any]) -> bytes:
    """``body`` encoded, without what says that it is a map."""
    if codec != "msgpack":
        return encode_json(body)[1:-1]
    packed = encode_msgpack(body)
    return packed[1:] if packed[0] & 0xF0 == _MAP_FIX else packed[3:]
