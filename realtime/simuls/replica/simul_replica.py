"""An exhibition that another node leads, as it is shown to those who listen on this one.

    leader ──(News, in order)──► what is told, retold ──► the topics of this node

Two streams come, of what is told at once and of what the public hears later, and neither is made of the other here: who
hears which the leader says. So what is delayed is as late on every node. A message that is lost on the way makes all
that comes after it worthless until the leader has answered a new ``Follow``: then either the missing events are there
or a snapshot is shown.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from realtime.fanout.message import Message
from realtime.fanout.subscription import Subscription
from realtime.protocol.codec import encode_msgpack, frame_binary, frame_text
from realtime.protocol.errors import WireError
from realtime.simuls.live.delayed_broadcast import later
from realtime.simuls.replica.channel import Channel
from realtime.simuls.replica.clock_offset import ClockOffset
from realtime.simuls.replica.messages import FOLLOW, HERE, LEAVE, Follow, Here, Leave, Own

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from realtime.cluster.bus.cluster import Cluster
    from realtime.net.connection import Connection
    from realtime.people.presence import Presence
    from realtime.simuls.live.topic import SimulTopic
    from realtime.simuls.replica.messages import News

BEHIND_S = 1.0
"""So long who has heard more of it at another node waits for this one to have heard it."""

STRANGER: dict[str, Any] = {"you": None, "your_board": None, "prepared": None, "passes_left": None}
"""What only a stranger is told (``simul.view.own_wire``)."""

NOBODY_KNOWS: dict[str, Any] = {"t": "simul.crowd", "watchers": 0, "host_online": True}
"""``simul.crowd`` until the first has come."""

_decode = msgspec.msgpack.decode


class RemoteSimul:
    """Of one exhibition; to those who listen it is what ``Audience`` is where the hall is.

    Attributes:
        simul: its id.
        topic: who listens here; its ``late`` are those who hear later.
        node: the leader that is followed.
        number: of the ``Follow`` whose answer is wanted.
        is_synced: what is shown is what the leader has told up to now.
        is_closed: a hall has taken its place here, or nobody wants it.
        live, late: what was told; of the second None where all hear at once.
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
        self.late: Channel | None = None
        self._cluster = cluster
        self._people = people
        self._wall_ms = wall_ms
        self._offset = ClockOffset()
        self._crowd: dict[str, Any] = {**NOBODY_KNOWS, "simul": simul}
        self._owns: dict[str, Own | None] = {}
        """What each who listens here is told alone; None: the leader was asked."""
        self._changed: set[str] = set()
        """Whose own part has changed while messages were missing."""
        self._coming: dict[str | None, int] = {}
        """Who is about to listen, and on how many sockets; None: strangers."""
        self._waiting: dict[str | None, asyncio.Future[None]] = {}
        """Done when the leader has told what this user is told alone; of None when all is there."""
        self._told: asyncio.Future[None] | None = None
        """Done when something is told that has a number."""
        self._to_show: set[Connection] = set()
        self._parts: list[bytes] = []

    # -- following ----------------------------------------------------------------------------------------

    def follow(self, node: str, number: int, back: int | None = None) -> None:
        """Ask ``node``, which leads it, for what happens, and for what was missed."""
        self.node, self.number, self.is_synced = node, number, False
        self._offset = ClockOffset()
        self._parts.clear()
        users = self._listening() | {user for user in self._coming if user is not None}
        self._owns = {user: self._owns.get(user) for user in users}
        word = Follow(
            simul=self.simul,
            number=number,
            live=None if self.live is None else self.topic.seq,
            late=None if self.late is None or self.topic.late is None else self.topic.late.seq,
            back=back,
            users=list(users),
            watchers=self.topic.watching,
        )
        self._cluster.tell(node, FOLLOW, word)

    def lose(self) -> None:
        """What comes from now on is not to be shown: something is missing."""
        self.is_synced, self.number = False, 0

    def close(self) -> None:
        """It is shown no more, or by somebody else."""
        self.is_closed, self.is_synced = True, False
        if self.node in self._cluster.others:
            self._cluster.tell(self.node, LEAVE, Leave(self.simul))
        self._wake(*self._waiting)
        self._wake_told()

    @property
    def is_wanted(self) -> bool:
        """Whether somebody listens, or is about to."""
        return bool(len(self.topic) or self._coming)

    def beat(self) -> None:
        """Once a second: tell the leader who listens, if somebody came or went."""
        late = self.topic.late
        if not self.is_synced or not (self.topic.crowd_dirty or (late is not None and late.crowd_dirty)):
            return
        self.topic.crowd_dirty = False
        if late is not None:
            late.crowd_dirty = False
        went = self._owns.keys() - self._listening() - self._coming.keys()
        for user in went:
            del self._owns[user]
        self._say_here(went=list(went))

    def _say_here(self, **who: list[str]) -> None:
        word = Here(simul=self.simul, number=self.number, watchers=self.topic.watching, **who)
        self._cluster.tell(self.node, HERE, word)

    def _listening(self) -> set[str]:
        topics = (self.topic, self.topic.late)
        sockets = [socket for topic in topics if topic is not None for socket in topic.subscribers()]
        return {socket.user.id for socket in sockets if socket.user is not None}

    # -- listening ----------------------------------------------------------------------------------------

    async def until_known(self, user: str | None, seq: int | None = None) -> bool:
        """Wait until it can be shown to ``user``; False: it is shown by somebody else now.

        Args:
            seq: he has heard it up to this event, at another node perhaps that was told sooner.

        Raises:
            WireError: ``unavailable``, he has heard more, and the leader is not reached.
        """
        self._coming[user] = self._coming.get(user, 0) + 1
        until_s = asyncio.get_running_loop().time() + BEHIND_S
        try:
            while not self.is_closed:
                if not self.is_synced:
                    await self._wait(None)
                elif user is None or self.knows(user):
                    if seq is None or self.heard_by(user)[1] >= seq or not await self._wait_told(until_s):
                        return True
                else:
                    if user not in self._owns:
                        self._owns[user] = None
                        self._say_here(came=[user])
                    await self._wait(user)
            return False
        finally:
            self._coming[user] -= 1
            if not self._coming[user]:
                del self._coming[user]
                self.topic.crowd_dirty = True  # he may have gone: the next beat looks

    def knows(self, user: str | None) -> bool:
        """Whether it can be shown to ``user`` as it is now."""
        return self.is_synced and (user is None or self._owns.get(user) is not None)

    async def _wait(self, user: str | None) -> None:
        future = self._waiting.get(user)
        if future is None:
            future = self._waiting[user] = asyncio.get_running_loop().create_future()
        await asyncio.shield(future)

    async def _wait_told(self, until_s: float) -> bool:
        """Wait until something is told; False: nothing more is waited for. Raises ``WireError``."""
        timeout_s = until_s - asyncio.get_running_loop().time()
        if timeout_s > 0:
            self._told = self._told or asyncio.get_running_loop().create_future()
            await asyncio.wait((self._told,), timeout=timeout_s)
            return True
        if not self._cluster.is_reached(self.node):
            raise WireError("unavailable", "this server does not know yet what you have heard; ask again")
        return False

    def _wake_told(self) -> None:
        told, self._told = self._told, None
        if told is not None:
            told.set_result(None)

    def _wake(self, *users: str | None) -> None:
        for user in users:
            future = self._waiting.pop(user, None)
            if future is not None:
                future.set_result(None)

    def is_late_for(self, user: str | None) -> bool:
        """Whether ``user`` is told of it later than the host and the players."""
        if self.late is None:
            return False
        own = None if user is None else self._owns.get(user)
        return own is None or own.late

    def heard_by(self, user: str | None) -> tuple[SimulTopic, int]:
        """What ``user`` hears, and the number of the last event there."""
        topic = self.topic.delayed() if self.is_late_for(user) else self.topic
        return topic, topic.seq

    def join(self, connection: Connection) -> None:
        """``connection`` listens, and has been told everything up to now."""
        assert self.live is not None, "it is shown"
        user = None if connection.user is None else connection.user.id
        topic, _ = self.heard_by(user)
        self.topic.remove(connection)
        topic.add(connection, Subscription(ticks=False, player=user == self.live.told["host"]["id"]))

    def show(self, connection: Connection) -> None:
        """Send the snapshot as whoever is at the other end may see it."""
        user = None if connection.user is None else connection.user.id
        self.topic.catch_up(connection)  # or he would be told afterwards what was before
        frame = frame_binary if connection.codec == "msgpack" else frame_text
        connection.write(frame(self.snapshot(connection.codec, user)))

    def snapshot(self, codec: str, user: str | None) -> bytes:
        """The ``simul`` message for ``user``, encoded; None is a stranger."""
        channel = self.late if self.is_late_for(user) else self.live
        assert channel is not None, "it is shown"
        own = None if user is None else self._owns.get(user)
        return channel.shown.payload(codec, STRANGER if own is None else own.own, self._crowd["watchers"])

    def crowd(self) -> Mapping[str, Any]:
        """``simul.crowd`` as the leader told it last."""
        return self._crowd

    def tell_own(self, user: str) -> None:
        """Tell ``user`` what only he is told, on all his sockets that listen."""
        own = self._owns.get(user)
        sockets = [connection for connection in self._people.sockets_of(user) if connection in self.topic]
        if not sockets or own is None:
            return
        message = Message({"t": "simul.you", "simul": self.simul, **own.own})
        topic, _ = self.heard_by(user)
        for connection in sockets:
            if connection in topic.players or connection in topic.watchers:
                connection.write(message.frame(connection.codec))
            else:
                self.join(connection)  # he plays now
                self.show(connection)

    # -- what the leader says -----------------------------------------------------------------------------

    def take(self, news: News) -> None:
        """Something was told there."""
        body = _decode(news.body)
        offset_ms = self._offset.ms(self._wall_ms(), news.now_ms)
        match news.what:
            case "event" | "ring":
                self._event(self.topic, self.live, _moved(body, offset_ms), to_ring=news.what == "ring")
            case "late_event" | "late_ring":
                late = self.topic.delayed()
                self._event(late, self.late, _moved(body, offset_ms), to_ring=news.what == "late_ring")
            case "part":
                self._parts.append(body)
            case "live" | "late" | "leap":
                snapshot = _moved(_decode(b"".join(self._parts)), offset_ms)
                self._parts.clear()
                self._snapshot(snapshot, is_late=news.what != "live", shows=news.what == "leap")
            case "own":
                self._own(msgspec.convert(body, Own))
            case "word":
                self._crowd = body
                message = Message(body)
                for topic in (self.topic, self.topic.late):
                    if topic is not None:
                        topic.send(message)
            case "hide":
                self._hide(frozenset(body))
            case "reveal":
                self._reveal()
            case "sort":
                self._sort(only_late=True)
            case "ready":
                self._ready()

    def _event(self, topic: SimulTopic, channel: Channel | None, body: dict[str, Any], *, to_ring: bool) -> None:
        if to_ring:
            topic.remember(Message(body, body["seq"]))
            return
        assert channel is not None, "events come after a snapshot"
        body = channel.told.completed(body)
        message = Message(body, body["seq"])
        channel.told.tell(body)  # type: ignore[arg-type]  # one of the messages
        topic.publish(message)
        self._wake_told()

    def _snapshot(self, snapshot: dict[str, Any], *, is_late: bool, shows: bool) -> None:
        topic = self.topic.delayed() if is_late else self.topic
        before, channel = (self.late, self.live)[not is_late], Channel(self.crowd, snapshot)
        if is_late:
            self.late = channel
        else:
            self.live = channel
        if before is None or topic.seq != channel.seq:
            self._to_show.update(topic.subscribers())
        topic.seq = channel.seq
        self._wake_told()
        if shows:
            self._show_all()

    def _own(self, own: Own) -> None:
        if own.user not in self._owns:
            return  # he listens no more
        before = self._owns[own.user]
        self._owns[own.user] = own
        if before is None:
            self._wake(own.user)
        elif self.is_synced:
            self.tell_own(own.user)
        elif before != own:
            self._changed.add(own.user)

    def _hide(self, inside: frozenset[str]) -> None:
        """As ``Audience.begin_late``: of what comes now only the host and who plays hear at once."""
        assert self.live is not None, "it is shown"
        snapshot = _decode(encode_msgpack(self.live.told.snapshot()))
        late = self.topic.delayed()
        self.late, late.seq = Channel(self.crowd, snapshot), self.topic.seq
        self._owns = {
            user: None if own is None else msgspec.structs.replace(own, late=user not in inside)
            for user, own in self._owns.items()
        }
        self._sort(only_late=True)
        self._to_show.clear()  # all have been told everything up to now

    def _reveal(self) -> None:
        """All hear at once: those who heard late have been told everything, unless something is missing."""
        late, self.late = self.topic.late, None
        self._owns = {
            user: None if own is None else msgspec.structs.replace(own, late=False) for user, own in self._owns.items()
        }
        if late is not None and self.is_synced:
            self._sort()
            self._to_show.clear()
            self.topic.late = None

    def _sort(self, *, only_late: bool = False) -> None:
        """Let each hear what he may hear; who changes sides is to be shown the other one."""
        for topic in (self.topic, self.topic.late):
            for connection in () if topic is None else topic.subscribers():
                user = None if connection.user is None else connection.user.id
                is_late = self.is_late_for(user)
                if is_late == (topic is not self.topic) or (only_late and not is_late):
                    continue
                self.topic.catch_up(connection)
                self.join(connection)
                self._to_show.add(connection)

    def _ready(self) -> None:
        self.is_synced = True
        self._sort()
        if self.late is None:
            self.topic.late = None
        self._show_all()
        changed, self._changed = self._changed, set()
        for user in changed:
            self.tell_own(user)
        self._wake(None)

    def _show_all(self) -> None:
        """Show it to those to whom no message tells what has happened."""
        shown, self._to_show = self._to_show, set()
        for connection in shown:
            if connection in self.topic:
                self.show(connection)


def _moved(body: dict[str, Any], offset_ms: int) -> dict[str, Any]:
    """``body`` with its instants as this node's clock has them."""
    if offset_ms:
        later(body, offset_ms)
    return body
