"""Replicas of the simuls that other nodes lead and clients here listen to, and relays of those led here."""

from __future__ import annotations

import asyncio
import itertools
import logging
from functools import partial
from typing import TYPE_CHECKING

from game_core.errors import Refusal
from lobby.errors import Unavailable
from realtime.clock.shared_tasks import SharedTasks
from realtime.postgres.database import FAILURES
from realtime.simuls.replica.led_remotely import LedRemotely
from realtime.simuls.replica.messages import (
    FOLLOW,
    GONE,
    HERE,
    LEAVE,
    NEWS,
    Follow,
    ListenersUpdate,
    NotLeading,
    SimulMessage,
    Unfollow,
)
from realtime.simuls.replica.relay import Relay
from realtime.simuls.replica.simul_replica import RemoteSimul

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.people.presence import Presence
    from realtime.simuls.live.audience import RemoteListeners
    from realtime.simuls.live.ports import SimulsHere
    from realtime.simuls.live.simul_actor import SimulActor
    from realtime.simuls.live.topic import SimulTopic

RETRY_INTERVAL_S = 0.3
"""Interval between two searches for the leader of a simul whose leader is gone."""

ANSWER_S = 5.0
"""A leader that sends nothing for this long after a request is searched for again."""

log = logging.getLogger(__name__)


class RemoteSimuls:
    """The replicas of one node."""

    def __init__(self, simuls: SimulsHere, cluster: Cluster, people: Presence, wall_ms: Callable[[], int]) -> None:
        self._simuls = simuls
        self._cluster = cluster
        self._people = people
        self._wall_ms = wall_ms
        self._replicas: dict[str, RemoteSimul] = {}
        self._numbers = itertools.count(1)
        self._searches = SharedTasks[None]()
        """Searches for leaders under way, by simul."""
        cluster.subscribe(FOLLOW, Follow, self._follow)
        cluster.subscribe(HERE, ListenersUpdate, self._here)
        cluster.subscribe(LEAVE, Unfollow, self._leave)
        cluster.subscribe(NEWS, SimulMessage, self._news)
        cluster.subscribe(GONE, NotLeading, self._gone)
        cluster.on_gap.append(self._missed)
        cluster.on_gone.append(self._lost)

    def __len__(self) -> int:
        return len(self._replicas)

    def leader(self, simul_id: str) -> str | None:
        """Return the other node that leads a simul, if that is known for certain without a query."""
        replica = self._replicas.get(simul_id)
        return None if replica is None or not replica.is_synced else replica.node

    def peek(self, simul_id: str) -> RemoteSimul | None:
        """Return the replica, if there is one."""
        return self._replicas.get(simul_id)

    def make(self, simul_id: str, topic: SimulTopic, node: str, back: int | None = None) -> RemoteSimul:
        """Create the replica of a simul that ``node`` leads, with the listeners of ``topic``.

        Raises ``Refusal`` if the node is unreachable.
        """
        if not self._cluster.is_reached(node):
            raise Unavailable("the server that owns this simul cannot be reached; try again")
        replica = RemoteSimul(simul_id, topic, self._cluster, self._people, self._wall_ms)
        self._replicas[simul_id] = replica
        self._ask(replica, node, back)
        return replica

    def hand_over(self, simul_id: str) -> SimulTopic | None:
        """Close the replica and return its listeners, because an actor is created here; None: there is no replica."""
        replica = self._replicas.pop(simul_id, None)
        if replica is None:
            return None
        replica.close()
        return replica.topic

    def snapshot(self, simul_id: str, user: str | None) -> bytes | None:
        """Return the snapshot as JSON, if the simul is replicated here and ``user``'s view is known."""
        replica = self._replicas.get(simul_id)
        return None if replica is None or not replica.knows(user) else replica.snapshot("json", user)

    async def caught_up(self, simul_id: str) -> None:
        """Wait until the replica, if any, holds what the leader has sent."""
        replica = self._replicas.get(simul_id)
        if replica is not None:
            await replica.until_known(None)

    def tick(self) -> None:
        """Once a second, report the listeners to the leaders and drop unused replicas."""
        for simul_id, replica in tuple(self._replicas.items()):
            if replica.is_wanted:
                replica.tick()
            else:
                self.hand_over(simul_id)

    async def close(self) -> None:
        """Close all replicas."""
        await self._searches.close(cancels=True)
        for simul_id in tuple(self._replicas):
            self.hand_over(simul_id)

    # -- search for the leader ----------------------------------------------------------------------------

    def _ask(self, replica: RemoteSimul, node: str, back: int | None = None) -> None:
        number = next(self._numbers)
        replica.follow(node, number, back)
        asyncio.get_running_loop().call_later(ANSWER_S, self._unanswered, replica, number)

    def _unanswered(self, replica: RemoteSimul, number: int) -> None:
        if replica.number == number and not replica.is_synced:
            self._seek(replica)

    def _seek(self, replica: RemoteSimul, pause_s: float = 0.0) -> None:
        """Search for the leader after a pause; take over the simul if there is none."""
        replica.lose()
        if not replica.is_closed:
            search = partial(self._search, replica, pause_s)
            self._searches.begin(replica.simul, search, f"look for the leader of {replica.simul}")

    async def _search(self, replica: RemoteSimul, pause_s: float) -> None:
        await asyncio.sleep(pause_s)
        while not replica.is_closed:
            try:
                await self._simuls.get(replica.simul)  # the actor then has the listeners
            except LedRemotely as away:
                if self._cluster.is_reached(away.node):
                    self._ask(replica, away.node)
                    return
            except (Refusal, *FAILURES) as error:
                log.debug("simul %s: %s", replica.simul, error)
            except Exception:  # the top of a task, which tries again
                log.exception("a simul could not be found", extra={"simul": replica.simul})
            await asyncio.sleep(RETRY_INTERVAL_S)

    # -- messages from other nodes ------------------------------------------------------------------------

    def _news(self, sender: str, word: SimulMessage) -> None:
        replica = self._replicas.get(word.simul)
        if replica is None:
            self._cluster.send(sender, LEAVE, Unfollow(word.simul))
        elif replica.node == sender and replica.number == word.number:
            try:
                replica.take(word)
            except Exception:  # one simul of many
                log.exception("a simul event of node %s could not be shown", sender)
                replica.live = replica.delayed = None
                self._seek(replica)

    def _gone(self, sender: str, word: NotLeading) -> None:
        replica = self._replicas.get(word.simul)
        if replica is not None and replica.node == sender and replica.number == word.number:
            self._seek(replica, RETRY_INTERVAL_S)  # the sender may be the leader that is about to load it

    def _missed(self, node: str) -> None:
        """Recover from a lost message of ``node``, about simuls that it leads or replicates."""
        for replica in tuple(self._replicas.values()):
            if replica.node == node and replica.number:
                self._ask(replica, node)
        for actor in self._simuls.all():
            if actor.audience.relay is not None:
                actor.audience.relay.send_away(node)

    def _lost(self, node: str) -> None:
        """Handle the death of ``node``."""
        for replica in tuple(self._replicas.values()):
            if replica.node == node:
                self._seek(replica)
        for actor in self._simuls.all():
            if actor.audience.relay is not None:
                actor.audience.relay.leave(node)

    def _follow(self, sender: str, word: Follow) -> None:
        actor = self._simuls.peek(word.simul)
        if actor is None or actor.lost:
            self._cluster.send(sender, GONE, NotLeading(word.simul, word.number))
            return
        audience = actor.audience
        if audience.relay is None:
            audience.relay = Relay(audience, actor.id, self._cluster, self._wall_ms)
        audience.relay.follow(sender, word)

    def _here(self, sender: str, word: ListenersUpdate) -> None:
        relay = self._relay(word.simul)
        if relay is not None:
            relay.here(sender, word)

    def _leave(self, sender: str, word: Unfollow) -> None:
        relay = self._relay(word.simul)
        if relay is not None:
            relay.leave(sender)

    def _relay(self, simul_id: str) -> RemoteListeners | None:
        actor: SimulActor | None = self._simuls.peek(simul_id)
        return None if actor is None else actor.audience.relay
