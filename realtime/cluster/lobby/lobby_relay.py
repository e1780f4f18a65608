"""The lobby's events at every node: told by the hub, published to those who watch here.

    hub: Lobby, LobbyView ──► publish ──► those who watch at the hub
                                  └─────► lobby.ev ──► every other node: those who watch there

Every node keeps the last events, whether anybody watches or not. The snapshot is the hub's, fetched when somebody needs
one, and goes on with the events since, so that whoever comes later costs the hub no question. Whoever watches while
another node becomes the hub, or while events get lost, is sent a new snapshot; until that comes he hears nothing.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.errors import Unavailable
from realtime.cluster.lobby.lobby_replica import LobbyReplica
from realtime.fanout.message import Message
from realtime.protocol.errors import WireError

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
"""How long somebody waits for a snapshot, as for any answer of the hub."""

AHEAD = 64
"""Who has seen so many events more than this node, at another, waits until it has caught up. ``from`` of more is that
of a hub that is not known here yet, or none of ours."""

FETCHED_S = 1.0
"""For so long it is none of ours after the lobby was fetched: else it would be fetched for whoever makes one up."""

log = logging.getLogger(__name__)


class Event(msgspec.Struct):
    """What is told to those who watch; ``seq`` 0: it has no number."""

    epoch: int
    seq: int
    payload: bytes


class Look(msgspec.Struct):
    """How the lobby looks; ``epoch`` 0: the one who was asked is not the hub."""

    epoch: int = 0
    seq: int = 0
    payload: bytes = b""


class Nothing(msgspec.Struct):
    """A question that needs no more words."""


class Publisher:
    """A lobby's way to people."""

    def __init__(self, relay: LobbyRelay, people: Presence) -> None:
        self._relay = relay
        self._people = people
        self.lobby: Lobby | None = None

    def lobby_event(self, event: LobbyEventWire) -> None:
        """To all who watch the lobby, unless another one has taken its place."""
        if self._relay.shows(self.lobby):
            self._relay.publish(Message(event, event["seq"]))

    def to_user(self, user_id: str, message: Mapping[str, Any]) -> None:
        """To one person, wherever he is connected."""
        self._people.send(user_id, message)


class LobbyRelay:
    """What those who watch the lobby at this node are sent.

    Args:
        make_view: makes what the lobby shows beside its seeks, when this node becomes the hub.
    """

    def __init__(
        self, cluster: Cluster, topic: CoalescingTopic, make_view: Callable[[Lobby, LobbyRelay], LobbyView]
    ) -> None:
        self.topic = topic
        self._cluster = cluster
        self._make_view = make_view
        self._hub: LobbyLeader | None = None
        self._view: LobbyView | None = None
        """While this node is the hub."""
        self._is_muted = False
        self._epoch = 0
        """Of the hub whose events these are."""
        self._is_synced = False
        """Those who watch have seen all up to the last event of the topic."""
        self._losses = 0
        """How often something was missed, so that an answer from before that is not believed."""
        self._retold: LobbyReplica | None = None
        """As it was fetched last, and has gone on since."""
        self._fetched_s = 0.0
        """When that was."""
        self._fetching: asyncio.Task[None] | None = None
        self._catching_up: asyncio.Task[None] | None = None

    def follow(self, hub: LobbyLeader) -> None:
        """Once, by the wiring: the lobby's messages come from ``hub``."""
        self._hub = hub
        hub.on_moved.append(self._hub_moved)
        self._cluster.hears("lobby.ev", Event, self._take)
        self._cluster.answers("lobby.look", Nothing, lambda _, __, answer: self._answer_look(answer))
        self._cluster.on_gap.append(self._missed)

    async def close(self) -> None:
        """Fetch nothing more."""
        tasks = [task for task in (self._fetching, self._catching_up) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- the hub ------------------------------------------------------------------------------------------

    def shows(self, lobby: Lobby | None) -> bool:
        """Whether ``lobby`` is the one that is shown."""
        return self._hub is not None and self._hub.is_here and self._hub.lobby is lobby

    def beat(self) -> None:
        """Once a second, at the hub: what has changed that is no seek."""
        if self._view is not None:
            self._view.beat()

    def publish(self, message: Message) -> None:
        """Tell a numbered message to all who watch, wherever."""
        if not self._is_muted:
            self.topic.publish(message)
            self._tell(message)

    def send(self, message: Message) -> None:
        """Tell a message that may be lost."""
        if not self._is_muted:
            self.topic.send(message)
            self._tell(message)

    def _tell(self, message: Message) -> None:
        if self._cluster.others:
            self._cluster.tell_all("lobby.ev", Event(self._epoch, message.seq, message.payload))

    def _answer_look(self, answer: Answer) -> None:
        if self._view is None:
            answer(Look())
        else:
            answer(Look(self._epoch, self._seq_here(), self._view.snapshot().payload))

    def _seq_here(self) -> int:
        assert self._hub is not None, "the wiring sets it"
        return self._hub.lobby.seq

    # -- subscribing --------------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        """Number of the last event."""
        return self.topic.seq if self._view is None else self._seq_here()

    def entry(self, from_seq: int | None, *, is_fetched: bool = False) -> list[Message] | None:
        """What somebody is sent who begins to watch: the events after ``from_seq``, or the snapshot. None: ``fetch``
        first."""
        if self._view is not None:
            missed = None if from_seq is None else self.topic.since(from_seq, self.seq)
            return [self._view.snapshot()] if missed is None else missed
        if not self._is_synced:
            return None
        missed = None if from_seq is None else self.topic.since(from_seq, self.seq)
        if missed is not None or self._retold is None:
            return missed
        if from_seq is not None and from_seq > self.seq and not is_fetched and self._may_come(from_seq):
            return None  # what the hub is asked is answered after all that it has told
        return [self._retold.snapshot()]

    def _may_come(self, seq: int) -> bool:
        """Whether an event may be on its way here."""
        return seq <= self.seq + AHEAD or asyncio.get_running_loop().time() - self._fetched_s > FETCHED_S

    async def fetch(self) -> None:
        """Get a new snapshot, once for all who want one. Raises ``Unavailable``."""
        if self._fetching is None:
            self._fetching = asyncio.create_task(self._fetch(), name="fetch the lobby")
            self._fetching.add_done_callback(self._fetched)
        await asyncio.shield(self._fetching)

    def _fetched(self, task: asyncio.Task[None]) -> None:
        self._fetching = None
        if not task.cancelled():
            task.exception()  # whoever waited for it has it

    async def _fetch(self) -> None:
        assert self._hub is not None, "the wiring sets it"
        until_s = asyncio.get_running_loop().time() + WAIT_S
        while self._view is None:
            holder, losses = self._hub.holder, self._losses
            if holder is not None and holder != self._cluster.node:
                try:
                    look = await self._cluster.ask(holder, "lobby.look", Nothing(), Look)
                except WireError:
                    look = Look()
                if look.epoch and losses == self._losses and self._show(look):
                    return
            await self._hub.wait(until_s)

    def _show(self, look: Look) -> bool:
        """Take a snapshot. What happened before it has come before it, what happened after it comes after it."""
        if look.epoch < self._epoch:
            return False
        if look.epoch > self._epoch:
            self._epoch = look.epoch
            self.topic.forget()
        later = self.topic.since(look.seq, self.topic.seq)
        if later is None:
            # What was kept begins later than this or ends before it: some of it never came.
            self.topic.forget()
            self.topic.seq = look.seq
            self._is_synced, later = False, []
        self._fetched_s = asyncio.get_running_loop().time()
        self._retold = LobbyReplica(Message(look.payload, look.seq))
        for message in later:
            self._retold.tell(message.payload)
        if not self._is_synced:
            self._is_synced = True
            if self.topic.watchers:
                self.topic.watchers.event(self._retold.snapshot())
        return True

    # -- other nodes --------------------------------------------------------------------------------------

    def _take(self, _: str, event: Event) -> None:
        if self._view is not None or event.epoch < self._epoch:
            return
        if event.epoch > self._epoch:
            self._lose()
            self._epoch = event.epoch
        message = Message(event.payload, event.seq)
        if not event.seq:
            if self._retold is not None:
                self._retold.tell(event.payload)
            if self._is_synced:
                self.topic.send(message)
            return
        if self.topic.seq and event.seq != self.topic.seq + 1:
            self._lose()
        if self._retold is not None:
            self._retold.tell(event.payload)
        if self._is_synced:
            self.topic.publish(message)
        else:
            self.topic.keep(message)

    def _missed(self, node: str) -> None:
        if self._hub is not None and node == self._hub.holder:
            self._lose()

    def _hub_moved(self) -> None:
        assert self._hub is not None, "it says so"
        if not self._hub.is_here:
            self._view = None
            self._lose()
            if self._hub.holder is not None:
                self._epoch = self._hub.epoch
            return
        self._losses += 1
        self._epoch, self._retold = self._hub.epoch, None
        view = self._make_view(self._hub.lobby, self)
        self._is_muted = True  # what is there already is in the snapshot
        try:
            view.beat()
        finally:
            self._is_muted = False
        self._view, self._is_synced = view, True
        self.topic.forget()
        self.topic.seq = self._seq_here()
        if self.topic.watchers:
            self.topic.watchers.event(view.snapshot())

    def _lose(self) -> None:
        """What comes next does not follow upon what was there: who watches gets a new snapshot."""
        self._losses += 1
        self._is_synced, self._retold = False, None
        self.topic.forget()
        if self.topic.watchers and self._catching_up is None:
            self._catching_up = asyncio.create_task(self._catch_up(), name="catch up with the lobby")

    async def _catch_up(self) -> None:
        try:
            while self.topic.watchers and not self._is_synced:
                try:
                    await self.fetch()
                except Unavailable as error:
                    log.warning("those who watch the lobby wait for its hub: %s", error)
        except Exception:  # the top of a task
            log.exception("those who watch the lobby could not be told of it anew")
        finally:
            self._catching_up = None
