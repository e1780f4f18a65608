"""The replica of a simul that another node leads, for listeners on this node.

    leader ──(News, in order)──► live and delayed replica ──► the topics of this node

The leader sends both the live and the delayed stream, and says which user hears which; neither stream is derived from
the other here. So the delay is the same on every node. After a lost message all later ones are useless until the leader
has answered a new ``Follow``, with either the missing events or a snapshot.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.errors import Unavailable
from realtime.fanout.message import Message
from realtime.fanout.subscription import Subscription
from realtime.protocol.codec import encode_msgpack, frame_binary, frame_text
from realtime.simuls.live.delayed_broadcast import later
from realtime.simuls.replica.channel import Channel
from realtime.simuls.replica.clock_offset import ClockOffset
from realtime.simuls.replica.messages import FOLLOW, HERE, LEAVE, Follow, ListenersUpdate, PrivateState, Unfollow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from realtime.cluster.bus.cluster import Cluster
    from realtime.net.connection import Connection
    from realtime.people.presence import Presence
    from realtime.simuls.live.topic import SimulTopic
    from realtime.simuls.replica.messages import SimulMessage

BEHIND_S = 1.0
"""Maximum wait of a listener who has heard more at another node until this one has caught up."""

STRANGER: dict[str, Any] = {"you": None, "your_board": None, "prepared": None, "passes_left": None}
"""The private part of an anonymous visitor (``simul.view.own_wire``)."""

NOBODY_KNOWS: dict[str, Any] = {"t": "simul.crowd", "watchers": 0, "host_online": True}
"""``simul.crowd`` before the first one has arrived."""

_decode = msgspec.msgpack.decode


class RemoteSimul:
    """The replica of one simul. Listeners use it as they use ``Audience`` on the leader.

    Attributes:
        simul: its id.
        topic: the listeners here; its ``delayed`` are those on the delayed view.
        node: the leader that is followed.
        number: number of the ``Follow`` whose answer is awaited.
        is_synced: the replica holds everything the leader has sent.
        is_closed: an actor on this node has replaced it, or it has no more listeners.
        live, delayed: the replicated streams; ``delayed`` is None without a delayed view.
    """

    def __init__(
        self, simul: str, topic: SimulTopic, cluster: Cluster, people: Presence, wall_ms: Callable[[], int]
    ) -> None:
        self.simul = simul
        self.topic = topic
        self.node = ""
        self.number = 0
        self.is_synced = False
        self.is_closed = False
        self.live: Channel | None = None
        self.delayed: Channel | None = None
        self._cluster = cluster
        self._people = people
        self._wall_ms = wall_ms
        self._offset = ClockOffset()
        self._crowd: dict[str, Any] = {**NOBODY_KNOWS, "simul": simul}
        self._owns: dict[str, PrivateState | None] = {}
        """The private part of each listener; None: requested from the leader."""
        self._changed: set[str] = set()
        """Users whose private part changed while messages were missing."""
        self._coming: dict[str | None, int] = {}
        """Users about to listen, with their number of sockets; None: anonymous visitors."""
        self._waiting: dict[str | None, asyncio.Future[None]] = {}
        """Done when the leader has sent this user's private part; for None, when the answer is complete."""
        self._progress: asyncio.Future[None] | None = None
        """Done when a numbered message arrives."""
        self._to_show: set[Connection] = set()
        self._parts: list[bytes] = []

    # -- following ----------------------------------------------------------------------------------------

    def follow(self, node: str, number: int, back: int | None = None) -> None:
        """Ask ``node``, the leader, for the events of the simul and for those missed."""
        self.node, self.number, self.is_synced = node, number, False
        self._offset = ClockOffset()
        self._parts.clear()
        users = self._listening() | {user for user in self._coming if user is not None}
        self._owns = {user: self._owns.get(user) for user in users}
        word = Follow(
            simul=self.simul,
            number=number,
            live=None if self.live is None else self.topic.seq,
            delayed=None if self.delayed is None or self.topic.delayed is None else self.topic.delayed.seq,
            back=back,
            users=list(users),
            watchers=self.topic.watching,
        )
        self._cluster.send(node, FOLLOW, word)

    def lose(self) -> None:
        """Ignore news until a new answer, because messages are missing."""
        self.is_synced, self.number = False, 0

    def close(self) -> None:
        """Close it: it has no listeners, or an actor has replaced it."""
        self.is_closed, self.is_synced = True, False
        if self.node in self._cluster.others:
            self._cluster.send(self.node, LEAVE, Unfollow(self.simul))
        self._wake(*self._waiting)
        self._wake_waiters()

    @property
    def is_wanted(self) -> bool:
        """Return whether there is a listener, or one about to be."""
        return bool(len(self.topic) or self._coming)

    def tick(self) -> None:
        """Report the listeners to the leader if they have changed. Called once a second."""
        delayed = self.topic.delayed
        if not self.is_synced or not (self.topic.crowd_dirty or (delayed is not None and delayed.crowd_dirty)):
            return
        self.topic.crowd_dirty = False
        if delayed is not None:
            delayed.crowd_dirty = False
        went = self._owns.keys() - self._listening() - self._coming.keys()
        for user in went:
            del self._owns[user]
        self._send_listeners(went=list(went))

    def _send_listeners(self, **who: list[str]) -> None:
        word = ListenersUpdate(simul=self.simul, number=self.number, watchers=self.topic.watching, **who)
        self._cluster.send(self.node, HERE, word)

    def _listening(self) -> set[str]:
        topics = (self.topic, self.topic.delayed)
        sockets = [socket for topic in topics if topic is not None for socket in topic.subscribers()]
        return {socket.user.id for socket in sockets if socket.user is not None}

    # -- listening ----------------------------------------------------------------------------------------

    async def until_known(self, user: str | None, seq: int | None = None) -> bool:
        """Wait until the simul can be shown to ``user``; False: something else has replaced this replica.

        Args:
            seq: the last event they have heard, perhaps at another node that is ahead of this one.

        Raises:
            Refusal: ``unavailable``, they have heard more and the leader is unreachable.
        """
        self._coming[user] = self._coming.get(user, 0) + 1
        until_s = asyncio.get_running_loop().time() + BEHIND_S
        try:
            while not self.is_closed:
                if not self.is_synced:
                    await self._wait(None)
                elif user is None or self.knows(user):
                    if seq is None or self.topic_for(user)[1] >= seq or not await self._wait_progress(until_s):
                        return True
                else:
                    if user not in self._owns:
                        self._owns[user] = None
                        self._send_listeners(came=[user])
                    await self._wait(user)
            return False
        finally:
            self._coming[user] -= 1
            if not self._coming[user]:
                del self._coming[user]
                self.topic.crowd_dirty = True  # the user may have gone: the next tick checks

    def knows(self, user: str | None) -> bool:
        """Return whether the present state can be shown to ``user``."""
        return self.is_synced and (user is None or self._owns.get(user) is not None)

    async def _wait(self, user: str | None) -> None:
        future = self._waiting.get(user)
        if future is None:
            future = self._waiting[user] = asyncio.get_running_loop().create_future()
        await asyncio.shield(future)

    async def _wait_progress(self, until_s: float) -> bool:
        """Wait for news; False: the replica was closed. Raises ``Refusal``."""
        timeout_s = until_s - asyncio.get_running_loop().time()
        if timeout_s > 0:
            self._progress = self._progress or asyncio.get_running_loop().create_future()
            await asyncio.wait((self._progress,), timeout=timeout_s)
            return True
        if not self._cluster.is_reached(self.node):
            raise Unavailable("this server has not caught up with what you have seen; try again")
        return False

    def _wake_waiters(self) -> None:
        progress, self._progress = self._progress, None
        if progress is not None:
            progress.set_result(None)

    def _wake(self, *users: str | None) -> None:
        for user in users:
            future = self._waiting.pop(user, None)
            if future is not None:
                future.set_result(None)

    def is_delayed_for(self, user: str | None) -> bool:
        """Return whether ``user`` is on the delayed view."""
        if self.delayed is None:
            return False
        own = None if user is None else self._owns.get(user)
        return own is None or own.delayed

    def topic_for(self, user: str | None) -> tuple[SimulTopic, int]:
        """Return the topic that ``user`` hears, and the number of its last event."""
        topic = self.topic.open_delayed() if self.is_delayed_for(user) else self.topic
        return topic, topic.seq

    def join(self, connection: Connection) -> None:
        """Add ``connection`` as a listener. It has been sent everything up to now."""
        assert self.live is not None, "it is shown"
        user = None if connection.user is None else connection.user.id
        topic, _ = self.topic_for(user)
        self.topic.remove(connection)
        topic.add(connection, Subscription(ticks=False, player=user == self.live.replica["host"]["id"]))

    def show(self, connection: Connection) -> None:
        """Send the snapshot that the user of ``connection`` may see."""
        user = None if connection.user is None else connection.user.id
        self.topic.catch_up(connection)  # otherwise older messages would follow the snapshot
        frame = frame_binary if connection.codec == "msgpack" else frame_text
        connection.write(frame(self.snapshot(connection.codec, user)))

    def snapshot(self, codec: str, user: str | None) -> bytes:
        """Return the encoded ``simul`` message for ``user``; None: an anonymous visitor."""
        channel = self.delayed if self.is_delayed_for(user) else self.live
        assert channel is not None, "it is shown"
        own = None if user is None else self._owns.get(user)
        return channel.shown.payload(codec, STRANGER if own is None else own.own, self._crowd["watchers"])

    def crowd(self) -> Mapping[str, Any]:
        """Return the last ``simul.crowd`` of the leader."""
        return self._crowd

    def send_own(self, user: str) -> None:
        """Send ``user`` their private part on all their listening sockets."""
        own = self._owns.get(user)
        sockets = [connection for connection in self._people.sockets_of(user) if connection in self.topic]
        if not sockets or own is None:
            return
        message = Message({"t": "simul.you", "simul": self.simul, **own.own})
        topic, _ = self.topic_for(user)
        for connection in sockets:
            if connection in topic.players or connection in topic.watchers:
                connection.write(message.frame(connection.codec))
            else:
                self.join(connection)  # the user has become a player
                self.show(connection)

    # -- news from the leader -----------------------------------------------------------------------------

    def take(self, news: SimulMessage) -> None:
        """Apply news from the leader."""
        body = _decode(news.body)
        offset_ms = self._offset.ms(self._wall_ms(), news.now_ms)
        match news.what:
            case "event" | "ring":
                self._event(self.topic, self.live, _moved(body, offset_ms), to_ring=news.what == "ring")
            case "late_event" | "late_ring":
                delayed = self.topic.open_delayed()
                self._event(delayed, self.delayed, _moved(body, offset_ms), to_ring=news.what == "late_ring")
            case "part":
                self._parts.append(body)
            case "live" | "late" | "leap":
                snapshot = _moved(_decode(b"".join(self._parts)), offset_ms)
                self._parts.clear()
                self._snapshot(snapshot, is_delayed=news.what != "live", shows=news.what == "leap")
            case "own":
                self._own(msgspec.convert(body, PrivateState))
            case "word":
                self._crowd = body
                message = Message(body)
                for topic in (self.topic, self.topic.delayed):
                    if topic is not None:
                        topic.send(message)
            case "hide":
                self._hide(frozenset(body))
            case "reveal":
                self._reveal()
            case "sort":
                self._sort(only_delayed=True)
            case "ready":
                self._ready()

    def _event(self, topic: SimulTopic, channel: Channel | None, body: dict[str, Any], *, to_ring: bool) -> None:
        if to_ring:
            topic.remember(Message(body, body["seq"]))
            return
        assert channel is not None, "events come after a snapshot"
        body = channel.replica.completed(body)
        message = Message(body, body["seq"])
        channel.replica.apply(body)  # type: ignore[arg-type]  # one of the messages
        topic.publish(message)
        self._wake_waiters()

    def _snapshot(self, snapshot: dict[str, Any], *, is_delayed: bool, shows: bool) -> None:
        topic = self.topic.open_delayed() if is_delayed else self.topic
        before, channel = (self.delayed, self.live)[not is_delayed], Channel(self.crowd, snapshot)
        if is_delayed:
            self.delayed = channel
        else:
            self.live = channel
        if before is None or topic.seq != channel.seq:
            self._to_show.update(topic.subscribers())
        topic.seq = channel.seq
        self._wake_waiters()
        if shows:
            self._show_all()

    def _own(self, own: PrivateState) -> None:
        if own.user not in self._owns:
            return  # the user does not listen any more
        before = self._owns[own.user]
        self._owns[own.user] = own
        if before is None:
            self._wake(own.user)
        elif self.is_synced:
            self.send_own(own.user)
        elif before != own:
            self._changed.add(own.user)

    def _hide(self, inside: frozenset[str]) -> None:
        """Start the delayed view as ``Audience.begin_late`` does: only the host and players hear live from now on."""
        assert self.live is not None, "it is shown"
        snapshot = _decode(encode_msgpack(self.live.replica.snapshot()))
        delayed = self.topic.open_delayed()
        self.delayed, delayed.seq = Channel(self.crowd, snapshot), self.topic.seq
        self._owns = {
            user: None if own is None else msgspec.structs.replace(own, delayed=user not in inside)
            for user, own in self._owns.items()
        }
        self._sort(only_delayed=True)
        self._to_show.clear()  # all listeners have been sent everything up to now

    def _reveal(self) -> None:
        """End the delayed view: its listeners have been sent everything, unless messages are missing."""
        delayed, self.delayed = self.topic.delayed, None
        self._owns = {
            user: None if own is None else msgspec.structs.replace(own, delayed=False)
            for user, own in self._owns.items()
        }
        if delayed is not None and self.is_synced:
            self._sort()
            self._to_show.clear()
            self.topic.delayed = None

    def _sort(self, *, only_delayed: bool = False) -> None:
        """Move each listener to the topic they may hear, and show them the snapshot of the new one."""
        for topic in (self.topic, self.topic.delayed):
            for connection in () if topic is None else topic.subscribers():
                user = None if connection.user is None else connection.user.id
                is_delayed = self.is_delayed_for(user)
                if is_delayed == (topic is not self.topic) or (only_delayed and not is_delayed):
                    continue
                self.topic.catch_up(connection)
                self.join(connection)
                self._to_show.add(connection)

    def _ready(self) -> None:
        self.is_synced = True
        self._sort()
        if self.delayed is None:
            self.topic.delayed = None
        self._show_all()
        changed, self._changed = self._changed, set()
        for user in changed:
            self.send_own(user)
        self._wake(None)

    def _show_all(self) -> None:
        """Send the snapshot to listeners whom no message has told of the change."""
        shown, self._to_show = self._to_show, set()
        for connection in shown:
            if connection in self.topic:
                self.show(connection)


def _moved(body: dict[str, Any], offset_ms: int) -> dict[str, Any]:
    """Return ``body`` with its instants on this node's clock."""
    if offset_ms:
        later(body, offset_ms)
    return body
