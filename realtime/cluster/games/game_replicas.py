"""All replicas of this node: they receive events, and attach again whenever something may be missing."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from realtime.cluster.games import messages as w
from realtime.cluster.games.game_replica import GameReplica
from realtime.games.table_view import send_hint_asked
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Cluster
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.postgres.database import Pool

FIRST_S, LAST_S = 0.25, 4.0
"""Interval between two attempts to attach: the first, doubled up to the last."""

DOUBLINGS = 10
"""Maximum number of doublings: after an hour of attempts the power would overflow a float."""

ATTACHED_AT_ONCE, ATTACH_PAUSE_S = 100, 0.02
"""Batch size and pause after a gap: ten thousand games attach again in two seconds, and no move waits more than some
ms.
"""

POLL_INTERVAL_S = 0.1

READS_AT_ONCE = 4
"""Maximum number of concurrent journal reads."""

OWNERS_AT_ONCE = 500
"""Maximum number of games in one query for owners."""

_OWNERS = """
SELECT game.id, node.id AS owner
FROM game LEFT JOIN node ON node.id = game.owner AND node.expires_at > now()
WHERE game.id = ANY ($1::text[])
"""

log = logging.getLogger(__name__)


class GameReplicas:
    """The replicas of one node.

    Args:
        may_attach: missing events could be read, so there are listeners to show them to.
        on_orphan: called with the id of a replicated game that no live node owns.

    Attributes:
        reading: semaphore for reads of the journal.
        is_stopping: this node is about to stop or sends its clients away, so they are on their way to others.
    """

    def __init__(
        self,
        cluster: Cluster,
        tables: Tables,
        pool: Pool,
        time: ServerTime,
        *,
        may_attach: Callable[[], bool],
        on_orphan: Callable[[str], None],
    ) -> None:
        self.cluster = cluster
        self.tables = tables
        self.pool = pool
        self.time = time
        self.reading = asyncio.Semaphore(READS_AT_ONCE)
        self.is_stopping = False
        self.may_attach = may_attach
        self.on_orphan = on_orphan
        self._loop = asyncio.get_running_loop()
        self._replicas: dict[str, GameReplica] = {}
        self._loose: dict[GameReplica, float] = {}
        """Replicas that are not attached, each with the time of its next attempt."""
        self._work: set[asyncio.Task[None]] = set()
        self._attaching: dict[str, list[GameReplica]] = {}
        """By node: replicas that are about to attach to it again."""
        self._again: set[str] = set()
        """Nodes some of whose messages were lost."""
        self._task: asyncio.Task[None] | None = None
        cluster.on_gap.append(self._missed)
        cluster.on_came.append(self._missed)
        cluster.on_gone.append(self._gone)
        for topic, kind, hear in (
            ("game.attached", w.Attached, GameReplica.attached),
            ("game.crowd", w.AttendanceReport, GameReplica.crowd),
            ("game.hold", w.ClocksHeld, GameReplica.hold),
        ):
            cluster.subscribe(topic, kind, self._of(hear))
        cluster.subscribe("game.ev", w.Events, self._receive_events)
        cluster.subscribe("game.said", w.ChatMessage, self._chat)
        cluster.subscribe("game.hint", w.HintWanted, self._hint)
        cluster.subscribe("game.elsewhere", w.GameRef, self._not_owned)
        cluster.subscribe("game.mine", w.GameRefs, self._theirs)
        cluster.subscribe("game.again", w.ReattachRequest, self._reattach)
        cluster.on_request("game.barrier", w.GameRef, self._barrier)

    def __len__(self) -> int:
        return len(self._replicas)

    def start(self) -> None:
        """Start the task that attaches replicas again."""
        self._task = asyncio.create_task(self._run(), name="check replicas")

    async def close(self) -> None:
        """Stop."""
        tasks = [*self._work, *(() if self._task is None else (self._task,))]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- tables -------------------------------------------------------------------------------------------

    def enter(self, table: Table, owner: str | None) -> GameReplica:
        """Create the replica of ``table``, which is in memory now and owned by ``owner``."""
        replica = GameReplica(table, owner, self)
        table.source = self._replicas[table.id] = replica
        replica.attach()
        return replica

    def come_back(self) -> None:
        """Accept clients again, and show them everything."""
        self.is_stopping = False
        for replica in self._loose:
            self._loose[replica] = 0.0

    def forget(self, replica: GameReplica) -> None:
        """Drop a replica: its table has left memory, or this node owns it now."""
        self._loose.pop(replica, None)
        if self.has(replica):
            del self._replicas[replica.table.id]

    # -- for the replicas ---------------------------------------------------------------------------------

    def has(self, replica: GameReplica) -> bool:
        """Return whether ``replica`` is still the replica of its game."""
        return self._replicas.get(replica.table.id) is replica

    def begin(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run background work."""
        task = asyncio.create_task(self._guarded(work), name=name)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    def look_again(self, replica: GameReplica) -> None:
        """Check ``replica`` after a while, unless it is attached by then."""
        if self.has(replica):
            pause_s = min(LAST_S, FIRST_S * 2 ** min(replica.tries, DOUBLINGS))
            self._loose[replica] = self._loop.time() + pause_s

    def is_settled(self, replica: GameReplica) -> None:
        """Stop trying to attach ``replica``."""
        self._loose.pop(replica, None)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except FAILURES as error:
            log.info("the database is in trouble (%r); a replica is checked again later", error)
        except Exception:  # the top of a task
            log.exception("a replica could not be checked")

    # -- messages from other nodes ------------------------------------------------------------------------

    def _of(self, hear: Callable[[GameReplica, Any], None]) -> Callable[[str, Any], None]:
        def take(sender: str, body: Any) -> None:
            replica = self._replicas.get(body.g)
            if replica is None:
                self.cluster.send(sender, "game.detach", w.GameRef(body.g))
            elif replica.owner == sender:
                hear(replica, body)

        return take

    def _receive_events(self, sender: str, body: w.Events) -> None:
        replica = self._replicas.get(body.g)
        if replica is None:
            self.cluster.send(sender, "game.detach", w.GameRef(body.g))
        else:
            replica.hear(body.seq, body.events)  # from any sender: the events are in the journal

    def _chat(self, sender: str, body: w.ChatMessage) -> None:
        replica = self._replicas.get(body.g)
        if replica is not None:
            replica.publish_chat(body.line)

    def _hint(self, sender: str, body: w.HintWanted) -> None:
        replica = self._replicas.get(body.g)
        if replica is not None:
            send_hint_asked(replica.table, body.color, body.ply)

    def _not_owned(self, sender: str, body: w.GameRef) -> None:
        replica = self._replicas.get(body.g)
        if replica is not None and replica.owner == sender:
            replica.is_attached = False
            replica.owner = None
            self._loose[replica] = 0.0

    def _theirs(self, sender: str, body: w.GameRefs) -> None:
        for game in body.games:
            replica = self._replicas.get(game)
            if replica is not None:
                replica.follow(sender)

    def _reattach(self, sender: str, body: w.ReattachRequest) -> None:
        self.cluster.ask_again(sender)
        self._attach_all(sender)

    def _barrier(self, sender: str, body: w.GameRef, answer: Callable[[Any], None]) -> None:
        # What has reached the machine is read in the next poll, and sent on in the iteration after that.
        def later(turns: int) -> None:
            if turns:
                self._loop.call_soon(later, turns - 1)
            else:
                answer(w.BarrierPassed())

        later(4)

    # -- gaps ---------------------------------------------------------------------------------------------

    def _missed(self, node: str) -> None:
        if not self._again:
            self._loop.call_soon(self._after_gap)
        self._again.add(node)

    def _after_gap(self) -> None:
        nodes, self._again = self._again, set()
        for node in nodes:
            self._attach_all(node)
            # It may have reported who listens there to games of ours.
            self.cluster.send(node, "game.again", w.ReattachRequest())

    def _attach_all(self, node: str) -> None:
        """Attach again to all games of ``node``, in batches, since other nodes do the same."""
        replicas = [replica for replica in self._replicas.values() if replica.owner == node]
        for replica in replicas:
            replica.is_attached = False
            self._loose[replica] = self._loop.time() + LAST_S
        if self._attaching.setdefault(node, replicas) is replicas:
            self._attach_some(node)
        else:
            self._attaching[node] = replicas

    def _attach_some(self, node: str) -> None:
        replicas = self._attaching[node]
        for replica in replicas[-ATTACHED_AT_ONCE:]:
            if self.has(replica) and replica.owner == node:
                replica.attach()
        del replicas[-ATTACHED_AT_ONCE:]
        if replicas:
            self._loop.call_later(ATTACH_PAUSE_S, self._attach_some, node)
        else:
            del self._attaching[node]

    def _gone(self, node: str) -> None:
        for replica in tuple(self._replicas.values()):
            if replica.owner == node:
                replica.is_attached = False
                replica.owner = None
                self._loose[replica] = 0.0

    # -- replicas that are not attached -------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(POLL_INTERVAL_S)
            now = self._loop.time()
            due = [replica for replica, at in self._loose.items() if at <= now][:OWNERS_AT_ONCE]
            if due:
                await self._guarded(self.look(due))

    async def look(self, replicas: Sequence[GameReplica]) -> None:
        """Look up the owners and attach to them again; take over what has no owner. Raises any query error."""
        for replica in replicas:
            replica.tries += 1
            self.look_again(replica)
        rows = await self.pool.fetch(_OWNERS, [replica.table.id for replica in replicas])
        owners = {row["id"]: row["owner"] for row in rows}
        for replica in replicas:
            owner = owners.get(replica.table.id)
            if not self.has(replica) or (replica.is_attached and owner == replica.owner):
                continue
            if owner is None or owner == self.cluster.node:
                replica.owner = None
                if replica.table.game.status != "over":
                    self.on_orphan(replica.table.id)
                else:
                    self.is_settled(replica)  # nothing changes it until the next request
                continue
            replica.owner = owner
            replica.attach()
            if not self.cluster.is_reached(owner):
                replica.read()  # it cannot get the events from an owner
