"""Relay of a simul's messages to listeners on other nodes: each is sent once to every node with listeners.

A node that begins to follow is sent the users on the delayed view, the delayed snapshot, the live snapshot, and from
then on every message published here, in the same order. After a lost message it asks again, with the numbers it has.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec

from realtime.protocol.codec import frame_payload
from realtime.simuls.replica.messages import GONE, NEWS, PART_BYTES, NotLeading, PrivateState, SimulMessage
from simul.view import own_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.fanout.message import Message
    from realtime.simuls.live.audience import Audience
    from realtime.simuls.replica.messages import Follow, ListenersUpdate, MessageKind

log = logging.getLogger(__name__)

_encode = msgspec.msgpack.encode


class FollowingNode(msgspec.Struct):
    """A node that follows."""

    number: int
    users: set[str]
    watchers: int


class Relay:
    """The relay of one actor.

    Attributes:
        simul: its simul.
    """

    def __init__(self, audience: Audience, simul: str, cluster: Cluster, wall_ms: Callable[[], int]) -> None:
        self.simul = simul
        self._audience = audience
        self._cluster = cluster
        self._wall_ms = wall_ms
        self._nodes: dict[str, FollowingNode] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def watching(self) -> int:
        """Return the number of spectators' sockets on those nodes."""
        return sum(follower.watchers for follower in self._nodes.values())

    # -- followers ----------------------------------------------------------------------------------------

    def follow(self, node: str, word: Follow) -> None:
        """Start sending to ``node``, first what it has missed."""
        audience = self._audience
        self._nodes[node] = follower = FollowingNode(word.number, set(word.users), word.watchers)
        audience.crowd_dirty = True
        for user in word.users:
            self._send_own(node, follower, user)
        delayed = audience.delayed
        if delayed is None:
            self._send(node, follower, "reveal")
        else:
            kept = None if word.back is None else delayed.topic.since(word.back, delayed.seq)
            self._send_each(node, follower, "late_ring", kept or ())
            missed = None if word.delayed is None else delayed.topic.since(word.delayed, delayed.seq)
            self._send_missed(node, follower, missed, delayed=True)
        self._send(node, follower, "sort")
        kept = None if word.back is None else audience.topic.since(word.back, audience.seq)
        self._send_each(node, follower, "ring", kept or ())
        missed = None if word.live is None else audience.topic.since(word.live, audience.seq)
        self._send_missed(node, follower, missed, delayed=False)
        self._send(node, follower, "word", _encode(audience.crowd()))
        self._send(node, follower, "ready")

    def _send_missed(self, node: str, follower: FollowingNode, missed: list[Message] | None, *, delayed: bool) -> None:
        """Send the missed messages or, if they are not kept, the snapshot."""
        if missed is None:
            self._show(node, follower, "late" if delayed else "live")
        else:
            self._send_each(node, follower, "late_event" if delayed else "event", missed)

    def here(self, node: str, word: ListenersUpdate) -> None:
        """Update the listeners at ``node``."""
        follower = self._nodes.get(node)
        if follower is None or follower.number != word.number:
            return
        if follower.watchers != word.watchers:
            follower.watchers = word.watchers
            self._audience.crowd_dirty = True
        follower.users.difference_update(word.went)
        for user in word.came:
            follower.users.add(user)
            self._send_own(node, follower, user)

    def leave(self, node: str) -> None:
        """Stop sending to ``node``, which has no more listeners or is dead."""
        if self._nodes.pop(node, None) is not None:
            self._audience.crowd_dirty = True

    def send_away(self, node: str | None = None) -> None:
        """Make ``node``, or all, search for the leader again: they then ask it, or this node."""
        for one in (node,) if node is not None else tuple(self._nodes):
            follower = self._nodes.pop(one, None)
            if follower is not None:
                self._cluster.send(one, GONE, NotLeading(self.simul, follower.number))

    # -- messages -----------------------------------------------------------------------------------------

    def event(self, message: Message, *, delayed: bool = False) -> None:
        """Send a numbered message that was published here."""
        for node, follower in tuple(self._nodes.items()):
            self._send_each(node, follower, "late_event" if delayed else "event", (message,))

    def word(self, message: Message) -> None:
        """Send a ``simul.crowd`` that was published here."""
        for node, follower in self._nodes.items():
            self._send(node, follower, "word", frame_payload(message.binary))

    def own(self, user: str) -> None:
        """Send a user's changed private part."""
        for node, follower in self._nodes.items():
            if user in follower.users:
                self._send_own(node, follower, user)

    def hide(self, inside: Iterable[str]) -> None:
        """Report that all but ``inside`` are on the delayed view from now on."""
        body = _encode(list(inside))
        for node, follower in self._nodes.items():
            self._send(node, follower, "hide", body)

    def leap(self) -> None:
        """Send the delayed snapshot after a change without a message."""
        for node, follower in tuple(self._nodes.items()):
            self._show(node, follower, "leap")

    def reveal(self) -> None:
        """Report the end of the delayed view."""
        for node, follower in self._nodes.items():
            self._send(node, follower, "reveal")

    def anew(self) -> None:
        """Send the snapshot after a change without a message, which need not be shown to listeners."""
        for node, follower in tuple(self._nodes.items()):
            self._show(node, follower, "live")

    def _show(self, node: str, follower: FollowingNode, what: MessageKind) -> None:
        payload = self._audience.snapshot_for_all("msgpack", delayed=what != "live")
        for start in range(0, len(payload), PART_BYTES):
            self._send(node, follower, "part", _encode(payload[start : start + PART_BYTES]))
        self._send(node, follower, what)

    def _send_own(self, node: str, follower: FollowingNode, user: str) -> None:
        own: dict[str, Any] = {**own_wire(self._audience.state, user)}
        self._send(node, follower, "own", _encode(PrivateState(user, self._audience.is_delayed_for(user), own)))

    def _send_each(self, node: str, follower: FollowingNode, what: MessageKind, messages: Iterable[Message]) -> None:
        for message in messages:
            self._send(node, follower, what, frame_payload(message.binary))

    def _send(self, node: str, follower: FollowingNode, what: MessageKind, body: bytes | memoryview = b"\xc0") -> None:
        news = SimulMessage(
            simul=self.simul, number=follower.number, what=what, now_ms=self._wall_ms(), body=msgspec.Raw(body)
        )
        try:
            self._cluster.send(node, NEWS, news)
        except ValueError:
            log.exception("the simul's messages are too large to relay", extra={"simul": self.simul})
            self.send_away(node)  # it asks again and gets the snapshot, which is sent in parts
