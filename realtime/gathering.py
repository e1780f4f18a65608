"""A topic that so many hear that what is published within a moment goes out together: one write a socket, not many."""

from __future__ import annotations

import asyncio
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


class GatheringTopic(Topic):
    """The first event goes out at once; those within ``GATHER_S`` of it wait for each other.

    Who has asked for what happened must not be answered before he has heard of it: ``catch_up`` tells him what waits.
    """

    __slots__ = ("_ahead", "_gathers", "_later", "_waiting")

    def __init__(self, name: str, ring: int = RING_EVENTS, later: Later | None = None) -> None:
        """``later``: the event loop's ``call_later``, or a test's."""
        super().__init__(name, ring)
        self._later = later
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
        had = self._ahead.get(connection, 0)
        for message in self._waiting[had:]:
            connection.write(message.frame(connection.codec))
        if self._waiting:
            self._ahead[connection] = len(self._waiting)

    def _flush(self) -> None:
        """Send what has gathered, and gather anew; nothing to send ends it."""
        waiting, self._waiting = self._waiting, []
        ahead, self._ahead = self._ahead, {}
        self._gathers = bool(waiting)
        if not waiting:
            return
        later = self._later or asyncio.get_running_loop().call_later
        later(GATHER_S, self._flush)
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
                connection.write(frame)
