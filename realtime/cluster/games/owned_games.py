"""Games of this node that others replicate: the remote listeners, and the clocks of remote players."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from game_core.color import COLORS
from realtime.clock.sliced_work import SlicedWork
from realtime.cluster.bus.links import SILENT_S
from realtime.cluster.games import messages as w
from realtime.cluster.games.replica_nodes import ReplicaNodes, chat_line
from realtime.games.table_view import send_crowd
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Container, Coroutine

    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Cluster
    from realtime.games.clocks.attendance import Attendance
    from realtime.games.table import Table
    from realtime.games.tables import Tables

POLL_INTERVAL_S = 0.25

PATIENCE_MS = 1000
"""Delay before clocks are held for players at an unreachable node."""

log = logging.getLogger(__name__)


class OwnedGames:
    """The replicated games of one node."""

    def __init__(self, cluster: Cluster, tables: Tables, time: ServerTime) -> None:
        self._cluster = cluster
        self._tables = tables
        self._time = time
        self._replica_nodes: dict[str, ReplicaNodes] = {}
        self._away: dict[str, int] = {}
        """Unreachable nodes, each with the time since when."""
        self._losing: dict[str, SlicedWork[str]] = {}
        """By dead node: games whose players there are still to be marked as gone."""
        self._holding: SlicedWork[str] | None = None
        """Check of the games with players at unreachable nodes."""
        self._work: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        cluster.subscribe("game.attach", w.Attach, self._attach)
        cluster.subscribe("game.detach", w.GameRef, self._detach)
        cluster.subscribe("game.here", w.ListenerCount, self._here)
        cluster.on_gone.append(self._gone)

    def __len__(self) -> int:
        return len(self._replica_nodes)

    def start(self) -> None:
        """Start the check of which nodes are reachable."""
        self._task = asyncio.create_task(self._run(), name="look after players elsewhere")

    async def close(self) -> None:
        """Stop the check."""
        for replica_nodes in self._replica_nodes.values():
            replica_nodes.close()
        for some in (*self._losing.values(), *(() if self._holding is None else (self._holding,))):
            some.close()
        tasks = [*self._work, *(() if self._task is None else (self._task,))]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- tables -------------------------------------------------------------------------------------------

    def enter(self, table: Table) -> None:
        """Add ``table``, which this node owns and which is in memory now."""
        replica_nodes = self._replica_nodes.get(table.id)
        if replica_nodes is not None:
            table.replica_nodes = replica_nodes
            for node, attendance in tuple(replica_nodes.nodes.items()):
                replica_nodes.attend(node, attendance, table)

    def release(self, game: str) -> None:
        """Drop a game that this node owns no more. Its replicas look up the new owner."""
        replica_nodes = self._replica_nodes.pop(game, None)
        if replica_nodes is not None:
            replica_nodes.close()
            for node in replica_nodes.nodes:
                self._cluster.send(node, "game.elsewhere", w.GameRef(game))

    # -- messages from other nodes ------------------------------------------------------------------------

    def _attach(self, sender: str, body: w.Attach) -> None:
        table = self._tables.peek(body.g)
        if table is not None and table.epoch is not None:
            self._attached(sender, body, table)
        else:
            self._begin(self._load(sender, body), f"load {body.g} for {sender}")

    async def _load(self, sender: str, body: w.Attach) -> None:
        table = await self._tables.get_adopted(body.g)
        if table is not None and table.epoch is not None:
            self._attached(sender, body, table)
        else:
            self._cluster.send(sender, "game.elsewhere", w.GameRef(body.g))

    def _attached(self, sender: str, body: w.Attach, table: Table) -> None:
        self._lose_now(sender, body.g)
        replica_nodes = self._replica_nodes.get(table.id)
        if replica_nodes is None:
            replica_nodes = self._replica_nodes[table.id] = ReplicaNodes(
                table.id, self._cluster, self._time, self._tables.timers
            )
        table.replica_nodes = replica_nodes
        self._attend(replica_nodes, sender, body.here, table)
        self._cluster.send(sender, "game.attached", _how(table, replica_nodes, sender, self._time.now_ms()))

    def _here(self, sender: str, body: w.ListenerCount) -> None:
        self._lose_now(sender, body.g)
        replica_nodes = self._replica_nodes.get(body.g)
        if replica_nodes is not None and sender in replica_nodes.nodes:
            self._attend(replica_nodes, sender, body.here, self._tables.peek(body.g))

    def _detach(self, sender: str, body: w.GameRef) -> None:
        self._lose_now(sender, body.g)
        replica_nodes = self._replica_nodes.get(body.g)
        if replica_nodes is not None:
            self._attend(replica_nodes, sender, None, self._tables.peek(body.g))

    def _attend(
        self,
        replica_nodes: ReplicaNodes,
        node: str,
        attendance: Attendance | None,
        table: Table | None,
        *,
        gone_ms: int | None = None,
    ) -> None:
        """Record the attendance at ``node``; ``gone_ms``: when the node went away."""
        now_ms = self._time.now_ms()
        before = None if table is None else table.seats.online()
        replica_nodes.attend(node, attendance, table)
        stops = attendance is not None and attendance.stops
        if table is not None and before is not None and (stops or gone_ms is not None):
            # The player was disconnected or gets no messages, and is on the way to another node.
            lost = [color for color in COLORS if before[color] and not table.seats[color].is_here]
            table.clock_hold.miss(lost, now_ms if gone_ms is None else gone_ms)
        if table is not None and table.seats.online() != before:
            # Players about to start wait for each other, so they are told before the next tick tells everybody.
            send_crowd(table, now_ms, table.topic.players, for_players=True)
            replica_nodes.crowd(table)
        if not replica_nodes.nodes:
            self._replica_nodes.pop(replica_nodes.game, None)
            if table is not None:
                table.replica_nodes = None

    def _gone(self, node: str) -> None:
        """Mark the players at ``node`` as gone from now on, even if going through all games takes long."""
        self._away.pop(node, None)
        now_ms, before = self._time.now_ms(), self._losing.pop(node, None)
        if before is not None:
            before.close()  # the new pass includes the rest of it
        games = [game for game, replica_nodes in self._replica_nodes.items() if node in replica_nodes.nodes]
        some = SlicedWork(games, lambda game: self._lose(node, game, now_ms))
        self._losing = {gone: left for gone, left in self._losing.items() if not left.is_over}
        if not some.is_over:
            self._losing[node] = some
        self._restart_first_moves((node,))

    def _lose(self, node: str, game: str, gone_ms: int) -> None:
        """Mark the listeners of ``game`` at ``node`` as gone since ``gone_ms``, if it still replicates the game."""
        replica_nodes = self._replica_nodes.get(game)
        if replica_nodes is not None and node in replica_nodes.nodes:
            self._attend(replica_nodes, node, None, self._tables.peek(game), gone_ms=gone_ms)

    def _lose_now(self, node: str, game: str) -> None:
        """Before a message of ``node`` about ``game`` is applied, apply the pending departure that precedes it."""
        some = self._losing.get(node)
        if some is not None:
            some.hurry(game)

    # -- unreachable nodes --------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(POLL_INTERVAL_S)
            try:
                self.look()
            except Exception:  # one failed check of many
                log.exception("players on other nodes could not be updated")

    def look(self) -> None:
        """Hold the clocks of players at unreachable nodes, and ask nodes reachable again for their attendance."""
        now_ms = self._time.now_ms()
        for node in self._cluster.others:
            if self._cluster.is_reached(node):
                if self._away.pop(node, None) is not None:
                    self._cluster.send(node, "game.again", w.ReattachRequest())
            elif node not in self._away:
                # While the bus is up, a node counts as unreachable only after some silence.
                self._away[node] = now_ms - (int(SILENT_S * 1000) if self._cluster.is_up else 0)
        unreachable = {node: since_ms for node, since_ms in self._away.items() if now_ms - since_ms >= PATIENCE_MS}
        if unreachable:
            if self._holding is None or self._holding.is_over:
                self._holding = SlicedWork(self._replica_nodes, self._hold)
            self._restart_first_moves(unreachable)

    def _hold(self, game: str) -> None:
        """Hold the clock of ``game`` from the moment its player to move became unreachable, if they still are."""
        table = self._tables.peek(game)
        if table is None or table.replica_nodes is None:
            return
        seat, now_ms = table.seats[table.game.turn], self._time.now_ms()
        there, away = seat.remote_nodes, self._away
        if there and not seat.connections and there.keys() <= away.keys():
            since_ms = max(away[node] for node in there)
            if now_ms - since_ms >= PATIENCE_MS:
                table.replica_nodes.hold_for_unreachable(table, since_ms)

    def _restart_first_moves(self, unreachable: Container[str]) -> None:
        """Restart the time for a first move if its player is absent: they may be at one of the ``unreachable`` nodes
        and not know of their game.
        """
        for table in self._tables.all():
            if table.epoch is None or table.game.status != "created":
                continue
            seat = table.seats[table.game.turn]
            if not seat.connections and all(node in unreachable for node in seat.remote_nodes):
                table.clock_hold.hold_for_player(self._time.now_ms())

    # -- work ---------------------------------------------------------------------------------------------

    def _begin(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(self._guarded(work), name=name)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except FAILURES as error:
            log.info("the database is in trouble (%r); the other node will ask again", error)
        except Exception:  # the top of a task
            log.exception("a game could not be sent to another node")


def _how(table: Table, replica_nodes: ReplicaNodes, node: str, now_ms: int) -> w.Attached:
    """Return the current state of an owned game."""
    game = table.game
    lines = [
        chat_line(room, line, delayed=delayed)
        for delayed, rooms in ((False, table.chat), (True, None if table.delayed is None else table.delayed.chat))
        if rooms is not None
        for room in ("players", "spectators")
        for line in rooms.said(room)
    ]
    return w.Attached(
        g=table.id,
        seq=game.seq,
        age_ms=now_ms - table.published_at_ms,
        turn_ms=now_ms - game.turn_since_ms,
        clock=None if game.clock is None else game.clock.reading(now_ms),
        crowd=replica_nodes.crowd_for(node, table),
        lines=lines,
        here=replica_nodes.nodes.get(node),
    )
