"""Those who watch a topic, and what they have not been told yet.

    said ──► to few: written to all at once
         └─► to many: kept ──(slice)──► the first of the row, who then stands last ──(slice)──► the next ones

The row is in the order in which they were told last, so who has missed most stands first. A slice tells the first of
them everything that they have missed, numbered messages in one write, and puts each at the end. If more is said
meanwhile the pour goes on where it is, and is over when the first in the row has missed nothing: nobody is written to
twice who can be written to once, and nobody hears anything in another order.

Between two slices the loop looks at the sockets: a move at another table waits for a hundred writes, not for all.
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
"""Sockets that are written to without the loop looking at anything else: half a millisecond, most of it the kernel's
TCP. A thousand in a row would keep a move waiting that has come meanwhile."""

MOST_KEPT = 1000
"""Messages that wait for those who watch. A pour takes a fraction of a second, so that there are never so many, unless
the loop hangs: then all is written at once."""

Kind = Literal["event", "word", "tick"]
"""A numbered message, which must not be lost; one that may be; a tick, which not everybody wants."""

Hears = Callable[["Connection", "Subscription"], bool]
"""Whether a message is for somebody, asked when it is about to be written."""


class Pending(NamedTuple):
    """A message that some have not been told yet; ``only`` for whom it is."""

    message: Message
    kind: Kind
    only: Hears | None


class Batch(NamedTuple):
    """What is written at a time: a frame, or those of several events in a row."""

    frames: bytes
    kind: Kind
    only: Hears | None


class FanOut:
    """Takes turns with all rows that have somebody to tell something: a slice between two looks at the sockets."""

    def __init__(self, soon: Soon | None = None, at_once: int = AT_ONCE) -> None:
        """``soon``: the event loop's ``call_soon``, or a test's."""
        self.at_once = at_once
        self._soon = soon
        self._rows: dict[int, SpectatorQueue] = {}
        self._is_called = False

    def begin(self, row: SpectatorQueue) -> None:
        """``row`` has somebody to tell something; nothing happens if that is known."""
        self._rows.setdefault(id(row), row)
        self._go_on()

    def catch_up(self, connection: Connection) -> None:
        """Tell ``connection`` now what it has missed of anything that is being poured: an answer comes after that."""
        for row in self._rows.values():
            row.catch_up(connection)

    def _slice(self) -> None:
        self._is_called = False
        left = self.at_once
        while left > 0 and self._rows:
            row = self._rows.pop(next(iter(self._rows)))
            left -= row.deliver_slice(left)
            if row.is_behind:
                self.begin(row)
        self._go_on()

    def _go_on(self) -> None:
        if self._rows and not self._is_called:
            self._is_called = True
            (self._soon or asyncio.get_running_loop().call_soon)(self._slice)


class SpectatorQueue(OrderedDict["Connection", "Subscription"]):
    """The row; a map, so that it is known how each of them listens."""

    def __init__(self, fan_out: FanOut) -> None:
        super().__init__()
        self._fan_out = fan_out
        self._kept: list[Pending] = []
        """What the first in the row has missed, perhaps more."""
        self._end = 0
        """How much was ever kept: who has been told so much has missed nothing."""
        self._goal = 0
        """How much everybody is to be told now."""
        self._parcels: dict[tuple[int, Codec], list[Batch]] = {}
        """By how many messages somebody has missed, and his codec."""
        self._then: Callable[[], None] | None = None

    def enter(self, connection: Connection, how: Subscription) -> None:
        """``connection``, which is not in the row, watches from now on; it knows everything up to now."""
        how.told = self._end
        self[connection] = how

    @property
    def is_behind(self) -> bool:
        """Somebody is to be told something that he has missed."""
        return bool(self) and self[next(iter(self))].told < self._goal

    def event(self, message: Message) -> None:
        """Tell all a message that must not be lost."""
        if self._is_long:
            self._keep(Pending(message, "event", None))
            return
        binary = message.binary
        # A write can close a slow reader, which may leave the row in the middle of this loop.
        for connection in tuple(self):
            connection.write(binary if connection.codec == "msgpack" else message.frame(connection.codec))

    def word(self, message: Message, only: Hears | None = None) -> None:
        """Tell all, or ``only`` some, a message that whoever reads slowly misses."""
        if self._is_long:
            self._keep(Pending(message, "word", only))
            return
        for connection, how in tuple(self.items()):
            if only is None or only(connection, how):
                connection.write_droppable(message.frame(connection.codec))

    def tick(self, message: Message) -> None:
        """Tell those who want ticks."""
        if self._is_long:
            self._keep(Pending(message, "tick", None))
            return
        for connection, how in tuple(self.items()):
            if how.ticks:
                connection.write_droppable(message.frame(connection.codec))

    def catch_up(self, connection: Connection) -> None:
        """Tell ``connection`` now, if it watches, what it has missed."""
        how = self.get(connection)
        if how is not None and how.told < self._end:
            parcels, how.told = self._missed_since(how.told, connection.codec), self._end
            self.move_to_end(connection)
            _write(parcels, connection, how)

    def deliver_slice(self, most: int) -> int:
        """Tell so many of those who have missed something; how many it were."""
        count, goal, end = 0, self._goal, self._end
        parcels: list[Batch] = []
        told, codec = -1, ""
        for connection, how in tuple(islice(self.items(), most)):
            if how.told >= goal:
                break
            try:
                self.move_to_end(connection)
            except KeyError:
                continue  # it left as another was written to
            if how.told != told or connection.codec != codec:
                told, codec = how.told, connection.codec
                parcels = self._missed_since(told, connection.codec)
            how.told = end
            if len(parcels) == 1 and parcels[0].kind == "event":
                connection.write(parcels[0].frames)
            else:
                _write(parcels, connection, how)
            count += 1
        self._forget()
        return count

    def when_told(self, call: Callable[[], None]) -> None:
        """Call ``call`` once nobody has missed anything, which may be now."""
        if self.is_behind:
            self._then = call
        else:
            call()

    @property
    def _is_long(self) -> bool:
        """There are too many to write to all of them in a row, or some have not been told what came before."""
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
        """Something was kept: it is to be told."""
        self._goal = self._end
        self._fan_out.begin(self)

    def _forget(self) -> None:
        """Keep only what somebody has still missed."""
        missed = self._end - self[next(iter(self))].told if self else 0
        del self._kept[: len(self._kept) - missed]
        if not missed:
            self._parcels.clear()
            then, self._then = self._then, None
            if then is not None:
                then()

    def _missed_since(self, told: int, codec: Codec) -> list[Batch]:
        """What somebody is to be written who has been told so much."""
        missed = self._end - told
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
    """What is to be written for ``said``: events in a row together, and of ticks only the last."""
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
