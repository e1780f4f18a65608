"""Topics: who hears what, and one frame for all who hear the same.

A message is encoded once for each codec, framed once, and written to every subscriber without waiting: to players at
once, to spectators at once if they are few, else in slices (``spectator_queue.py``). Joining and leaving are O(1).
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

from realtime.fanout.spectator_queue import FanOut, SpectatorQueue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realtime.fanout.message import Message, SharedSnapshot
    from realtime.fanout.subscription import Subscription
    from realtime.net.connection import Connection

RING_EVENTS = 32
"""Numbered events kept in memory for ``from``: a blink of the network is shorter than 32 events of any game; whoever
was away for longer gets the snapshot. At some 300 bytes an event this is 10 KB of a table's 40."""


class PositionSubscribers(Protocol):
    """Those who are sent positions instead of events (``watching/mini_boards.py``)."""

    def __len__(self) -> int:
        """How many there are."""

    def remove(self, connection: Connection) -> None:
        """``connection`` is subscribed no more, or was not."""

    def changed(self) -> None:
        """Something of the game may have changed."""

    def renamed(self) -> None:
        """A player is called something else."""

    def move_to(self, topic: Topic) -> None:
        """They go on with those of ``topic``."""


class Topic:
    """The subscribers of one thing and its last events.

    Attributes:
        name: as in ``sub``: ``lobby``, ``game:ID``, ``user``.
        crowd_dirty: somebody came or went since the last ``crowd`` message.
        elsewhere: how many watch at other nodes.
        seq: number of the last event; what every subscriber has seen or was sent.
        late: who hears the same later, and none of what is published or sent here; None: nobody does. They come and go
            with the others.
        snapshot: as it was made last for all who look on; None: not since the last event.
        minis: who sees the position only; None: nobody does. They are neither players nor watchers.
    """

    __slots__ = (
        "_ring", "crowd_dirty", "elsewhere", "late", "minis", "name", "players", "seq", "snapshot", "ticking",
        "watchers",
    )  # fmt: skip

    def __init__(self, name: str, ring: int = RING_EVENTS, fan_out: FanOut | None = None) -> None:
        self.name = name
        self.players: dict[Connection, Subscription] = {}
        self.watchers = SpectatorQueue(fan_out or FanOut())
        self.ticking = 0
        """How many subscribers want ticks."""
        self.crowd_dirty = False
        self.elsewhere = 0
        self.seq = 0
        self.late: Topic | None = None
        self.snapshot: SharedSnapshot | None = None
        self.minis: PositionSubscribers | None = None
        self._ring: deque[Message] = deque(maxlen=ring)

    def __len__(self) -> int:
        others = (0 if self.late is None else len(self.late)) + (0 if self.minis is None else len(self.minis))
        return len(self.players) + len(self.watchers) + others

    def __contains__(self, connection: Connection) -> bool:
        here = connection in self.players or connection in self.watchers
        return here or (self.late is not None and connection in self.late)

    @property
    def watching(self) -> int:
        """How many listen who do not play, early or late, at all nodes."""
        return self.watching_here + self.elsewhere

    @property
    def watching_here(self) -> int:
        """How many of them at this node."""
        return len(self.watchers) + (0 if self.late is None else len(self.late.watchers))

    def add(self, connection: Connection, subscription: Subscription) -> None:
        """Subscribe ``connection``; a second time replaces how it hears."""
        self.remove(connection)
        if subscription.player:
            self.players[connection] = subscription
        else:
            self.watchers.enter(connection, subscription)
        self.ticking += subscription.ticks
        self.crowd_dirty = True

    def remove(self, connection: Connection) -> Subscription | None:
        """Unsubscribe ``connection``; what it was subscribed as, or None."""
        subscription = self.players.pop(connection, None) or self.watchers.pop(connection, None)
        if subscription is not None:
            self.ticking -= subscription.ticks
            self.crowd_dirty = True
            return subscription
        if self.minis is not None:
            self.minis.remove(connection)
        return None if self.late is None else self.late.remove(connection)

    def publish(self, message: Message) -> None:
        """Send a numbered message to all, players first, and keep it for ``from``."""
        self._ring.append(message)
        self.seq = message.seq
        self.snapshot = None
        if self.players:
            binary = message.binary
            # A write can close a slow reader, which may leave the topic in the middle of this loop.
            for connection in tuple(self.players):
                connection.write(binary if connection.codec == "msgpack" else message.frame(connection.codec))
        if self.watchers:
            self.watchers.event(message)
        if self.minis is not None:
            self.minis.changed()

    def keep(self, message: Message) -> None:
        """Keep a numbered message for ``from`` that nobody is sent now."""
        self._ring.append(message)
        self.seq = message.seq

    def forget(self) -> None:
        """What was kept leads nowhere any more: what comes next has other numbers."""
        self._ring.clear()
        self.seq = 0

    def send(self, message: Message) -> None:
        """Send an unnumbered message to all; whoever reads slowly misses it."""
        for connection in tuple(self.players):
            connection.write_droppable(message.frame(connection.codec))
        self.watchers.word(message)
        if self.minis is not None:
            self.minis.changed()

    def tick(self, message: Message) -> None:
        """Send a clock tick to those who want ticks."""
        for connection, subscription in tuple(self.players.items()):
            if subscription.ticks:
                connection.write_droppable(message.frame(connection.codec))
        self.watchers.tick(message)

    def since(self, seq: int, current: int) -> list[Message] | None:
        """The events after ``seq`` up to ``current``; None when the ring does not reach back, or ``seq`` is ahead."""
        if seq == current:
            return []
        if seq > current:
            return None
        events = [message for message in self._ring if message.seq > seq]
        if len(events) != current - seq:
            return None
        return events

    def subscribers(self) -> Iterator[Connection]:
        """All sockets that hear what is published here, players first."""
        yield from tuple(self.players)
        yield from tuple(self.watchers)
