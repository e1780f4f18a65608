"""Spectators of a topic, and the delivery of messages to them in slices.

    message ──► few spectators: written to all at once
            └─► many: kept ──(slice)──► the first in the queue, who move to its end ──(slice)──► the next ones

Spectators are queued by their last delivery, so those with the most pending messages come first. A slice writes to the
first of them everything pending, with numbered messages in a single write, and moves each to the end. Messages that
arrive meanwhile are appended, and delivery ends when the first in the queue has nothing pending. So nobody gets two
writes where one suffices, and everybody gets messages in order.

Between two slices the loop polls the sockets: a move at another table waits for a hundred writes, not for all.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from realtime.fanout.message import Message
    from realtime.fanout.subscription import Subscription
    from realtime.net.connection import Connection
    from realtime.protocol.codec import Codec

    Soon = Callable[[Callable[[], None]], object]

AT_ONCE = 100
"""Sockets written to in a slice: half a millisecond, most of it in the kernel's TCP. A thousand in a row would delay
moves."""

MOST_KEPT = 1000
"""Most messages kept. A delivery takes a fraction of a second, so this is reached only if the loop hangs; then
everything is written at once."""

Kind = Literal["event", "word", "tick"]
"""``event``: numbered, must not be lost; ``word``: may be lost; ``tick``: for those who want ticks."""

Hears = Callable[["Connection", "Subscription"], bool]
"""Filter of a message's recipients, evaluated just before the write."""


class Pending(NamedTuple):
    """A message that some spectators have not been sent yet; ``only`` filters its recipients."""

    message: Message
    kind: Kind
    only: Hears | None


class Batch(NamedTuple):
    """One write: a frame, or those of several consecutive events."""

    frames: bytes
    kind: Kind
    only: Hears | None


class FanOut:
    """Scheduler of all queues with pending messages: one slice between two polls."""

    def __init__(self, soon: Soon | None = None, at_once: int = AT_ONCE) -> None:
        """``soon``: the event loop's ``call_soon``, or a test's."""
        self.at_once = at_once
        self._soon = soon
        self._queues: dict[int, SpectatorQueue] = {}
        self._is_called = False

    def begin(self, queue: SpectatorQueue) -> None:
        """Schedule ``queue``, unless it is scheduled."""
        self._queues.setdefault(id(queue), queue)
        self._go_on()

    def catch_up(self, connection: Connection) -> None:
        """Deliver everything pending to ``connection`` now, because a reply comes after it."""
        for queue in self._queues.values():
            queue.catch_up(connection)

    def _slice(self) -> None:
        self._is_called = False
        left = self.at_once
        while left > 0 and self._queues:
            queue = self._queues.pop(next(iter(self._queues)))
            left -= queue.deliver_slice(left)
            if queue.is_behind:
                self.begin(queue)
        self._go_on()

    def _go_on(self) -> None:
        if self._queues and not self._is_called:
            self._is_called = True
            (self._soon or asyncio.get_running_loop().call_soon)(self._slice)


class SpectatorQueue(OrderedDict["Connection", "Subscription"]):
    """The queue: a dict of connections with their subscriptions."""

    def __init__(self, fan_out: FanOut) -> None:
        super().__init__()
        self._fan_out = fan_out
        self._kept: list[Pending] = []
        """Messages that the first in the queue has not been sent, and perhaps earlier ones."""
        self._end = 0
        """Total number of messages: a subscriber with this cursor has nothing pending."""
        self._goal = 0
        """The cursor that everybody has to reach now."""
        self._parcels: dict[tuple[int, Codec], list[Batch]] = {}
        """Prepared writes by number of pending messages and codec."""
        self._then: Callable[[], None] | None = None

    def enter(self, connection: Connection, how: Subscription) -> None:
        """Add ``connection``, which has seen everything up to now."""
        how.cursor = self._end
        self[connection] = how

    @property
    def is_behind(self) -> bool:
        """Whether anybody has pending messages that are due."""
        return bool(self) and self[next(iter(self))].cursor < self._goal

    def event(self, message: Message) -> None:
        """Send all a message that must not be lost."""
        if self._is_long:
            self._keep(Pending(message, "event", None))
            return
        binary = message.binary
        # A write can close a slow reader, which may leave the queue during this loop.
        for connection in tuple(self):
            connection.write(binary if connection.codec == "msgpack" else message.frame(connection.codec))

    def word(self, message: Message, only: Hears | None = None) -> None:
        """Send all, or ``only`` some, a message that slow readers may miss."""
        if self._is_long:
            self._keep(Pending(message, "word", only))
            return
        for connection, how in tuple(self.items()):
            if only is None or only(connection, how):
                connection.write_droppable(message.frame(connection.codec))

    def tick(self, message: Message) -> None:
        """Send a tick to those who want ticks."""
        if self._is_long:
            self._keep(Pending(message, "tick", None))
            return
        for connection, how in tuple(self.items()):
            if how.ticks:
                connection.write_droppable(message.frame(connection.codec))

    def catch_up(self, connection: Connection) -> None:
        """Deliver everything pending to ``connection`` now, if it is in the queue."""
        how = self.get(connection)
        if how is not None and how.cursor < self._end:
            parcels, how.cursor = self._missed_since(how.cursor, connection.codec), self._end
            self.move_to_end(connection)
            _write(parcels, connection, how)

    def deliver_slice(self, most: int) -> int:
        """Deliver to at most ``most`` spectators; return how many there were."""
        count, goal, end = 0, self._goal, self._end
        parcels: list[Batch] = []
        cursor, codec = -1, ""
        for connection, how in tuple(islice(self.items(), most)):
            if how.cursor >= goal:
                break
            try:
                self.move_to_end(connection)
            except KeyError:
                continue  # it left while another was written to
            if how.cursor != cursor or connection.codec != codec:
                cursor, codec = how.cursor, connection.codec
                parcels = self._missed_since(cursor, connection.codec)
            how.cursor = end
            if len(parcels) == 1 and parcels[0].kind == "event":
                connection.write(parcels[0].frames)
            else:
                _write(parcels, connection, how)
            count += 1
        self._forget()
        return count

    def when_told(self, call: Callable[[], None]) -> None:
        """Call ``call`` once nobody has pending messages, perhaps at once."""
        if self.is_behind:
            self._then = call
        else:
            call()

    @property
    def _is_long(self) -> bool:
        """Return whether there are too many spectators for one slice, or earlier messages are pending."""
        return bool(self._kept) or len(self) > self._fan_out.at_once

    def _keep(self, said: Pending) -> None:
        self._parcels.clear()
        if not self:
            self._kept.clear()
            return
        self._kept.append(said)
        self._end += 1
        if len(self._kept) > MOST_KEPT:
            self._goal = self._end
            self.deliver_slice(len(self))
        else:
            self._release()

    def _release(self) -> None:
        """Schedule the delivery of kept messages."""
        self._goal = self._end
        self._fan_out.begin(self)

    def _forget(self) -> None:
        """Drop messages that everybody has been sent."""
        missed = self._end - self[next(iter(self))].cursor if self else 0
        del self._kept[: len(self._kept) - missed]
        if not missed:
            self._parcels.clear()
            then, self._then = self._then, None
            if then is not None:
                then()

    def _missed_since(self, cursor: int, codec: Codec) -> list[Batch]:
        """Return the writes for a spectator with this cursor."""
        missed = self._end - cursor
        parcels = self._parcels.get((missed, codec))
        if parcels is None:
            parcels = self._parcels[missed, codec] = _packed(self._kept[-missed:], codec)
        return parcels


def _write(parcels: list[Batch], connection: Connection, how: Subscription) -> None:
    for frames, kind, only in parcels:
        if kind == "event":
            connection.write(frames)
        elif (kind != "tick" or how.ticks) and (only is None or only(connection, how)):
            connection.write_droppable(frames)


def _packed(said: list[Pending], codec: Codec) -> list[Batch]:
    """Combine messages into writes: consecutive events together, and only the last of several ticks."""
    ticks = sum(one.kind == "tick" for one in said)
    parcels: list[Batch] = []
    for message, kind, only in said:
        ticks -= kind == "tick"
        if kind == "tick" and ticks:
            continue
        frame = message.frame(codec)
        if kind == "event" and parcels and parcels[-1].kind == "event":
            parcels[-1] = Batch(parcels[-1].frames + frame, kind, None)
        else:
            parcels.append(Batch(frame, kind, only))
    return parcels
