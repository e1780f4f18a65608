"""Links: messages between two nodes in numbered batches (*parcels*), so that lost ones are detected.

Everything said to a node in one iteration of the event loop goes into one parcel. Parcels are numbered and sent at
least once a second. A gap in the numbers tells the receiver that it has missed something and must read the database.

    tell / ask ──► parcel n, n + 1, … ──► bus ──► in order? ──► handlers, in the order of sending
                                                   └─ no ──► on_gap: state from that node must be read again

Each parcel also acknowledges the last one received from the other side. So a node knows whether it is heard: a node
that does not hear us is as unreachable as one that is silent.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from realtime.cluster.bus.bus import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.cluster.bus.bus import Bus

PARCEL_BYTES = 256 * 1024
"""Size at which a parcel is sent and another begun."""

ITEM_BYTES = MAX_BYTES - 1024
"""Maximum size of one item."""

SILENT_S = 3.0
"""A node that was silent for this long, or has not heard us, is unreachable. Each sends at least once a second."""

MARK_S, MARKS = 0.25, 32
"""Interval and number of the send-time marks; together they cover more than ``SILENT_S``."""

MESSAGE, REQUEST, ANSWER, REFUSAL = range(4)

log = logging.getLogger(__name__)


class Item(msgspec.Struct, array_like=True, frozen=True):
    """One message, question or answer."""

    kind: int
    number: int
    """The number of a question and of its answer."""
    topic: str
    """The topic; in a refusal, its code."""
    body: msgspec.Raw


class _Parcel(msgspec.Struct, array_like=True, frozen=True):
    sender: str
    number: int
    """Sequence number; 1 for the first parcel of a stream."""
    items: list[Item]
    stream: int = 0
    """Stream id. It changes when ``sender`` had forgotten this node and sees it again."""
    heard_stream: int = 0
    heard: int = -1
    """The last parcel of this node that ``sender`` received, and its stream; -1: its version does not report it."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Parcel).decode


class _Link:
    """State of the link between this node and one other."""

    __slots__ = (
        "arrived_at", "bytes", "heard", "heard_at", "items", "marks", "reports_arrivals", "sent", "sent_at", "stream",
        "stream_heard",
    )  # fmt: skip

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self.items: list[Item] = []
        self.bytes = 0
        self.sent = 0
        """Number of the last parcel sent."""
        self.sent_at = -1.0
        self.stream_heard = 0
        self.heard = 0
        """Number of the last parcel received in that stream."""
        self.heard_at: float | None = None
        self.reports_arrivals = False
        self.marks: deque[tuple[int, float]] = deque(maxlen=MARKS)
        """Parcels not acknowledged yet, with their send times."""
        self.arrived_at: float | None = None
        """Send time of the last acknowledged parcel."""

    def note_sent(self, now: float) -> None:
        """Record that a parcel is sent."""
        self.sent += 1
        self.sent_at = now
        if not self.marks or now - self.marks[-1][1] >= MARK_S:
            self.marks.append((self.sent, now))

    def note_arrived(self, parcel: _Parcel) -> None:
        """Record the acknowledgement in ``parcel``."""
        if parcel.heard < 0:
            return
        self.reports_arrivals = True
        while parcel.heard_stream == self.stream and self.marks and self.marks[0][0] <= parcel.heard:
            _, self.arrived_at = self.marks.popleft()


class Links:
    """This node's links to all others.

    Args:
        on_item: called with the sender and each item.
        on_gap: called with a node some of whose messages were lost, before the items that follow the gap.
        on_new: called with a node that is heard for the first time.

    Attributes:
        gaps: number of gaps so far.
    """

    def __init__(
        self,
        node: str,
        bus: Bus,
        *,
        on_item: Callable[[str, Item], None] = lambda sender, item: None,
        on_gap: Callable[[str], None] = lambda sender: None,
        on_new: Callable[[str], None] = lambda sender: None,
    ) -> None:
        self._node = node
        self._bus = bus
        self._loop = asyncio.get_running_loop()
        self._links: dict[str, _Link] = {}
        self._streams = itertools.count(1)
        self._flushing: set[str] = set()
        self._on_item, self._on_gap, self._on_new = on_item, on_gap, on_new
        self.gaps = 0

    def send(self, node: str, kind: int, number: int, topic: str, body: bytes) -> None:
        """Queue an item for ``node``. It is sent in the next iteration of the event loop, in call order.

        Raises ``ValueError`` if it exceeds ``ITEM_BYTES``.
        """
        if len(body) > ITEM_BYTES:
            raise ValueError(f"{topic}: {len(body)} bytes are more than fit into a message")
        link = self._links.get(node)
        if link is None:
            link = self._links[node] = self._new()
        if link.bytes + len(body) > PARCEL_BYTES and link.items:
            self._send(node, link)
        link.items.append(Item(kind, number, topic, msgspec.Raw(body)))
        link.bytes += len(body) + 64
        if not self._flushing:
            self._loop.call_soon(self._flush)
        self._flushing.add(node)

    def beat(self, nodes: frozenset[str] | set[str], idle_s: float) -> None:
        """Send an empty parcel to each of ``nodes`` that was sent nothing for ``idle_s``."""
        now = self._loop.time()
        for node in nodes:
            link = self._links.get(node)
            if link is None:
                link = self._links[node] = self._new()
            if now - link.sent_at >= idle_s:
                self._send(node, link)

    def is_reached(self, node: str) -> bool:
        """Return whether ``node`` was heard lately and has heard us."""
        link = self._links.get(node)
        if link is None or link.heard_at is None or not self._bus.is_up:
            return False
        latest = self._loop.time() - SILENT_S
        if link.reports_arrivals and (link.arrived_at is None or link.arrived_at <= latest):
            return False
        return link.heard_at > latest

    def silent(self) -> set[str]:
        """Return the known nodes that have long been silent."""
        latest = self._loop.time() - SILENT_S
        return {node for node, link in self._links.items() if link.heard_at is None or link.heard_at <= latest}

    def forget(self, node: str) -> None:
        """Drop the link to ``node``, which is gone. Its id is never reused."""
        self._links.pop(node, None)
        self._flushing.discard(node)

    def receive(self, data: bytes) -> None:
        """Handle a message from the bus."""
        try:
            parcel = _decode(data)
        except msgspec.MsgspecError as error:
            log.error("a message on the bus is not of this protocol: %s", error)  # noqa: TRY400  what it is says all
            return
        if parcel.sender == self._node:
            return
        link = self._links.get(parcel.sender)
        if link is None:
            link = self._links[parcel.sender] = self._new()
            self._on_new(parcel.sender)
        is_new = parcel.stream != link.stream_heard
        if is_new:
            # It had taken this node for dead and sent it nothing for a while.
            link.stream_heard, link.heard = parcel.stream, -1 if link.heard else 0
        if parcel.number <= link.heard:
            return  # a duplicate
        # Also for a node heard for the first time: what it said before we listened is lost.
        missed = parcel.number != link.heard + 1
        link.heard, link.heard_at = parcel.number, self._loop.time()
        link.note_arrived(parcel)
        if is_new:
            self._loop.call_soon(self.beat, {parcel.sender}, 0.0)  # acknowledge at once
        if missed:
            self.gaps += 1
            self._on_gap(parcel.sender)
        for item in parcel.items:
            self._on_item(parcel.sender, item)

    def _new(self) -> _Link:
        return _Link(next(self._streams))

    def _flush(self) -> None:
        nodes = tuple(self._flushing)
        self._flushing.clear()
        for node in nodes:
            link = self._links.get(node)
            if link is not None and link.items:
                self._send(node, link)

    def _send(self, node: str, link: _Link) -> None:
        link.note_sent(self._loop.time())
        items, link.items, link.bytes = link.items, [], 0
        # The number grows even while the bus is down, so that the receiver detects the gap.
        parcel = _Parcel(self._node, link.sent, items, link.stream, link.stream_heard, max(0, link.heard))
        self._bus.send(node, _encode(parcel))
