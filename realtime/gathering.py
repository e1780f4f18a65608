"""A topic that so many hear that what is published within a moment goes out together: one write a socket, not many."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING

from realtime.topics import RING_EVENTS, Message, Topic

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.connection import Connection
    from realtime.topics import Subscription

    Later = Callable[[float, Callable[[], None]], object]

GATHER_S = 0.05
"""At most so late is an event, and as often are all written to: nobody sees it of a list, and with a hundred events a
second four of five writes, and the stalls of the loop that these are, are saved."""

AT_ONCE = 100
"""Sockets that are written to without the loop looking at anything else: a millisecond, for that is mostly the kernel's
TCP. A thousand in a row would keep a move waiting that has come meanwhile."""


class GatheringTopic(Topic):
    """The first event goes out at once; those within ``GATHER_S`` of it wait for each other. The sockets are written to
    a slice at a time.

    Who has asked for what happened must not be answered before he has heard of it: ``catch_up`` tells him what waits.
    """

    __slots__ = ("_ahead", "_at_once", "_gathers", "_later", "_owed", "_pours", "_waiting")

    def __init__(self, name: str, ring: int = RING_EVENTS, later: Later | None = None, at_once: int = AT_ONCE) -> None:
        """``later``: the event loop's ``call_later``, or a test's."""
        super().__init__(name, ring)
        self._later = later
        self._at_once = at_once
        self._owed: dict[Connection, bytes] = {}
        """What went out last, to those whose turn has not come yet."""
        self._pours = False
        """The next slice is about to be written."""
        self._waiting: list[Message] = []
        self._ahead: dict[Connection, int] = {}
        """How many of those that wait a socket has had already."""
        self._gathers = False
        """Something went out a moment ago."""

    def add(self, connection: Connection, subscription: Subscription) -> None:
        """Subscribe ``connection``, which has been told everything up to now."""
        super().add(connection, subscription)
        if self._waiting:
            self._ahead[connection] = len(self._waiting)

    def remove(self, connection: Connection) -> Subscription | None:
        """Unsubscribe ``connection``; what it was subscribed as, or None."""
        self._ahead.pop(connection, None)
        self._owed.pop(connection, None)
        return super().remove(connection)

    def publish(self, message: Message) -> None:
        """Send a numbered message to all, now or in a moment, and keep it for ``from``."""
        self._ring.append(message)
        self.seq = message.seq
        self._waiting.append(message)
        if not self._gathers:
            self._flush()

    def catch_up(self, connection: Connection) -> None:
        """Send ``connection``, which is subscribed, what waits for the others."""
        owed = self._owed.pop(connection, None)
        if owed is not None:
            connection.write(owed)
        had = self._ahead.get(connection, 0)
        for message in self._waiting[had:]:
            connection.write(message.frame(connection.codec))
        if self._waiting:
            self._ahead[connection] = len(self._waiting)

    def _flush(self) -> None:
        """Send what has gathered, and gather anew; nothing to send ends it."""
        self._pour(len(self._owed))
        waiting, self._waiting = self._waiting, []
        ahead, self._ahead = self._ahead, {}
        self._gathers = bool(waiting)
        if not waiting:
            return
        self._call(GATHER_S, self._flush)
        frames: dict[str, bytes] = {}
        for connection in self.subscribers():
            codec = connection.codec
            had = ahead.get(connection, 0)
            if had:
                frame = b"".join(message.frame(codec) for message in waiting[had:])
            else:
                found = frames.get(codec)
                frame = found if found is not None else b"".join(message.frame(codec) for message in waiting)
                frames[codec] = frame
            if frame:
                self._owed[connection] = frame
        if not self._pours:
            self._go_on()

    def _pour(self, most: int) -> None:
        """Write to so many of those whose turn has not come yet."""
        owed = self._owed
        for connection in tuple(islice(owed, most)):
            # A write can close a slow reader, which leaves the topic.
            frame = owed.pop(connection, None)
            if frame is not None:
                connection.write(frame)

    def _go_on(self) -> None:
        """The next slice."""
        self._pour(self._at_once)
        self._pours = bool(self._owed)
        if self._pours:
            self._call(0.0, self._go_on)

    def _call(self, delay_s: float, call: Callable[[], None]) -> None:
        later = self._later or asyncio.get_running_loop().call_later
        later(delay_s, call)
