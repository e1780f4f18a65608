"""Links: what this node says to another, in numbered parcels, so that what got lost is noticed.

All that is said to a node in one turn of the event loop goes in one parcel. Each has a number, and there is one a
second at least; one that is missing tells the receiver that he has missed something, and he reads it in the database.

    tell / ask ──► parcel n, n + 1, … ──► bus ──► in order? ──► handlers, in the order of the sending
                                                   └─ no ──► on_gap: what came from there has to be read again

Each also says which was the last that came from there. So a node knows whether it is heard: who is heard and does not
hear is as little reached as who is silent.
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
"""A parcel that has grown to this is sent, and another begun."""

ITEM_BYTES = MAX_BYTES - 1024
"""The longest that may be said at once."""

SILENT_S = 3.0
"""A node that has been silent for so long, or has not heard us, is not reached; each says something twice a second."""

MARK_S, MARKS = 0.25, 32
"""How often it is noted when which parcel was sent, and how many of these notes are kept: more than ``SILENT_S``."""

TELL, ASK, ANSWER, REFUSAL = range(4)

log = logging.getLogger(__name__)


class Item(msgspec.Struct, array_like=True, frozen=True):
    """One thing that is said."""

    kind: int
    number: int
    """Of a question, and of the answer to it."""
    topic: str
    """What it is about; of a refusal its code."""
    body: msgspec.Raw


class _Parcel(msgspec.Struct, array_like=True, frozen=True):
    sender: str
    number: int
    """1 for the first of its stream."""
    items: list[Item]
    stream: int = 0
    """Another one when ``sender`` had forgotten this node, and sees it again."""
    heard_stream: int = 0
    heard: int = -1
    """The last parcel that ``sender`` has had of this node, and of which stream; -1: of a version that does not say."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Parcel).decode


class _Link:
    """This node and one other."""

    __slots__ = (
        "arrived_at", "bytes", "heard", "heard_at", "items", "marks", "says_what_arrives", "sent", "sent_at", "stream",
        "stream_heard",
    )  # fmt: skip

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self.items: list[Item] = []
        self.bytes = 0
        self.sent = 0
        """The number of the last parcel that was sent."""
        self.sent_at = -1.0
        self.stream_heard = 0
        self.heard = 0
        """The number of the last parcel that came, of that stream."""
        self.heard_at: float | None = None
        self.says_what_arrives = False
        self.marks: deque[tuple[int, float]] = deque(maxlen=MARKS)
        """Parcels, and when they were sent, of which it is not known yet that they came."""
        self.arrived_at: float | None = None
        """When the last was sent of which that is known."""

    def note_sent(self, now: float) -> None:
        """Another parcel goes out."""
        self.sent += 1
        self.sent_at = now
        if not self.marks or now - self.marks[-1][1] >= MARK_S:
            self.marks.append((self.sent, now))

    def note_arrived(self, parcel: _Parcel) -> None:
        """The other says what has come."""
        if parcel.heard < 0:
            return
        self.says_what_arrives = True
        while parcel.heard_stream == self.stream and self.marks and self.marks[0][0] <= parcel.heard:
            _, self.arrived_at = self.marks.popleft()


class Links:
    """This node's links to all others.

    Attributes:
        on_item: called with the sender and each thing he says.
        on_gap: called with a node something of whose messages got lost, before what came after that.
        on_new: called with a node that is heard and was not known.
        gaps: how often that has happened.
    """

    def __init__(self, node: str, bus: Bus) -> None:
        self._node = node
        self._bus = bus
        self._loop = asyncio.get_running_loop()
        self._links: dict[str, _Link] = {}
        self._streams = itertools.count(1)
        self._flushing: set[str] = set()
        self.on_item: Callable[[str, Item], None] = lambda sender, item: None
        self.on_gap: Callable[[str], None] = lambda sender: None
        self.on_new: Callable[[str], None] = lambda sender: None
        self.gaps = 0

    def say(self, node: str, kind: int, number: int, topic: str, body: bytes) -> None:
        """Say something to ``node``. It goes out in this turn of the loop, in the order of the calls.

        Raises ``ValueError`` for what is longer than ``ITEM_BYTES``.
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
        """Let each of ``nodes`` hear something to whom nothing was said for ``idle_s``."""
        now = self._loop.time()
        for node in nodes:
            link = self._links.get(node)
            if link is None:
                link = self._links[node] = self._new()
            if now - link.sent_at >= idle_s:
                self._send(node, link)

    def is_reached(self, node: str) -> bool:
        """Whether ``node`` was heard lately, and has heard us."""
        link = self._links.get(node)
        if link is None or link.heard_at is None or not self._bus.is_up:
            return False
        latest = self._loop.time() - SILENT_S
        if link.says_what_arrives and (link.arrived_at is None or link.arrived_at <= latest):
            return False
        return link.heard_at > latest

    def silent(self) -> set[str]:
        """The nodes that something was said to or heard from, and that have been silent for long."""
        latest = self._loop.time() - SILENT_S
        return {node for node, link in self._links.items() if link.heard_at is None or link.heard_at <= latest}

    def forget(self, node: str) -> None:
        """``node`` is gone, and no other will have its name."""
        self._links.pop(node, None)
        self._flushing.discard(node)

    def receive(self, data: bytes) -> None:
        """What the bus brings."""
        try:
            parcel = _decode(data)
        except msgspec.MsgspecError as error:
            log.error("a message on the bus is none of ours: %s", error)  # noqa: TRY400  what it is says all
            return
        if parcel.sender == self._node:
            return
        link = self._links.get(parcel.sender)
        if link is None:
            link = self._links[parcel.sender] = self._new()
            self.on_new(parcel.sender)
        is_new = parcel.stream != link.stream_heard
        if is_new:
            # It had taken this node for dead, and has told it nothing for a while.
            link.stream_heard, link.heard = parcel.stream, -1 if link.heard else 0
        if parcel.number <= link.heard:
            return  # once more
        # Of a node that is heard for the first time too: what it said before we listened is lost.
        missed = parcel.number != link.heard + 1
        link.heard, link.heard_at = parcel.number, self._loop.time()
        link.note_arrived(parcel)
        if is_new:
            self._loop.call_soon(self.beat, {parcel.sender}, 0.0)  # it is told at once that it is heard
        if missed:
            self.gaps += 1
            self.on_gap(parcel.sender)
        for item in parcel.items:
            self.on_item(parcel.sender, item)

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
        # While the bus is down the number grows all the same: the receiver will see that something is missing.
        parcel = _Parcel(self._node, link.sent, items, link.stream, link.stream_heard, max(0, link.heard))
        self._bus.send(node, _encode(parcel))
