"""A topic that so many hear that what is published within a moment goes out together: one write a socket, not many."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from realtime.fanout.spectator_queue import FanOut, SpectatorQueue
from realtime.fanout.topics import RING_EVENTS, Topic

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.net.connection import Connection

    Later = Callable[[float, Callable[[], None]], object]

GATHER_S = 0.05
"""At most so late is an event, and as often are all written to: nobody sees it of a list, and with a hundred events a
second four of five writes, and the stalls of the loop that these are, are saved."""


class CoalescingTopic(Topic):
    """The first event goes out at once; those within ``GATHER_S`` of it wait for each other.

    Who has asked for what happened must not be answered before he has heard of it: ``catch_up`` tells him what waits.
    """

    __slots__ = ()

    watchers: CoalescingQueue

    def __init__(
        self, name: str, ring: int = RING_EVENTS, later: Later | None = None, fan_out: FanOut | None = None
    ) -> None:
        """``later``: the event loop's ``call_later``, or a test's."""
        fan_out = fan_out or FanOut()
        super().__init__(name, ring, fan_out)
        self.watchers = CoalescingQueue(fan_out, later)

    def catch_up(self, connection: Connection) -> None:
        """Send ``connection`` what waits for the others."""
        self.watchers.catch_up(connection)


class CoalescingQueue(SpectatorQueue):
    """What is said to them is kept for a moment, however few they are."""

    def __init__(self, fan_out: FanOut, later: Later | None = None) -> None:
        super().__init__(fan_out)
        self._later = later
        self._gathers = False
        """Something went out a moment ago."""

    @property
    def _is_long(self) -> bool:
        return True

    def _release(self) -> None:
        if not self._gathers:
            self._flush()

    def _flush(self) -> None:
        """Tell what has gathered, and gather anew; nothing to tell ends it."""
        self._gathers = self._goal < self._end
        if not self._gathers:
            return
        (self._later or asyncio.get_running_loop().call_later)(GATHER_S, self._flush)
        self._goal = self._end
        if len(self) > self._fan_out.at_once:
            self._fan_out.begin(self)
        else:
            self.deliver_slice(len(self))
