"""Who listens to an exhibition, and what they are sent: events to all, to each what only he is told, the snapshot."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Protocol

from realtime.fanout.message import Message
from realtime.fanout.subscription import Subscription
from realtime.protocol.codec import frame_binary, frame_text
from realtime.simuls.live.delayed_broadcast import DelayedBroadcast, hidden_since
from realtime.simuls.live.shared_snapshot import Shown
from realtime.simuls.live.topic import SimulTopic
from simul.lists import summary_of
from simul.view import own_wire

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from realtime.clock.loop_time import ServerTime
    from realtime.clock.timers import Timers
    from realtime.net.connection import Connection
    from realtime.people.presence import Presence
    from realtime.simuls.replica.messages import Follow, Here
    from simul.feed import Feed, News
    from simul.state import Exhibition
    from simul.wire_events import SimulCrowdWire, SimulYouWire


TOLD_AT_ONCE = 100
"""Presence who are told their own part without the loop looking at anything else: at the start everybody is."""


class RemoteListeners(Protocol):
    """Who listens on other nodes (``replica/relay.py``)."""

    def __len__(self) -> int:
        """How many nodes."""

    @property
    def watching(self) -> int:
        """How many people."""

    def event(self, message: Message, *, late: bool = False) -> None:
        """A numbered message for all, or for those who hear ``late``."""

    def word(self, message: Message) -> None:
        """An unnumbered message for all."""

    def own(self, user: str) -> None:
        """What only ``user`` is told has changed."""

    def hide(self, inside: Iterable[str]) -> None:
        """All but ``inside`` hear later from now on."""

    def leap(self) -> None:
        """Those who hear later are shown the simul as it stands."""

    def reveal(self) -> None:
        """Nobody hears later any more."""

    def anew(self) -> None:
        """Everybody needs a new snapshot."""

    def send_away(self, node: str | None = None) -> None:
        """Another node leads the simul now: listeners ask again."""

    def follow(self, node: str, word: Follow) -> None:
        """Somebody listens at ``node``."""

    def here(self, node: str, word: Here) -> None:
        """Who listens there has changed."""

    def leave(self, node: str) -> None:
        """Nobody listens at ``node`` any more."""


class Audience:
    """Of one exhibition.

    Attributes:
        topic: who listens; its ``late`` are those who hear of it later.
        shown: the snapshot as it was sent last.
        late: what these are told; None: all hear everything at once.
        crowd_dirty: the host came or went since the last ``simul.crowd``.
        relay: who listens on other nodes; None: nobody ever did.
    """

    def __init__(self, feed: Feed, topic: SimulTopic, people: Presence, time: ServerTime, timers: Timers) -> None:
        self.topic = topic
        self.topic.seq = feed.seq
        self.shown = Shown(feed)
        self.crowd_dirty = False
        self.late: DelayedBroadcast | None = None
        self.relay: RemoteListeners | None = None
        self._shown_late: Shown | None = None
        self._feed = feed
        self._people = people
        self._time = time
        self._timers = timers

    # -- who hears of it later ----------------------------------------------------------------------------

    def begin_late(self, seated: Collection[str]) -> None:
        """It is about to start: if it has a delay, all but the host and who is ``seated`` hear of that later."""
        if not self._feed.state.setup.delay_s:
            return
        late = self._begin_late()
        inside = {self._feed.state.host.id, *seated}
        if self.relay is not None:
            self.relay.hide(inside)
        for connection, how in tuple(self.topic.watchers.items()):
            if connection.user is None or connection.user.id not in inside:
                self.topic.catch_up(connection)
                self.topic.remove(connection)
                late.topic.add(connection, how)

    def resume_late(self) -> None:
        """The hall was made anew, perhaps while it ran or soon after; who listened already is shown what there is."""
        age_ms = hidden_since(summary_of(self._feed.state), self._time.wall_ms(self._time.now_ms()))
        if age_ms is not None:
            self._begin_late().hide(age_ms)
        else:
            self._end_late()
        for topic in (self.topic, self.topic.late):
            for connection in () if topic is None else topic.subscribers():
                self.show(connection)

    def _begin_late(self) -> DelayedBroadcast:
        self.late = late = DelayedBroadcast(
            self._feed,
            self.topic,
            self._time,
            self._timers,
            on_event=self._told_late,
            on_leap=self._show_late,
            on_end=self._end_late,
        )
        self._shown_late = Shown(late)
        return late

    def _told_late(self, message: Message) -> None:
        if self.relay is not None:
            self.relay.event(message, late=True)

    def _show_late(self) -> None:
        assert self.late is not None, "it has leapt"
        assert self._shown_late is not None, "it comes and goes with it"
        self._shown_late.forget()
        for connection in self.late.topic.subscribers():
            self.show(connection)
        if self.relay is not None:
            self.relay.leap()

    def _end_late(self) -> None:
        """All has been told: who listens late listens on with the others."""
        late, self.late, self._shown_late, self.topic.late = self.topic.late, None, None, None
        if isinstance(late, SimulTopic):
            for connection, how in tuple(late.watchers.items()):
                late.catch_up(connection)
                late.remove(connection)  # or what he has been told would be counted here and there
                self.topic.add(connection, how)
        if self.relay is not None:
            self.relay.reveal()

    def close(self) -> None:
        """Nothing is told any more."""
        if self.late is not None:
            self.late.close()
        if self.relay is not None:
            self.relay.send_away()

    @property
    def state(self) -> Exhibition:
        """The exhibition."""
        return self._feed.state

    @property
    def seq(self) -> int:
        """Number of the last event."""
        return self._feed.seq

    @property
    def watching(self) -> int:
        """How many sockets listen who are not the host's, on all nodes."""
        return self.topic.watching + (0 if self.relay is None else self.relay.watching)

    @property
    def is_deserted(self) -> bool:
        """Nobody listens, here or elsewhere."""
        return not len(self.topic) and not self.relay

    def is_late_for(self, user: str | None) -> bool:
        """Whether ``user`` is told of it later than the host and the players."""
        return self.late is not None and self._feed.state.role_of(user) not in ("host", "player")

    def heard_by(self, user: str | None) -> tuple[SimulTopic, int]:
        """What ``user`` hears, and the number of the last event there."""
        if self.late is not None and self.is_late_for(user):
            return self.late.topic, self.late.seq
        return self.topic, self._feed.seq

    # -- listening ----------------------------------------------------------------------------------------

    def join(self, connection: Connection) -> None:
        """``connection`` listens, and has been told everything up to now."""
        user = None if connection.user is None else connection.user.id
        topic, _ = self.heard_by(user)
        self.topic.remove(connection)
        topic.add(connection, Subscription(ticks=False, player=user == self._feed.state.host.id))

    def show(self, connection: Connection) -> None:
        """Send the snapshot as whoever is at the other end may see it."""
        user = None if connection.user is None else connection.user.id
        self.topic.catch_up(connection)  # or he would be told afterwards what was before
        frame = frame_binary if connection.codec == "msgpack" else frame_text
        connection.write(frame(self.snapshot(connection.codec, user)))

    def snapshot(self, codec: str, user: str | None) -> bytes:
        """The ``simul`` message for ``user``, encoded; None is a stranger."""
        shown = self.shown
        if self._shown_late is not None and self.is_late_for(user):
            shown = self._shown_late
        return shown.payload(codec, own_wire(self._feed.state, user), self.watching)

    def snapshot_for_all(self, codec: str, *, late: bool) -> bytes:
        """The same for a stranger, as those see it who hear late, or at once; it may be the former only while there is
        something late."""
        shown = self._shown_late if late else self.shown
        assert shown is not None, "something is told late"
        return shown.payload(codec, own_wire(self._feed.state, None), self.watching)

    def show_anew(self) -> None:
        """Something has changed that no event tells of."""
        self.shown.forget()
        if self.relay is not None:
            self.relay.anew()

    # -- telling ------------------------------------------------------------------------------------------

    def tell(self, news: News) -> None:
        """Send what has happened to all, and to some their own part of it."""
        for body in news.messages:
            message = Message(body, body["seq"])
            self.topic.publish(message)
            if self.late is not None:
                self.late.follow(message)
            if self.relay is not None:
                self.relay.event(message)
        self._tell_some(deque(news.to))

    def _tell_some(self, users: deque[str]) -> None:
        """Tell these their own part: as it is when their turn comes, so many at a time that others get on meanwhile."""
        for _ in range(min(TOLD_AT_ONCE, len(users))):
            self.tell_own(users.popleft())
        if users:
            asyncio.get_running_loop().call_soon(self._tell_some, users)

    def tell_own(self, user: str) -> None:
        """Tell ``user`` what only he is told, on all his sockets that listen."""
        if self.relay is not None:
            self.relay.own(user)
        sockets = [connection for connection in self._people.sockets_of(user) if connection in self.topic]
        if not sockets:
            return
        state = self._feed.state
        body: SimulYouWire = {"t": "simul.you", "simul": state.id, **own_wire(state, user)}
        message = Message(body)
        late = self.late if not self.is_late_for(user) else None
        for connection in sockets:
            if late is not None and connection in late.topic:
                self.join(connection)  # he plays now
                self.show(connection)
            else:
                connection.write(message.frame(connection.codec))

    def tell_crowd(self) -> None:
        """Tell all who is here, if somebody came or went since that was told last."""
        late = None if self.late is None else self.late.topic
        if self.crowd_dirty or self.topic.crowd_dirty or (late is not None and late.crowd_dirty):
            self.crowd_dirty = self.topic.crowd_dirty = False
            message = Message(self.crowd())
            self.topic.send(message)
            if late is not None:
                late.crowd_dirty = False
                late.send(message)
            if self.relay is not None:
                self.relay.word(message)

    def crowd(self) -> SimulCrowdWire:
        """``simul.crowd`` as it is now."""
        state = self._feed.state
        is_here, watchers = state.gone_since is None, self.watching
        return {"t": "simul.crowd", "simul": state.id, "watchers": watchers, "host_online": is_here}
