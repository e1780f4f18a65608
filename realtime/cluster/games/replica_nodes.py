"""The nodes that replicate one game of ours: messages to them, and their listeners."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from game_core.color import COLORS
from realtime.cluster.bus.open_requests import Unreachable
from realtime.cluster.games import messages as w
from realtime.games.clocks.attendance import Attendance
from realtime.games.seats import HERE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from game_core.color import Color
    from game_core.events import AnyEvent
    from lobby.chat import ChatLine
    from realtime.clock.loop_time import ServerTime
    from realtime.clock.timers import Timers
    from realtime.cluster.bus.cluster import Cluster
    from realtime.games.seats import Seat
    from realtime.games.table import Table

BARRIER_S = 1.0
"""Timeout for a node that may have received a move."""

BARRIERS = 4
"""Maximum number of barriers sent to a node. By then it has answered or counts as unreachable."""


class ReplicaNodes:
    """The replica nodes of one game. It exists only while other nodes replicate the game, and outlives the table in
    memory.

    Attributes:
        nodes: the listeners at each node.
        was_held: the clock was held once for the present unreachability of a node.
        is_barrier_pending: a barrier is under way, to learn whether a move of the player to move is in transit.
    """

    __slots__ = ("_cluster", "_passed", "_task", "_time", "_timers", "game", "is_barrier_pending", "nodes", "was_held")

    def __init__(self, game: str, cluster: Cluster, time: ServerTime, timers: Timers) -> None:
        self.game = game
        self.nodes: dict[str, Attendance] = {}
        self.is_barrier_pending = self.was_held = False
        self._cluster = cluster
        self._time = time
        self._timers = timers
        self._passed: int | None = None
        """Number of the event after which no move was in transit."""
        self._task: asyncio.Task[None] | None = None

    # -- sending ------------------------------------------------------------------------------------------

    def publish(self, events: Sequence[AnyEvent], seq: int) -> None:
        """Send published ``events``; the first has number ``seq``."""
        self._broadcast("game.ev", w.Events(self.game, seq, list(events)))

    def hold(self, why: str, ago_ms: int | None) -> None:
        """Report a clock hold; the arguments are as in ``ClocksHeld``."""
        self._broadcast("game.hold", w.ClocksHeld(self.game, why, ago_ms))

    def publish_chat(self, room: str, line: ChatLine, *, delayed: bool) -> None:
        """Send a chat line."""
        self._broadcast("game.said", w.ChatMessage(self.game, chat_line(room, line, delayed=delayed)))

    def ask_hint(self, nodes: Collection[str], robot: Color, ply: int) -> None:
        """Ask the robot at ``nodes``, which plays the side ``robot``, for a hint."""
        self._cluster.send_to(nodes, "game.hint", w.HintWanted(self.game, robot, ply))

    def crowd(self, table: Table) -> None:
        """Send the attendance after a change."""
        for node in self.nodes:
            self._cluster.send(node, "game.crowd", self.crowd_for(node, table))

    def crowd_for(self, node: str, table: Table) -> w.AttendanceReport:
        """Return the attendance as ``node`` needs it."""
        now_ms = self._time.now_ms()
        there = self.nodes[node].watchers if node in self.nodes else 0
        white, black = (_seen(table.seats[color], now_ms) for color in COLORS)
        return w.AttendanceReport(self.game, white, black, table.topic.watching - there)

    def _broadcast(self, topic: str, body: object) -> None:
        self._cluster.send_to(self.nodes, topic, body)

    # -- attendance ---------------------------------------------------------------------------------------

    def attend(self, node: str, attendance: Attendance | None, table: Table | None) -> None:
        """Record the listeners at ``node``; None: it does not replicate the game any more."""
        self.was_held = False
        if attendance is None:
            self.nodes.pop(node, None)
        else:
            self.nodes[node] = attendance
        if table is not None:
            before = table.topic.remote_watching, table.seats.online()
            table.topic.remote_watching = sum(there.watchers for there in self.nodes.values())
            table.attend(node, attendance or Attendance())
            if before != (table.topic.remote_watching, table.seats.online()):
                table.topic.crowd_dirty = True

    # -- moves in transit ---------------------------------------------------------------------------------

    def may_expire(self, table: Table) -> bool:
        """Return whether no move of the player to move is in transit from another node. If that is unknown, ask the
        nodes; the table's alarm rings when they have answered.
        """
        there = [node for node in table.seats[table.game.turn].remote_nodes if node in self.nodes]
        if not there:
            return True
        if self._passed == table.game.seq:
            self._passed = None
            return True
        if not self.is_barrier_pending:
            self.is_barrier_pending = True
            self._task = asyncio.create_task(self._find_out(table, there), name=f"moves of {self.game} on their way")
        return False

    async def _find_out(self, table: Table, nodes: list[str]) -> None:
        seq, since_ms = table.game.seq, self._time.now_ms()
        try:
            reached = [await self._has_passed(node) for node in nodes]
        finally:
            self.is_barrier_pending = False
        if table.game.seq == seq and not any(reached) and self.hold_for_unreachable(table, since_ms):
            return
        self._passed = seq
        self._timers.arm(table)

    def hold_for_unreachable(self, table: Table, since_ms: int) -> bool:
        """Hold the clock of the player to move if no node reachable since ``since_ms`` knows what they did. Return
        whether it is held. The hold is limited and granted once; the time for a first move restarts as often as needed.
        """
        if table.game.status == "created" and table.game.laws is None:
            table.clock_hold.hold_for_player(since_ms)
            return True
        if not self.was_held:
            table.clock_hold.hold_for_player(since_ms)
            self.was_held = table.is_held
            return self.was_held
        return False

    async def _has_passed(self, node: str) -> bool:
        for _ in range(BARRIERS):
            try:
                await self._cluster.request(node, "game.barrier", w.GameRef(self.game), w.BarrierPassed, BARRIER_S)
            except Unreachable:
                if not self._cluster.is_reached(node):
                    return False
            else:
                return True
        return self._cluster.is_reached(node)

    def close(self) -> None:
        """Stop asking."""
        if self._task is not None:
            self._task.cancel()


def chat_line(room: str, line: ChatLine, *, delayed: bool) -> w.ReplicatedChatLine:
    """Return a line as it is sent to other nodes."""
    return w.ReplicatedChatLine(room, line.user, line.text, line.at, line.key, delayed)


def _seen(seat: Seat, now_ms: int) -> w.SeatSeen:
    gone_ms = seat.gone_ms(now_ms)
    return w.SeatSeen(gone_ms, seat.goodbye and gone_ms != HERE)
