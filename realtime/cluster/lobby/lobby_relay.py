"""Distribution of lobby events: the leader sends them to every node, which publishes them to its listeners.

    leader: Lobby, LobbyView ──► publish ──► listeners at the leader
                                     └─────► lobby.ev ──► every other node: its listeners

Every node keeps the last events, even without listeners. The snapshot is fetched from the leader on demand and kept up
to date with the events since, so later listeners cost the leader nothing. After a change of leader or a lost event,
listeners get a new snapshot, and nothing until it has arrived.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.errors import Refusal
from lobby.errors import Unavailable
from realtime.cluster.lobby.lobby_replica import LobbyReplica
from realtime.fanout.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lobby.lobby import Lobby
    from lobby.wire.lobby import LobbyEventWire
    from realtime.cluster.bus.cluster import Answer, Cluster
    from realtime.cluster.lobby.lobby_leader import LobbyLeader
    from realtime.fanout.coalescing_topic import CoalescingTopic
    from realtime.people.presence import Presence
    from realtime.watching.lobby_view import LobbyView

WAIT_S = 8.0
"""Maximum wait for a snapshot, as for any answer of the leader."""

AHEAD = 64
"""A listener that is at most this many events ahead of this node, as told by another one, waits until it has caught up.
A larger ``from`` belongs to a leader not known here yet, or is invalid.
"""

FETCHED_S = 1.0
"""Time after a fetch in which such a ``from`` counts as invalid: otherwise a made-up one would cause a fetch each time.
"""

log = logging.getLogger(__name__)


class LobbyMessage(msgspec.Struct):
    """A message for lobby listeners; ``seq`` 0: it is unnumbered."""

    epoch: int
    seq: int
    payload: bytes


class SnapshotReply(msgspec.Struct):
    """The lobby's snapshot; ``epoch`` 0: the node that was asked is not the leader."""

    epoch: int = 0
    seq: int = 0
    payload: bytes = b""


class SnapshotQuery(msgspec.Struct):
    """A question for the snapshot."""

    waiters: bool = False
    """Whether it may have ``WAITERS_FIELDS``. Nodes of earlier versions would not apply later changes to them, and do
    not set this."""


WAITERS_FIELDS = ("waiters", "pools")


class LobbyPublisher:
    """The publisher that a lobby uses to reach users."""

    def __init__(self, relay: LobbyRelay, people: Presence) -> None:
        self._relay = relay
        self._people = people

    def lobby_event(self, event: LobbyEventWire) -> None:
        """Publish to all lobby listeners, unless another lobby has replaced this one."""
        if self._relay.shows(self):
            self._relay.publish(Message(event, event["seq"]))

    def to_user(self, user_id: str, message: Mapping[str, Any]) -> None:
        """Send to one user, whichever node they are connected to."""
        self._people.send(user_id, message)


class LobbyRelay:
    """The lobby as shown to listeners on this node.

    Args:
        make_view: creates what the lobby shows beside its seeks, when this node becomes the leader.
    """

    def __init__(
        self, cluster: Cluster, topic: CoalescingTopic, make_view: Callable[[Lobby, LobbyRelay], LobbyView]
    ) -> None:
        self.topic = topic
        self._cluster = cluster
        self._make_view = make_view
        self._leader: LobbyLeader | None = None
        self._view: LobbyView | None = None
        """The view while this node is the leader."""
        self._is_muted = False
        self._epoch = 0
        """Epoch of the leader whose events these are."""
        self._is_synced = False
        """Listeners have seen all events up to the last of the topic."""
        self._losses = 0
        """Number of losses, so that an answer from before a loss is discarded."""
        self._replica: LobbyReplica | None = None
        """Replica of the lobby: the last fetched snapshot and the events since."""
        self._fetched_s = 0.0
        """Time of the last fetch."""
        self._fetching: asyncio.Task[None] | None = None
        self._catching_up: asyncio.Task[None] | None = None

    def follow(self, leader: LobbyLeader) -> None:
        """Connect to the lobby of ``leader``. Called once, by the wiring."""
        self._leader = leader
        leader.on_moved.append(self._leader_moved)
        self._cluster.subscribe("lobby.ev", LobbyMessage, self._receive)
        self._cluster.on_request("lobby.look", SnapshotQuery, lambda _, query, answer: self._answer_look(query, answer))
        self._cluster.on_gap.append(self._missed)

    async def close(self) -> None:
        """Stop fetching."""
        tasks = [task for task in (self._fetching, self._catching_up) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- leader -------------------------------------------------------------------------------------------

    def shows(self, publisher: LobbyPublisher) -> bool:
        """Return whether the lobby of ``publisher`` is the one that is shown."""
        return self._leader is not None and self._leader.is_here and self._leader.lobby.publisher is publisher

    def tick(self) -> None:
        """Publish changes other than seeks. Called once a second at the leader."""
        if self._view is not None:
            self._view.tick()

    def publish(self, message: Message) -> None:
        """Publish a numbered message to listeners on all nodes."""
        if not self._is_muted:
            self.topic.publish(message)
            self._broadcast(message)

    def send(self, message: Message) -> None:
        """Publish an unnumbered message, which may be lost."""
        if not self._is_muted:
            self.topic.send(message)
            self._broadcast(message)

    def _broadcast(self, message: Message) -> None:
        if self._cluster.others:
            self._cluster.broadcast("lobby.ev", LobbyMessage(self._epoch, message.seq, message.payload))

    def _answer_look(self, query: SnapshotQuery, answer: Answer) -> None:
        if self._view is None:
            answer(SnapshotReply())
            return
        payload = self._view.snapshot().payload
        if not query.waiters:
            shown = msgspec.msgpack.decode(payload, type=dict[str, msgspec.Raw])
            payload = msgspec.msgpack.encode({name: shown[name] for name in shown if name not in WAITERS_FIELDS})
        answer(SnapshotReply(self._epoch, self._seq_here(), payload))

    def _seq_here(self) -> int:
        assert self._leader is not None, "the wiring sets it"
        return self._leader.lobby.seq

    # -- subscribing --------------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        """Return the number of the last event."""
        return self.topic.seq if self._view is None else self._seq_here()

    def entry(self, from_seq: int | None, *, is_fetched: bool = False) -> list[Message] | None:
        """Return the messages for a new listener: the events after ``from_seq``, or the snapshot. None: call ``fetch``
        first.
        """
        if self._view is not None:
            missed = None if from_seq is None else self.topic.since(from_seq, self.seq)
            return [self._view.snapshot()] if missed is None else missed
        if not self._is_synced:
            return None
        missed = None if from_seq is None else self.topic.since(from_seq, self.seq)
        if missed is not None or self._replica is None:
            return missed
        if from_seq is not None and from_seq > self.seq and not is_fetched and self._may_come(from_seq):
            return None  # an answer of the leader follows all events that it has sent
        return [self._replica.snapshot()]

    def _may_come(self, seq: int) -> bool:
        """Return whether an event with this number may be on its way."""
        return seq <= self.seq + AHEAD or asyncio.get_running_loop().time() - self._fetched_s > FETCHED_S

    async def fetch(self) -> None:
        """Fetch a new snapshot, shared by all callers. Raises ``Unavailable``."""
        if self._fetching is None:
            self._fetching = asyncio.create_task(self._fetch(), name="fetch the lobby")
            self._fetching.add_done_callback(self._fetched)
        await asyncio.shield(self._fetching)

    def _fetched(self, task: asyncio.Task[None]) -> None:
        self._fetching = None
        if not task.cancelled():
            task.exception()  # mark it as retrieved; the waiters have it

    async def _fetch(self) -> None:
        assert self._leader is not None, "the wiring sets it"
        until_s = asyncio.get_running_loop().time() + WAIT_S
        while self._view is None:
            holder, losses = self._leader.holder, self._losses
            if holder is not None and holder != self._cluster.node:
                try:
                    look = await self._cluster.request(holder, "lobby.look", SnapshotQuery(waiters=True), SnapshotReply)
                except Refusal:
                    look = SnapshotReply()
                if look.epoch and losses == self._losses and self._show(look):
                    return
            await self._leader.wait(until_s)

    def _show(self, look: SnapshotReply) -> bool:
        """Apply a snapshot. Earlier events arrived before it, later ones arrive after it."""
        if look.epoch < self._epoch:
            return False
        if look.epoch > self._epoch:
            self._epoch = look.epoch
            self.topic.forget()
        later = self.topic.since(look.seq, self.topic.seq)
        if later is None:
            # The kept events begin after this number or end before it, so some never arrived.
            self.topic.forget()
            self.topic.seq = look.seq
            self._is_synced, later = False, []
        self._fetched_s = asyncio.get_running_loop().time()
        self._replica = LobbyReplica(Message(look.payload, look.seq))
        for message in later:
            self._replica.apply(message.payload)
        if not self._is_synced:
            self._is_synced = True
            if self.topic.watchers:
                self.topic.watchers.event(self._replica.snapshot())
        return True

    # -- other nodes --------------------------------------------------------------------------------------

    def _receive(self, _: str, event: LobbyMessage) -> None:
        if self._view is not None or event.epoch < self._epoch:
            return
        if event.epoch > self._epoch:
            self._lose()
            self._epoch = event.epoch
        message = Message(event.payload, event.seq)
        if not event.seq:
            if self._replica is not None:
                self._replica.apply(event.payload)
            if self._is_synced:
                self.topic.send(message)
            return
        if self.topic.seq and event.seq != self.topic.seq + 1:
            self._lose()
        if self._replica is not None:
            self._replica.apply(event.payload)
        if self._is_synced:
            self.topic.publish(message)
        else:
            self.topic.keep(message)

    def _missed(self, node: str) -> None:
        if self._leader is not None and node == self._leader.holder:
            self._lose()

    def _leader_moved(self) -> None:
        assert self._leader is not None, "it says so"
        if not self._leader.is_here:
            self._view = None
            self._lose()
            if self._leader.holder is not None:
                self._epoch = self._leader.epoch
            return
        self._losses += 1
        self._epoch, self._replica = self._leader.epoch, None
        view = self._make_view(self._leader.lobby, self)
        self._is_muted = True  # the snapshot contains it
        try:
            view.tick()
        finally:
            self._is_muted = False
        self._view, self._is_synced = view, True
        self.topic.forget()
        self.topic.seq = self._seq_here()
        if self.topic.watchers:
            self.topic.watchers.event(view.snapshot())

    def _lose(self) -> None:
        """Mark a gap between past and future events: listeners get a new snapshot."""
        self._losses += 1
        self._is_synced, self._replica = False, None
        self.topic.forget()
        if self.topic.watchers and self._catching_up is None:
            self._catching_up = asyncio.create_task(self._catch_up(), name="catch up with the lobby")

    async def _catch_up(self) -> None:
        try:
            while self.topic.watchers and not self._is_synced:
                try:
                    await self.fetch()
                except Unavailable as error:
                    log.warning("lobby subscribers wait for the lobby's leader: %s", error)
        except Exception:  # the top of a task
            log.exception("lobby subscribers could not be sent the lobby again")
        finally:
            self._catching_up = None
