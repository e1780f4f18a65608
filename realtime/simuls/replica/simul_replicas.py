"""Replicas of the simuls that other nodes lead and clients here listen to, and relays of those led here."""

from __future__ import annotations

import asyncio
import itertools
import logging
from typing import TYPE_CHECKING

from game_core.errors import Refusal
from lobby.errors import Unavailable
from realtime.postgres.database import FAILURES
from realtime.simuls.replica.led_elsewhere import LedElsewhere
from realtime.simuls.replica.messages import FOLLOW, GONE, HERE, LEAVE, NEWS, Follow, Gone, Here, Leave, News
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

AGAIN_S = 0.3
"""Interval between two searches for the leader of a simul whose leader is gone."""

ANSWER_S = 5.0
"""A leader that sends nothing for this long after a request is searched for again."""

log = logging.getLogger(__name__)


class RemoteSimuls:
    """The replicas of one node."""

    def __init__(self, halls: SimulsHere, cluster: Cluster, people: Presence, wall_ms: Callable[[], int]) -> None:
        self._halls = halls
        self._cluster = cluster
        self._people = people
        self._wall_ms = wall_ms
        self._mirrors: dict[str, RemoteSimul] = {}
        self._numbers = itertools.count(1)
        self._seeking: dict[str, asyncio.Task[None]] = {}
        cluster.hears(FOLLOW, Follow, self._follow)
        cluster.hears(HERE, Here, self._here)
        cluster.hears(LEAVE, Leave, self._leave)
        cluster.hears(NEWS, News, self._news)
        cluster.hears(GONE, Gone, self._gone)
        cluster.on_gap.append(self._missed)
        cluster.on_gone.append(self._lost)

    def __len__(self) -> int:
        return len(self._mirrors)

    def leader(self, simul_id: str) -> str | None:
        """Return the other node that leads a simul, if that is known for certain without a query."""
        mirror = self._mirrors.get(simul_id)
        return None if mirror is None or not mirror.is_synced else mirror.node

    def peek(self, simul_id: str) -> RemoteSimul | None:
        """Return the replica, if there is one."""
        return self._mirrors.get(simul_id)

    def make(self, simul_id: str, topic: SimulTopic, node: str, back: int | None = None) -> RemoteSimul:
        """Create the replica of a simul that ``node`` leads, with the listeners of ``topic``.

        Raises ``Refusal`` if the node is unreachable.
        """
        if not self._cluster.is_reached(node):
            raise Unavailable("the server that leads this simul is not reached; ask again")
        mirror = RemoteSimul(simul_id, topic, self._cluster, self._people, self._wall_ms)
        self._mirrors[simul_id] = mirror
        self._ask(mirror, node, back)
        return mirror

    def hand_over(self, simul_id: str) -> SimulTopic | None:
        """Close the replica and return its listeners, because an actor is created here; None: there is no replica."""
        mirror = self._mirrors.pop(simul_id, None)
        if mirror is None:
            return None
        mirror.close()
        return mirror.topic

    def snapshot(self, simul_id: str, user: str | None) -> bytes | None:
        """Return the snapshot as JSON, if the simul is replicated here and ``user``'s view is known."""
        mirror = self._mirrors.get(simul_id)
        return None if mirror is None or not mirror.knows(user) else mirror.snapshot("json", user)

    async def caught_up(self, simul_id: str) -> None:
        """Wait until the replica, if any, holds what the leader has sent."""
        mirror = self._mirrors.get(simul_id)
        if mirror is not None:
            await mirror.until_known(None)

    def beat(self) -> None:
        """Once a second, report the listeners to the leaders and drop unused replicas."""
        for simul_id, mirror in tuple(self._mirrors.items()):
            if mirror.is_wanted:
                mirror.beat()
            else:
                self.hand_over(simul_id)

    async def close(self) -> None:
        """Close all replicas."""
        tasks = tuple(self._seeking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for simul_id in tuple(self._mirrors):
            self.hand_over(simul_id)

    # -- search for the leader ----------------------------------------------------------------------------

    def _ask(self, mirror: RemoteSimul, node: str, back: int | None = None) -> None:
        number = next(self._numbers)
        mirror.follow(node, number, back)
        asyncio.get_running_loop().call_later(ANSWER_S, self._unanswered, mirror, number)

    def _unanswered(self, mirror: RemoteSimul, number: int) -> None:
        if mirror.number == number and not mirror.is_synced:
            self._seek(mirror)

    def _seek(self, mirror: RemoteSimul, pause_s: float = 0.0) -> None:
        """Search for the leader after a pause; take over the simul if there is none."""
        mirror.lose()
        if mirror.is_closed or mirror.simul in self._seeking:
            return
        task = asyncio.create_task(self._search(mirror, pause_s), name=f"look for the leader of {mirror.simul}")
        self._seeking[mirror.simul] = task
        task.add_done_callback(lambda _: self._seeking.pop(mirror.simul, None))

    async def _search(self, mirror: RemoteSimul, pause_s: float) -> None:
        await asyncio.sleep(pause_s)
        while not mirror.is_closed:
            try:
                await self._halls.get(mirror.simul)  # the actor then has the listeners
            except LedElsewhere as away:
                if self._cluster.is_reached(away.node):
                    self._ask(mirror, away.node)
                    return
            except (Refusal, *FAILURES) as error:
                log.debug("simul %s: %s", mirror.simul, error)
            except Exception:  # the top of a task, which tries again
                log.exception("a simul could not be found", extra={"simul": mirror.simul})
            await asyncio.sleep(AGAIN_S)

    # -- messages from other nodes ------------------------------------------------------------------------

    def _news(self, sender: str, word: News) -> None:
        mirror = self._mirrors.get(word.simul)
        if mirror is None:
            self._cluster.tell(sender, LEAVE, Leave(word.simul))
        elif mirror.node == sender and mirror.number == word.number:
            try:
                mirror.take(word)
            except Exception:  # one simul of many
                log.exception("what node %s told of a simul could not be shown", sender)
                mirror.live = mirror.late = None
                self._seek(mirror)

    def _gone(self, sender: str, word: Gone) -> None:
        mirror = self._mirrors.get(word.simul)
        if mirror is not None and mirror.node == sender and mirror.number == word.number:
            self._seek(mirror, AGAIN_S)  # the sender may be the leader that is about to load it

    def _missed(self, node: str) -> None:
        """Recover from a lost message of ``node``, about simuls that it leads or replicates."""
        for mirror in tuple(self._mirrors.values()):
            if mirror.node == node and mirror.number:
                self._ask(mirror, node)
        for hall in self._halls.all():
            if hall.audience.relay is not None:
                hall.audience.relay.send_away(node)

    def _lost(self, node: str) -> None:
        """Handle the death of ``node``."""
        for mirror in tuple(self._mirrors.values()):
            if mirror.node == node:
                self._seek(mirror)
        for hall in self._halls.all():
            if hall.audience.relay is not None:
                hall.audience.relay.leave(node)

    def _follow(self, sender: str, word: Follow) -> None:
        hall = self._halls.peek(word.simul)
        if hall is None or hall.lost:
            self._cluster.tell(sender, GONE, Gone(word.simul, word.number))
            return
        audience = hall.audience
        if audience.relay is None:
            audience.relay = Relay(audience, hall.id, self._cluster, self._wall_ms)
        audience.relay.follow(sender, word)

    def _here(self, sender: str, word: Here) -> None:
        relay = self._relay(word.simul)
        if relay is not None:
            relay.here(sender, word)

    def _leave(self, sender: str, word: Leave) -> None:
        relay = self._relay(word.simul)
        if relay is not None:
            relay.leave(sender)

    def _relay(self, simul_id: str) -> RemoteListeners | None:
        hall: SimulActor | None = self._halls.peek(simul_id)
        return None if hall is None else hall.audience.relay
