"""The listeners of a simul, and their messages: events for all, private parts for each user, and the snapshot."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Protocol

from realtime.fanout.message import Message
from realtime.fanout.subscription import Subscription
from realtime.protocol.codec import frame_binary, frame_text
from realtime.simuls.live.delayed_broadcast import DelayedBroadcast, hidden_since
from realtime.simuls.live.shared_snapshot import EncodedSnapshots
from realtime.simuls.live.topic import SimulTopic
from simul.lists import summary_of
from simul.view import own_wire

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from realtime.clock.loop_time import ServerTime
    from realtime.clock.timers import Timers
    from realtime.net.connection import Connection
    from realtime.people.presence import Presence
    from realtime.simuls.replica.messages import Follow, ListenersUpdate
    from simul.feed import Feed, FeedUpdate
    from simul.state import Simul
    from simul.wire_events import SimulCrowdWire, SimulYouWire


TOLD_AT_ONCE = 100
"""Users who are sent their private part in one batch, without yielding to the loop: at the start all need it."""


class RemoteListeners(Protocol):
    """Listeners on other nodes (``replica/relay.py``)."""

    def __len__(self) -> int:
        """Return the number of nodes."""

    @property
    def watching(self) -> int:
        """Return the number of spectators' sockets."""

    def event(self, message: Message, *, delayed: bool = False) -> None:
        """Send a numbered message to all, or to those on the delayed view (``delayed``)."""

    def word(self, message: Message) -> None:
        """Send an unnumbered message to all."""

    def own(self, user: str) -> None:
        """Send ``user`` their private part after a change."""

    def hide(self, inside: Iterable[str]) -> None:
        """Move all users but ``inside`` to the delayed view."""

    def leap(self) -> None:
        """Send the current delayed snapshot to those on the delayed view."""

    def reveal(self) -> None:
        """End the delayed view."""

    def anew(self) -> None:
        """Require a new snapshot for all."""

    def send_away(self, node: str | None = None) -> None:
        """Report that another node leads the simul now, so that listeners ask again."""

    def follow(self, node: str, word: Follow) -> None:
        """Handle the first listener at ``node``."""

    def here(self, node: str, word: ListenersUpdate) -> None:
        """Handle a change of the listeners at ``node``."""

    def leave(self, node: str) -> None:
        """Handle the end of listening at ``node``."""


class Audience:
    """The audience of one simul.

    Attributes:
        topic: the listeners; its ``delayed`` are those on the delayed view.
        shown: the encoded snapshot, shared by listeners.
        delayed: the delayed view; None: everyone hears everything at once.
        crowd_dirty: the host came or went since the last ``simul.crowd``.
        relay: listeners on other nodes; None: there were never any.
    """

    def __init__(self, feed: Feed, topic: SimulTopic, people: Presence, time: ServerTime, timers: Timers) -> None:
        self.topic = topic
        self.topic.seq = feed.seq
        self.shown = EncodedSnapshots(feed)
        self.crowd_dirty = False
        self.delayed: DelayedBroadcast | None = None
        self.relay: RemoteListeners | None = None
        self._shown_delayed: EncodedSnapshots | None = None
        self._feed = feed
        self._people = people
        self._time = time
        self._timers = timers

    # -- delayed view -------------------------------------------------------------------------------------

    def begin_delayed(self, seated: Collection[str]) -> None:
        """Start the delayed view, if the simul has a delay: all but the host and ``seated`` hear later from now on."""
        if not self._feed.state.setup.delay_s:
            return
        delayed = self._begin_delayed()
        inside = {self._feed.state.host.id, *seated}
        if self.relay is not None:
            self.relay.hide(inside)
        for connection, how in tuple(self.topic.watchers.items()):
            if connection.user is None or connection.user.id not in inside:
                self.topic.catch_up(connection)
                self.topic.remove(connection)
                delayed.topic.add(connection, how)

    def resume_delayed(self) -> None:
        """Restore the delayed view after a reload, during the simul or soon after it. Listeners get a new snapshot."""
        age_ms = hidden_since(summary_of(self._feed.state), self._time.wall_ms(self._time.now_ms()))
        if age_ms is not None:
            self._begin_delayed().hide(age_ms)
        else:
            self._end_delayed()
        for topic in (self.topic, self.topic.delayed):
            for connection in () if topic is None else topic.subscribers():
                self.show(connection)

    def _begin_delayed(self) -> DelayedBroadcast:
        self.delayed = delayed = DelayedBroadcast(
            self._feed,
            self.topic,
            self._time,
            self._timers,
            on_event=self._on_delayed,
            on_leap=self._show_delayed,
            on_end=self._end_delayed,
        )
        self._shown_delayed = EncodedSnapshots(delayed)
        return delayed

    def _on_delayed(self, message: Message) -> None:
        if self.relay is not None:
            self.relay.event(message, delayed=True)

    def _show_delayed(self) -> None:
        assert self.delayed is not None, "it has leapt"
        assert self._shown_delayed is not None, "it comes and goes with it"
        self._shown_delayed.forget()
        for connection in self.delayed.topic.subscribers():
            self.show(connection)
        if self.relay is not None:
            self.relay.leap()

    def _end_delayed(self) -> None:
        """End the delayed view: everything has been published, so its listeners join the others."""
        delayed, self.delayed, self._shown_delayed, self.topic.delayed = self.topic.delayed, None, None, None
        if isinstance(delayed, SimulTopic):
            for connection, how in tuple(delayed.watchers.items()):
                delayed.catch_up(connection)
                delayed.remove(connection)  # otherwise it would be counted in both topics
                self.topic.add(connection, how)
        if self.relay is not None:
            self.relay.reveal()

    def close(self) -> None:
        """Stop sending."""
        if self.delayed is not None:
            self.delayed.close()
        if self.relay is not None:
            self.relay.send_away()

    @property
    def state(self) -> Simul:
        """Return the simul."""
        return self._feed.state

    @property
    def seq(self) -> int:
        """Return the number of the last event."""
        return self._feed.seq

    @property
    def watching(self) -> int:
        """Return the number of listening sockets on all nodes, without the host's."""
        return self.topic.watching + (0 if self.relay is None else self.relay.watching)

    @property
    def is_deserted(self) -> bool:
        """Return whether there is no listener, on this node or others."""
        return not len(self.topic) and not self.relay

    def is_delayed_for(self, user: str | None) -> bool:
        """Return whether ``user`` is on the delayed view."""
        return self.delayed is not None and self._feed.state.role_of(user) not in ("host", "player")

    def topic_for(self, user: str | None) -> tuple[SimulTopic, int]:
        """Return the topic that ``user`` hears, and the number of its last event."""
        if self.delayed is not None and self.is_delayed_for(user):
            return self.delayed.topic, self.delayed.seq
        return self.topic, self._feed.seq

    # -- listening ----------------------------------------------------------------------------------------

    def join(self, connection: Connection) -> None:
        """Add ``connection`` as a listener. It has been sent everything up to now."""
        user = None if connection.user is None else connection.user.id
        topic, _ = self.topic_for(user)
        self.topic.remove(connection)
        topic.add(connection, Subscription(ticks=False, player=user == self._feed.state.host.id))

    def show(self, connection: Connection) -> None:
        """Send the snapshot that the user of ``connection`` may see."""
        user = None if connection.user is None else connection.user.id
        self.topic.catch_up(connection)  # otherwise older messages would follow the snapshot
        frame = frame_binary if connection.codec == "msgpack" else frame_text
        connection.write(frame(self.snapshot(connection.codec, user)))

    def snapshot(self, codec: str, user: str | None) -> bytes:
        """Return the encoded ``simul`` message for ``user``; None: an anonymous visitor."""
        shown = self.shown
        if self._shown_delayed is not None and self.is_delayed_for(user):
            shown = self._shown_delayed
        return shown.payload(codec, own_wire(self._feed.state, user), self.watching)

    def snapshot_for_all(self, codec: str, *, delayed: bool) -> bytes:
        """Return the encoded ``simul`` message for an anonymous visitor, delayed or not. ``delayed`` requires a
        delayed view.
        """
        shown = self._shown_delayed if delayed else self.shown
        assert shown is not None, "something is told late"
        return shown.payload(codec, own_wire(self._feed.state, None), self.watching)

    def show_anew(self) -> None:
        """Discard the encoded snapshot after a change that no event reports."""
        self.shown.forget()
        if self.relay is not None:
            self.relay.anew()

    # -- sending ------------------------------------------------------------------------------------------

    def publish(self, news: FeedUpdate) -> None:
        """Publish news to all listeners, and send some users their private part."""
        for body in news.messages:
            message = Message(body, body["seq"])
            self.topic.publish(message)
            if self.delayed is not None:
                self.delayed.follow(message)
            if self.relay is not None:
                self.relay.event(message)
        self._send_some(deque(news.to))

    def _send_some(self, users: deque[str]) -> None:
        """Send these users their current private part in batches, yielding to the loop between them."""
        for _ in range(min(TOLD_AT_ONCE, len(users))):
            self.send_own(users.popleft())
        if users:
            asyncio.get_running_loop().call_soon(self._send_some, users)

    def send_own(self, user: str) -> None:
        """Send ``user`` their private part on all their listening sockets."""
        if self.relay is not None:
            self.relay.own(user)
        sockets = [connection for connection in self._people.sockets_of(user) if connection in self.topic]
        if not sockets:
            return
        state = self._feed.state
        body: SimulYouWire = {"t": "simul.you", "simul": state.id, **own_wire(state, user)}
        message = Message(body)
        delayed = self.delayed if not self.is_delayed_for(user) else None
        for connection in sockets:
            if delayed is not None and connection in delayed.topic:
                self.join(connection)  # the user has become a player
                self.show(connection)
            else:
                connection.write(message.frame(connection.codec))

    def publish_crowd(self) -> None:
        """Send the attendance to all listeners, if it has changed."""
        delayed = None if self.delayed is None else self.delayed.topic
        if self.crowd_dirty or self.topic.crowd_dirty or (delayed is not None and delayed.crowd_dirty):
            self.crowd_dirty = self.topic.crowd_dirty = False
            message = Message(self.crowd())
            self.topic.send(message)
            if delayed is not None:
                delayed.crowd_dirty = False
                delayed.send(message)
            if self.relay is not None:
                self.relay.word(message)

    def crowd(self) -> SimulCrowdWire:
        """Return the current ``simul.crowd``."""
        state = self._feed.state
        is_here, watchers = state.gone_since is None, self.watching
        return {"t": "simul.crowd", "simul": state.id, "watchers": watchers, "host_online": is_here}
