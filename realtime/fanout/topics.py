"""Topics: subscribers of the same messages.

A message is encoded and framed once for each codec, and written to every subscriber without waiting: to players at
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
    from realtime.protocol.wire_types import CrowdWire

RING_EVENTS = 32
"""Events kept for ``from``: more than any game has during a short loss of the network; after a longer one the client
gets the snapshot. At about 300 bytes an event this is 10 KB of a table's 40."""


class PositionSubscribers(Protocol):
    """Subscribers to positions instead of events (``watching/mini_boards.py``)."""

    def __len__(self) -> int:
        """Return how many there are."""

    def remove(self, connection: Connection) -> None:
        """Remove ``connection``, if it is subscribed."""

    def changed(self) -> None:
        """Note that the game may have changed."""

    def renamed(self) -> None:
        """Note that a player has another name."""

    def move_to(self, topic: Topic) -> None:
        """Move all subscribers to ``topic``."""


class Topic:
    """The subscribers of a topic, and its last events.

    Attributes:
        name: as in ``sub``: ``lobby``, ``game:ID``, ``user``.
        crowd: the last ``crowd`` message to the spectators; None: one of them has not been sent it.
        crowd_dirty: the spectators have changed since then.
        remote_watching: number of spectators at other nodes.
        seq: number of the last event; every subscriber has been sent it.
        delayed: the delayed topic of the same game, whose subscribers get nothing that is published or sent here; None
            without.
        snapshot: the last snapshot for spectators; None after a later event.
        minis: subscribers of the position only; None without. They are neither players nor spectators.
    """

    __slots__ = (
        "_ring",
        "crowd",
        "crowd_dirty",
        "delayed",
        "minis",
        "name",
        "players",
        "remote_watching",
        "seq",
        "snapshot",
        "ticking",
        "watchers",
    )  # fmt: skip

    def __init__(self, name: str, ring: int = RING_EVENTS, fan_out: FanOut | None = None) -> None:
        self.name = name
        self.players: dict[Connection, Subscription] = {}
        self.watchers = SpectatorQueue(fan_out or FanOut())
        self.ticking = 0
        """Number of subscribers who want ticks."""
        self.crowd: CrowdWire | None = None
        self.crowd_dirty = False
        self.remote_watching = 0
        self.seq = 0
        self.delayed: Topic | None = None
        self.snapshot: SharedSnapshot | None = None
        self.minis: PositionSubscribers | None = None
        self._ring: deque[Message] = deque(maxlen=ring)

    def __len__(self) -> int:
        others = (0 if self.delayed is None else len(self.delayed)) + (0 if self.minis is None else len(self.minis))
        return len(self.players) + len(self.watchers) + others

    def __contains__(self, connection: Connection) -> bool:
        here = connection in self.players or connection in self.watchers
        return here or (self.delayed is not None and connection in self.delayed)

    @property
    def watching(self) -> int:
        """Number of spectators, delayed or not, at all nodes."""
        return self.watching_here + self.remote_watching

    @property
    def watching_here(self) -> int:
        """Number of spectators at this node."""
        return len(self.watchers) + (0 if self.delayed is None else len(self.delayed.watchers))

    def add(self, connection: Connection, subscription: Subscription) -> None:
        """Subscribe ``connection``; a second call replaces its options."""
        self.remove(connection)
        if subscription.player:
            self.players[connection] = subscription
        else:
            self.watchers.enter(connection, subscription)
            self.crowd = None
        self.ticking += subscription.ticks
        self.crowd_dirty = True

    def has_legal(self, connection: Connection) -> bool:
        """Return whether a subscriber without delay wants legal moves."""
        how = self.players.get(connection) or self.watchers.get(connection)
        return how is not None and how.legal

    def knows_laws(self, connection: Connection) -> bool:
        """Return whether a subscriber without delay can play by the Laws as played over a board."""
        how = self.players.get(connection)
        return how is not None and how.laws

    def remove(self, connection: Connection) -> Subscription | None:
        """Unsubscribe ``connection``; return its subscription, or None."""
        subscription = self.players.pop(connection, None) or self.watchers.pop(connection, None)
        if subscription is not None:
            self.ticking -= subscription.ticks
            self.crowd_dirty = True
            return subscription
        if self.minis is not None:
            self.minis.remove(connection)
        return None if self.delayed is None else self.delayed.remove(connection)

    def publish(self, message: Message) -> None:
        """Send a numbered message to all, players first, and keep it for ``from``."""
        self._ring.append(message)
        self.seq = message.seq
        self.snapshot = None
        if self.players:
            binary = message.binary
            # A write can close a slow reader, which may leave the topic during this loop.
            for connection in tuple(self.players):
                connection.write(binary if connection.codec == "msgpack" else message.frame(connection.codec))
        if self.watchers:
            self.watchers.event(message)
        if self.minis is not None:
            self.minis.changed()

    def keep(self, message: Message) -> None:
        """Keep a numbered message for ``from`` without sending it."""
        self._ring.append(message)
        self.seq = message.seq

    def forget(self) -> None:
        """Drop the kept events: the next ones have other numbers."""
        self._ring.clear()
        self.seq = 0

    def send(self, message: Message) -> None:
        """Send an unnumbered message to all; slow readers may miss it."""
        self.send_to_players(message)
        self.send_to_spectators(message)

    def send_to_players(self, message: Message) -> None:
        """Send an unnumbered message to the players."""
        for connection in tuple(self.players):
            connection.write_droppable(message.frame(connection.codec))

    def send_to_spectators(self, message: Message) -> None:
        """Send an unnumbered message to the spectators."""
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
        """Return the events after ``seq`` up to ``current``; None if they are not kept, or ``seq`` is ahead."""
        if seq == current:
            return []
        if seq > current:
            return None
        events = [message for message in self._ring if message.seq > seq]
        if len(events) != current - seq:
            return None
        return events

    def subscribers(self) -> Iterator[Connection]:
        """Yield all subscribers, players first."""
        yield from tuple(self.players)
        yield from tuple(self.watchers)
