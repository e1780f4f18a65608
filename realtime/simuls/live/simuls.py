"""All simuls of this node: lookup, loading, takeover and eviction."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any

from game_core.errors import Refusal
from lobby.errors import NotFound, Unavailable
from lobby.ids import is_id
from realtime.clock.shared_tasks import SharedTasks
from realtime.games.game_observer import GameObserver
from realtime.postgres.database import FAILURES
from realtime.simuls.live.acting_hosts import ActingHosts
from realtime.simuls.live.announcing import Announcing
from realtime.simuls.live.background_tasks import BackgroundTasks
from realtime.simuls.live.board_opening import BoardOpening
from realtime.simuls.live.broadcast import Broadcasts
from realtime.simuls.live.closed_accounts import retire, retire_closed
from realtime.simuls.live.delayed_broadcast import summary_as_public
from realtime.simuls.live.hosting import Hosting
from realtime.simuls.live.listing import Listing
from realtime.simuls.live.open_cards import OpenCards
from realtime.simuls.live.orphans import OrphanSimuls
from realtime.simuls.live.reading import Reading
from realtime.simuls.live.services import Randomness, SimulServices
from realtime.simuls.live.simul_actor import SimulActor
from realtime.simuls.live.simuls_by_host import SimulsByHost
from realtime.simuls.live.topic import SimulTopic
from realtime.simuls.replica.led_remotely import LedRemotely
from realtime.simuls.replica.simul_replicas import RemoteSimuls
from realtime.simuls.store import leadership
from realtime.simuls.store.loading import SimulBeingRead, load
from realtime.simuls.store.store import SimulStore
from simul.evolve import new_simul
from simul.feed import Feed
from simul.lists import summary_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from game_core.events import AnyEvent
    from lobby.accounts.user import User
    from lobby.ports import Pool
    from realtime.clock.loop_time import ServerTime
    from realtime.clock.timers import Timers
    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.lobby.lobby_client import AnyLobby
    from realtime.fanout.spectator_queue import FanOut
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.journal.nodes import Node
    from realtime.people.presence import Presence
    from realtime.simuls.replica.simul_replica import RemoteSimul
    from simul.draft import Draft
    from simul.events import Created
    from simul.lists import Summary
    from simul.state import Simul
    from simul.wire_lists import SimulCardWire

RETRY_INTERVAL_S = 1.0
"""Interval between attempts to find a simul that another node has taken over."""

OVER_KEPT = 16
"""Maximum number of finished simuls kept in memory without listeners, the most recently used."""

log = logging.getLogger(__name__)


class Simuls(GameObserver):
    """The simuls in memory: all that are announced or run, and those of others with listeners here.

    Args:
        release_boards: releases the boards of an actor that has stopped deciding.

    Attributes:
        broadcasts: the streams of their games.
        replicas: replicas of simuls that other nodes lead; None: there are no other nodes.
        hosting: the people who play for the hosts of running simuls, or may, on all nodes.
        acting_hosts: who plays for the host of each simul, for the tables.
        reading, listing: HTTP data of one simul, and list entries of many, whichever node leads them.
        on_visit: called with a simul that this node leads and the game where the host is, or None when it is over or
            led by another node; once a second, whether or not it has changed.
        is_draining: this node takes over nothing any more.
        wall_ms: returns the present in Unix ms.
    """

    def __init__(
        self,
        *,
        pool: Pool,
        node: Node,
        tables: Tables,
        people: Presence,
        lobby: AnyLobby,
        time: ServerTime,
        timers: Timers,
        fan_out: FanOut | None = None,
        cluster: Cluster | None = None,
        release_boards: Callable[[set[str]], Awaitable[object]] | None = None,
    ) -> None:
        self.broadcasts = Broadcasts(pool)
        self._background_tasks = BackgroundTasks()
        self._pool = pool
        self._node = node
        self._tables = tables
        self._people = people
        self._fan_out = fan_out
        self._services = SimulServices(
            store=SimulStore(pool, node.id),
            tables=tables,
            people=people,
            time=time,
            timers=timers,
            chance=Randomness(),
            may_decide=node.is_leased,
            open_board=BoardOpening(tables, self.broadcasts, people, lobby, self._background_tasks).open,
            on_change=self._on_change,
            on_lost=self._on_lost,
        )
        self._simuls: dict[str, SimulActor] = {}
        self._topics: dict[str, SimulTopic] = {}
        """Topics with subscribers whose actor is being reloaded."""
        self._by_host = SimulsByHost(people)
        self._loading = SharedTasks[SimulActor | None]()
        self._being_read: dict[str, SimulBeingRead] = {}
        """Simuls that are being loaded."""
        self._announcing = Announcing(self._services, node, self._announced)
        self.on_visit: list[Callable[[str, str | None], None]] = []
        self.is_draining = False
        self._release_boards = release_boards or (lambda ids: node.release(dict.fromkeys(ids, 0)))
        self._orphans = OrphanSimuls(self, pool, node.id, cluster)
        self._open_cards = OpenCards(cluster)
        self.hosting = Hosting(cluster, people)
        self.wall_ms = self._services.wall_ms
        self.replicas = None if cluster is None else RemoteSimuls(self, cluster, people, self.wall_ms)
        self.acting_hosts = ActingHosts(self._simuls, self._being_read, self.replicas, self.get, self.wall_ms)
        self.reading = Reading(self, pool, cluster)
        self.listing = Listing(self, pool, node.id, cluster)

    # -- queries ------------------------------------------------------------------------------------------

    def peek(self, simul_id: str) -> SimulActor | None:
        """Return the actor if it is in memory."""
        return self._simuls.get(simul_id)

    def all(self) -> Iterator[SimulActor]:
        """Return every actor in memory."""
        yield from tuple(self._simuls.values())

    def shown(self) -> Iterator[Summary]:
        """Return the public list entry of every simul in memory."""
        for actor in self.all():
            yield summary_as_public(summary_of(actor.state), actor.audience.delayed, self.wall_ms())

    def summary(self, summary: Summary) -> Summary:
        """Return the public list entry of a simul, with its current state if it is in memory."""
        actor = self._simuls.get(summary.id)
        delayed = None if actor is None else actor.audience.delayed
        return summary_as_public(summary if actor is None else summary_of(actor.state), delayed, self.wall_ms())

    def open_cards(self) -> list[SimulCardWire]:
        """Return the list entries of the simuls open to new players, the newest first."""
        return self._open_cards.newest(self._states(), self.wall_ms())

    def _states(self) -> Iterator[Simul]:
        return (actor.state for actor in self._simuls.values())

    async def get(self, simul_id: str) -> SimulActor:
        """Return the actor, from memory or loaded.

        Raises:
            LedRemotely: another node leads it.
            Refusal: ``not_found``, or ``unavailable``: it cannot be led here now.
        """
        actor = self._simuls.get(simul_id)
        if actor is not None:
            if actor.is_over:
                self._simuls[simul_id] = self._simuls.pop(simul_id)  # mark it as most recently used
            return actor
        if not is_id(simul_id):
            raise NotFound("there is no such simul")
        leader = None if self.replicas is None else self.replicas.leader(simul_id)
        if leader is not None:
            raise LedRemotely(leader)
        actor = await self._loading.run(simul_id, partial(self._load, simul_id), f"load simul {simul_id}")
        if actor is None:
            raise NotFound("there is no such simul")
        return actor

    async def find(self, simul_id: str, back: int | None = None) -> SimulActor | RemoteSimul:
        """Return where to listen to a simul. Raises ``Refusal``.

        Args:
            back: the last event that the listener has seen.
        """
        replica = None if self.replicas is None else self.replicas.peek(simul_id)
        if replica is not None:
            return replica
        try:
            return await self.get(simul_id)
        except LedRemotely as away:
            if self.replicas is None:
                raise
            known = self.replicas.peek(simul_id)  # a concurrent request may have created it
            if known is not None:
                return known
            topic = self._topics.pop(simul_id, None) or SimulTopic(simul_id, self._fan_out)
            return self.replicas.make(simul_id, topic, away.node, back)

    # -- creation -----------------------------------------------------------------------------------------

    async def create(
        self, host: User, draft: Draft, invited: tuple[User, ...], key: str | None, stand_in: User | None = None
    ) -> dict[str, Any]:
        """Create a simul and return the fields of the reply. Raises ``Refusal``."""
        if self.is_draining:
            raise Unavailable("this server is stopping; try again")
        return await self._announcing.create(host, draft, invited, key, stand_in)

    def _announced(self, created: Created, now_ms: int) -> None:
        actor = self._enter(new_simul(created), leadership.OwnedSimul(1, 1, now_ms))
        self._by_host.tell_stand_in(actor.state)
        actor.settle()

    # -- external events ----------------------------------------------------------------------------------

    def published(self, table: Table, events: tuple[AnyEvent, ...]) -> None:
        """Handle published events of a board; without events, a clock hold."""
        place = table.game.setup.simul_board
        if place is None:
            return
        actor = self._simuls.get(place.id)
        if actor is not None:
            actor.board_changed(table, events)
            if events:
                self.broadcasts.changed(actor.id, table.id, table.game.seq)
        elif place.id in self._being_read:
            self._being_read[place.id].note(table, events)

    def presence(self, user: str, here: bool) -> None:  # noqa: FBT001  a callback
        """Handle the opening of a user's first socket or the closing of their last."""
        for actor in self._by_host.of(user):
            actor.person_is(user, here=here)

    def rename(self, user: User) -> None:
        """Handle a changed name or rank of ``user``, or a closed account."""
        for actor in self.all():
            actor.rename(user)
            role = actor.state.role_of(user.id) if user.kind != "guest" else None
            if role == "stand_in" or (role is not None and actor.state.status == "created"):
                self._background_tasks.begin(retire(self._pool, actor, user), f"{user.id} has changed")

    def tick(self) -> None:
        """Once a second, publish attendance and evict unused simuls."""
        over = 0
        for actor in reversed(tuple(self._simuls.values())):
            actor.audience.publish_crowd()
            if actor.is_over and actor.is_idle and actor.audience.is_deserted:
                over += 1
                if over > OVER_KEPT:
                    self._forget(actor)
            followed = actor.state.board_followed()
            if actor.state.is_running and followed is not None:
                self._visit(actor, followed.game)
        self._open_cards.tick(self._states(), self.wall_ms())
        self.hosting.tick(self._states())
        self._by_host.tell_returned()
        if self.replicas is not None:
            self.replicas.tick()

    def _visit(self, actor: SimulActor, game: str | None) -> None:
        for call in self.on_visit:
            call(actor.id, game)

    # -- start and stop -----------------------------------------------------------------------------------

    async def load_all(self) -> None:
        """Load all simuls without a leader. While other nodes exist, keep searching for more."""
        await self._orphans.run()

    async def release_all(self) -> None:
        """Release all announced and running simuls, each with its boards. Raises any query error."""
        self.is_draining = True
        for actor in self.all():
            if not actor.is_over and not actor.lost:
                await actor.stop()
                await self._release_boards({board.game for board in actor.state.live_boards()})
                await leadership.release(self._pool, self._node.id, actor.id)
                self._on_lost(actor)
        self._orphans.wake()

    async def close(self) -> None:
        """Stop. Decisions that are being stored are completed."""
        await self.reading.close()
        await self.broadcasts.close()
        self.hosting.close()
        if self.replicas is not None:
            await self.replicas.close()
        await self._background_tasks.close()
        await self._loading.close(cancels=True)
        await asyncio.gather(*(actor.close() for actor in self.all()), return_exceptions=True)

    # -- loading ------------------------------------------------------------------------------------------

    async def _load(self, simul_id: str) -> SimulActor | None:
        being_read = self._being_read[simul_id] = SimulBeingRead()
        may_take = not self.is_draining
        try:
            loaded = await load(self._pool, self._node.id, self._tables, simul_id, being_read, may_take=may_take)
        finally:
            del self._being_read[simul_id]
            being_read.is_done.set()
        if loaded is None:
            return None
        if simul_id in self._simuls:
            return self._simuls[simul_id]
        loaded.look(self._services.time)
        state, owned = loaded.state, loaded.owned
        actor = self._enter(state, owned)
        if state.status in ("created", "running"):
            actor.recover()
            self._background_tasks.begin(retire_closed(self._pool, actor), f"closed accounts of simul {simul_id}")
        return actor

    def _enter(self, state: Simul, owned: leadership.OwnedSimul) -> SimulActor:
        self._by_host.note_presence(state, self.wall_ms())
        heard = None if self.replicas is None else self.replicas.hand_over(state.id)
        topic = heard or self._topics.pop(state.id, None) or SimulTopic(state.id, self._fan_out)
        # Events are numbered by the database's clock, so the numbers grow from one leader to the next.
        seq = max(owned.now_ms or self.wall_ms(), topic.seq + 1)
        actor = SimulActor(Feed(state, seq), owned.epoch, owned.last_n, self._services, topic)
        self._simuls[state.id] = actor
        self._by_host.note(actor)
        actor.audience.resume_delayed()
        return actor

    def _forget(self, actor: SimulActor) -> None:
        if self._simuls.get(actor.id) is actor:
            del self._simuls[actor.id]
            self._visit(actor, None)
            self._by_host.drop(actor)

    # -- for the actors -----------------------------------------------------------------------------------

    def _on_change(self, actor: SimulActor) -> None:
        if self._simuls.get(actor.id) is not actor:
            return  # lost while it stored this; another actor of the simul may be in memory
        if actor.is_over:
            self._visit(actor, None)
            self.broadcasts.over(actor.id)
            self._by_host.drop(actor)
        else:
            self._by_host.note(actor)

    def lose(self, simul_id: str) -> None:
        """Drop a simul that another node has taken over."""
        actor = self._simuls.get(simul_id)
        if actor is not None and not actor.lost:
            actor.lost = True
            self._on_lost(actor)

    def _on_lost(self, actor: SimulActor) -> None:
        log.log(
            logging.INFO if self.is_draining else logging.WARNING,
            "a simul moves to another node",
            extra={"simul": actor.id},
        )
        self.broadcasts.over(actor.id)  # followers reconnect and find the new leader
        self._forget(actor)
        if len(actor.topic):
            self._topics[actor.id] = actor.topic
        self._background_tasks.begin(self._reload(actor), f"reload simul {actor.id}")

    async def _reload(self, actor: SimulActor) -> None:
        await actor.close()
        while True:
            try:
                await self.find(actor.id)
            except (Refusal, *FAILURES):
                await asyncio.sleep(RETRY_INTERVAL_S)
            else:
                return
