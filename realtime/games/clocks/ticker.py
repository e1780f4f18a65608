"""Ticker: ticks, presence, stall detection and eviction for all tables.

Every table is in one of fifty slots, and each slot is served once a second. So ten thousand clocks tick in fifty small
portions, and a move waits for one portion at most.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING

from realtime.fanout.message import Message
from realtime.games.table_view import crowd_body, publish_crowd, send_crowd_once, tick_body
from realtime.games.tables import SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.clock.loop_time import ServerTime
    from realtime.games.ports import DelayedGame
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.journal.nodes import Node
    from realtime.journal.storage import Storage

SLOT_S = 1.0 / SLOTS

STORAGE_CHECK_SLOTS = 5
"""Slots between two checks of all tables while the database is stuck: a tenth of a second."""

STALL_MS = 1000
"""A batch that takes longer is a stall: the clocks of the waiting games are held and their players told. A commit takes
a millisecond, a checkpoint on a slow disk some hundred. Moves that only queue behind others are not a stall: no clock
is charged for that time, and each hold would add an event to the queue."""

EVICT_MS = 60_000
"""A table without subscribers and without a running clock leaves memory after this time."""

log = logging.getLogger(__name__)


class Ticker:
    """Serves one slot after the other, all of them once a second.

    Args:
        on_second: called once a second, for values that change too often to be sent at once (the lobby's counts).
        on_lag: called at every slot with the delay of the event loop in seconds.
    """

    def __init__(
        self,
        tables: Tables,
        storage: Storage,
        node: Node,
        time: ServerTime,
        on_second: Callable[[], None],
        on_lag: Callable[[float], None] = lambda lag_s: None,
    ) -> None:
        self._tables = tables
        self._storage = storage
        self._node = node
        self._was_away = False
        self._cut_ms = 0
        """Time cut out of the time of games so far, as of the last slot."""
        self._cuts: deque[tuple[int, int]] = deque()
        """The latest cuts: when, in game time, and how much."""
        self._time = time
        self._on_second = on_second
        self._on_lag = on_lag
        self._slot = 0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the task."""
        self._cut_ms = self._time.cut_ms
        self._node.follow_clocks(self.clocks_behind_ms)
        self._task = asyncio.create_task(self._run(), name="ticker")

    async def close(self) -> None:
        """Cancel the task and wait for its end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def clocks_behind_ms(self) -> int | None:
        """Return how far the time of games is behind the database's, counted from the start of the oldest turn under
        way, in ms (an upper bound). Return None while clocks are held for the database. Called by ``Node``."""
        if self._was_away or self._storage.stuck_ms() >= STALL_MS:
            return None
        self._note_cuts()
        oldest_ms = self._time.now_ms()
        for table in self._tables.all():
            if table.clock_hold.is_for_storage:
                return None
            clock = table.game.clock
            if table.epoch is not None and clock is not None and clock.is_running:
                oldest_ms = min(oldest_ms, clock.since_ms)
        while self._cuts and self._cuts[0][0] < oldest_ms:
            self._cuts.popleft()
        return sum(cut_ms for _, cut_ms in self._cuts)

    def _note_cuts(self) -> None:
        cut_ms = self._time.cut_ms + self._node.slept_ms
        if cut_ms > self._cut_ms:
            self._cuts.append((self._time.now_ms(), cut_ms - self._cut_ms))
            self._cut_ms = cut_ms

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + SLOT_S
            await asyncio.sleep(SLOT_S)
            self._on_lag(max(0.0, loop.time() - due))
            try:
                self.tick()
            except Exception:
                log.exception("a tick failed; continuing with the next")

    def tick(self) -> None:
        """Serve one slot."""
        self._note_cuts()
        now_ms = self._time.now_ms()
        at_wall_ms = self._time.wall_ms(now_ms)
        self._slot = (self._slot + 1) % SLOTS
        for table in self._tables.in_slot(self._slot):
            self._turn(table, now_ms, at_wall_ms)
        self._look_after_storage(now_ms, walk=self._slot % STORAGE_CHECK_SLOTS == 0)
        if self._slot == 0:
            self._on_second()

    def _look_after_storage(self, now_ms: int, *, walk: bool) -> None:
        """Hold the clocks of games whose moves wait, or of all games while this node has no lease; resume them
        afterwards.

        Args:
            walk: whether to check all tables again while there is something to hold.
        """
        if walk and self._storage.stuck_ms() >= STALL_MS:
            for table in self._tables.all():
                table.look_for_stall(now_ms, STALL_MS)
        if not self._node.is_leased():
            # First slot after the process was suspended: a moment later it may have a lease again.
            if walk or not self._was_away:
                for table in self._tables.all():
                    table.hold_for_storage(now_ms)
            self._was_away = True
        elif self._was_away:
            self._was_away = False
            for table in self._tables.all():
                table.resume_after_storage()

    def _turn(self, table: Table, now_ms: int, at_wall_ms: int) -> None:
        topic = table.topic
        if table.source is not None:
            table.source.tick()
        if topic.ticking:
            body = tick_body(table, now_ms, at_wall_ms)
            if body is not None:
                topic.tick(Message(body))
        delayed = table.delayed
        if delayed is not None:
            self._turn_late(table, delayed, now_ms, at_wall_ms)
        if table.is_stalled and self._node.is_leased():
            # Held by an append that was answered while the lease was missing too briefly for the ticker to notice.
            table.resume_after_storage()
        if topic.crowd_dirty:
            topic.crowd_dirty = False
            publish_crowd(table, now_ms)
            self._tables.crowd(table)
            if table.source is not None:
                table.source.attend()
            elif table.replica_nodes is not None:
                table.replica_nodes.crowd(table)
        if not len(topic) and table.replica_nodes is None and table.may_leave and now_ms - table.used_at_ms > EVICT_MS:
            self._tables.evict(table)

    def _turn_late(self, table: Table, delayed: DelayedGame, now_ms: int, at_wall_ms: int) -> None:
        body = tick_body(delayed, now_ms, at_wall_ms) if delayed.topic.ticking else None
        if body is not None:
            delayed.topic.tick(Message(body))
        # Each side's count includes the other's subscribers.
        if delayed.topic.crowd_dirty or table.topic.crowd_dirty:
            delayed.topic.crowd_dirty, table.topic.crowd_dirty = False, True
            send_crowd_once(delayed.topic, crowd_body(table, now_ms, delayed=True))
