"""A hall's listeners on other nodes: what is said is told once to each node that has some.

A node that begins to follow is told who hears late, the late snapshot, the present one, and from then on whatever is
told here, in the same order. If something gets lost on the way it asks again, with the numbers of what it has.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec

from realtime.protocol.codec import frame_payload
from realtime.simuls.replica.messages import GONE, NEWS, PART_BYTES, Gone, News, Own
from simul.view import own_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.fanout.message import Message
    from realtime.simuls.live.audience import Audience
    from realtime.simuls.replica.messages import Follow, Here, What

log = logging.getLogger(__name__)

_encode = msgspec.msgpack.encode


class Follower(msgspec.Struct):
    """A node."""

    number: int
    users: set[str]
    watchers: int


class Relay:
    """Of one hall.

    Attributes:
        simul: its exhibition.
    """

    def __init__(self, audience: Audience, simul: str, cluster: Cluster, wall_ms: Callable[[], int]) -> None:
        self.simul = simul
        self._audience = audience
        self._cluster = cluster
        self._wall_ms = wall_ms
        self._followers: dict[str, Follower] = {}

    def __len__(self) -> int:
        return len(self._followers)

    @property
    def watching(self) -> int:
        """How many sockets watch there."""
        return sum(follower.watchers for follower in self._followers.values())

    # -- who follows --------------------------------------------------------------------------------------

    def follow(self, node: str, word: Follow) -> None:
        """``node`` wants to be told everything from now on, and what it has missed."""
        audience = self._audience
        self._followers[node] = follower = Follower(word.number, set(word.users), word.watchers)
        audience.crowd_dirty = True
        for user in word.users:
            self._tell_own(node, follower, user)
        late = audience.late
        if late is None:
            self._say(node, follower, "reveal")
        else:
            kept = None if word.back is None else late.topic.since(word.back, late.seq)
            self._say_all(node, follower, "late_ring", kept or ())
            missed = None if word.late is None else late.topic.since(word.late, late.seq)
            self._tell_missed(node, follower, missed, late=True)
        self._say(node, follower, "sort")
        kept = None if word.back is None else audience.topic.since(word.back, audience.seq)
        self._say_all(node, follower, "ring", kept or ())
        missed = None if word.live is None else audience.topic.since(word.live, audience.seq)
        self._tell_missed(node, follower, missed, late=False)
        self._say(node, follower, "word", _encode(audience.crowd()))
        self._say(node, follower, "ready")

    def _tell_missed(self, node: str, follower: Follower, missed: list[Message] | None, *, late: bool) -> None:
        """Tell what was missed, or, where that is not kept, the snapshot."""
        if missed is None:
            self._show(node, follower, "late" if late else "live")
        else:
            self._say_all(node, follower, "late_event" if late else "event", missed)

    def here(self, node: str, word: Here) -> None:
        """Somebody there has come or gone."""
        follower = self._followers.get(node)
        if follower is None or follower.number != word.number:
            return
        if follower.watchers != word.watchers:
            follower.watchers = word.watchers
            self._audience.crowd_dirty = True
        follower.users.difference_update(word.went)
        for user in word.came:
            follower.users.add(user)
            self._tell_own(node, follower, user)

    def leave(self, node: str) -> None:
        """``node`` wants to be told no more, or is gone."""
        if self._followers.pop(node, None) is not None:
            self._audience.crowd_dirty = True

    def send_away(self, node: str | None = None) -> None:
        """Let ``node``, or all, look where the exhibition is: they ask again there, or here."""
        for one in (node,) if node is not None else tuple(self._followers):
            follower = self._followers.pop(one, None)
            if follower is not None:
                self._cluster.tell(one, GONE, Gone(self.simul, follower.number))

    # -- what is said -------------------------------------------------------------------------------------

    def event(self, message: Message, *, late: bool = False) -> None:
        """A numbered message has been told here."""
        for node, follower in tuple(self._followers.items()):
            self._say_all(node, follower, "late_event" if late else "event", (message,))

    def word(self, message: Message) -> None:
        """``simul.crowd`` has been told here."""
        for node, follower in self._followers.items():
            self._say(node, follower, "word", frame_payload(message.binary))

    def own(self, user: str) -> None:
        """What only ``user`` is told is another now."""
        for node, follower in self._followers.items():
            if user in follower.users:
                self._tell_own(node, follower, user)

    def hide(self, inside: Iterable[str]) -> None:
        """From now on all but those ``inside`` hear later."""
        body = _encode(list(inside))
        for node, follower in self._followers.items():
            self._say(node, follower, "hide", body)

    def leap(self) -> None:
        """The late snapshot has become another, of which no message tells."""
        for node, follower in tuple(self._followers.items()):
            self._show(node, follower, "leap")

    def reveal(self) -> None:
        """Everything has been told to all."""
        for node, follower in self._followers.items():
            self._say(node, follower, "reveal")

    def anew(self) -> None:
        """The snapshot has become another, of which no message tells, and which nobody need be shown."""
        for node, follower in tuple(self._followers.items()):
            self._show(node, follower, "live")

    def _show(self, node: str, follower: Follower, what: What) -> None:
        payload = self._audience.snapshot_for_all("msgpack", late=what != "live")
        for start in range(0, len(payload), PART_BYTES):
            self._say(node, follower, "part", _encode(payload[start : start + PART_BYTES]))
        self._say(node, follower, what)

    def _tell_own(self, node: str, follower: Follower, user: str) -> None:
        own: dict[str, Any] = {**own_wire(self._audience.state, user)}
        self._say(node, follower, "own", _encode(Own(user, self._audience.is_late_for(user), own)))

    def _say_all(self, node: str, follower: Follower, what: What, messages: Iterable[Message]) -> None:
        for message in messages:
            self._say(node, follower, what, frame_payload(message.binary))

    def _say(self, node: str, follower: Follower, what: What, body: bytes | memoryview = b"\xc0") -> None:
        news = News(simul=self.simul, number=follower.number, what=what, now_ms=self._wall_ms(), body=msgspec.Raw(body))
        try:
            self._cluster.tell(node, NEWS, news)
        except ValueError:
            log.exception("what happens in an exhibition is longer than can be told", extra={"simul": self.simul})
            self.send_away(node)  # it asks again, and is told the snapshot, which goes in parts
