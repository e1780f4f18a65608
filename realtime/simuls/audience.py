"""Who listens to an exhibition, and what they are sent: events to all, to each what only he is told, the snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.codec import frame_binary, frame_text
from realtime.simuls.shown import Shown
from realtime.topics import Message, Subscription
from simul.view import own_wire

if TYPE_CHECKING:
    from realtime.connection import Connection
    from realtime.people import People
    from realtime.simuls.topic import SimulTopic
    from simul.feed import Feed, News
    from simul.wire_events import SimulCrowdWire, SimulYouWire


class Audience:
    """Of one exhibition.

    Attributes:
        topic: who listens.
        shown: the snapshot as it was sent last.
        crowd_dirty: the host came or went since the last ``simul.crowd``.
    """

    def __init__(self, feed: Feed, topic: SimulTopic, people: People) -> None:
        self.topic = topic
        self.topic.seq = feed.seq
        self.shown = Shown(feed)
        self.crowd_dirty = False
        self._feed = feed
        self._people = people

    def join(self, connection: Connection) -> None:
        """``connection`` listens, and has been told everything up to now."""
        is_host = connection.user is not None and connection.user.id == self._feed.state.host.id
        self.topic.add(connection, Subscription(ticks=False, player=is_host))

    def show(self, connection: Connection) -> None:
        """Send the snapshot as whoever is at the other end may see it."""
        user = None if connection.user is None else connection.user.id
        frame = frame_binary if connection.codec == "msgpack" else frame_text
        connection.write(frame(self.snapshot(connection.codec, user)))

    def snapshot(self, codec: str, user: str | None) -> bytes:
        """The ``simul`` message for ``user``, encoded; None is a stranger."""
        return self.shown.payload(codec, own_wire(self._feed.state, user), len(self.topic.watchers))

    def tell(self, news: News) -> None:
        """Send what has happened to all, and to some their own part of it."""
        for body in news.messages:
            self.topic.publish(Message(body, body["seq"]))
        for user in news.to:
            self.tell_own(user)

    def tell_own(self, user: str) -> None:
        """Tell ``user`` what only he is told, on all his sockets that listen."""
        sockets = [connection for connection in self._people.sockets_of(user) if connection in self.topic]
        if not sockets:
            return
        state = self._feed.state
        body: SimulYouWire = {"t": "simul.you", "simul": state.id, **own_wire(state, user)}
        message = Message(body)
        for connection in sockets:
            connection.write(message.frame(connection.codec))

    def tell_crowd(self) -> None:
        """Tell all who is here, if somebody came or went since that was told last."""
        if self.crowd_dirty or self.topic.crowd_dirty:
            self.crowd_dirty = self.topic.crowd_dirty = False
            self.topic.send(Message(self.crowd()))

    def crowd(self) -> SimulCrowdWire:
        """``simul.crowd`` as it is now."""
        state = self._feed.state
        is_here, watchers = state.gone_since is None, len(self.topic.watchers)
        return {"t": "simul.crowd", "simul": state.id, "watchers": watchers, "host_online": is_here}
