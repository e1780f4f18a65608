"""The nodes that show one game of ours: what they are told, and who listens to them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from game_core.color import COLORS
from realtime.cluster.bus.cluster import Unreachable
from realtime.cluster.games import messages as w
from realtime.games.attendance import Attendance
from realtime.games.seats import HERE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.events import AnyEvent
    from lobby.chat import Line
    from realtime.clock.loop_time import ServerTime
    from realtime.clock.timers import Timers
    from realtime.cluster.bus.cluster import Cluster
    from realtime.games.seats import Seat
    from realtime.games.table import Table

BARRIER_S = 1.0
"""How long a node is waited for that may have received a move."""

BARRIERS = 4
"""Times that it is asked. By then it has either answered or counts as not reached."""


class ReplicaNodes:
    """Of one game. There is none while no other node shows it; the table may leave memory, and this stays.

    Attributes:
        nodes: who listens at each.
        is_spared: its clock was held because a node is not reached, once for as long as it is not.
        is_asked: it is being found out whether a move of the player to move is on its way.
    """

    __slots__ = ("_cluster", "_passed", "_task", "_time", "_timers", "game", "is_asked", "is_spared", "nodes")

    def __init__(self, game: str, cluster: Cluster, time: ServerTime, timers: Timers) -> None:
        self.game = game
        self.nodes: dict[str, Attendance] = {}
        self.is_asked = self.is_spared = False
        self._cluster = cluster
        self._time = time
        self._timers = timers
        self._passed: int | None = None
        """No move was on its way that follows this event."""
        self._task: asyncio.Task[None] | None = None

    # -- telling ------------------------------------------------------------------------------------------

    def tell(self, events: Sequence[AnyEvent], seq: int) -> None:
        """``events`` are published, the first of them with number ``seq``."""
        self._tell_all("game.ev", w.Events(self.game, seq, list(events)))

    def hold(self, why: str, ago_ms: int | None) -> None:
        """The clocks stand; as in ``Hold``."""
        self._tell_all("game.hold", w.Hold(self.game, why, ago_ms))

    def say(self, room: str, line: Line, *, late: bool) -> None:
        """Somebody has written."""
        self._tell_all("game.said", w.Spoken(self.game, said(room, line, late=late)))

    def crowd(self, table: Table) -> None:
        """Somebody has come or gone."""
        for node in self.nodes:
            self._cluster.tell(node, "game.crowd", self.crowd_for(node, table))

    def crowd_for(self, node: str, table: Table) -> w.Crowd:
        """Who is here, as ``node`` has to know it."""
        now_ms = self._time.now_ms()
        there = self.nodes[node].watchers if node in self.nodes else 0
        white, black = (_seen(table.seats[color], now_ms) for color in COLORS)
        return w.Crowd(self.game, white, black, table.topic.watching - there)

    def _tell_all(self, topic: str, body: object) -> None:
        self._cluster.tell_some(self.nodes, topic, body)

    # -- who is there -------------------------------------------------------------------------------------

    def attend(self, node: str, attendance: Attendance | None, table: Table | None) -> None:
        """So many listen at ``node``; None: it shows the game no more."""
        self.is_spared = False
        if attendance is None:
            self.nodes.pop(node, None)
        else:
            self.nodes[node] = attendance
        if table is not None:
            before = table.topic.elsewhere, table.seats.online()
            table.topic.elsewhere = sum(there.watchers for there in self.nodes.values())
            table.attend(node, attendance or Attendance())
            if before != (table.topic.elsewhere, table.seats.online()):
                table.topic.crowd_dirty = True

    # -- moves on their way -------------------------------------------------------------------------------

    def may_ring(self, table: Table) -> bool:
        """Whether no move of the player to move is on its way from another node. If that is not known it is asked, and
        the table rings when it is.
        """
        there = [node for node in table.seats[table.game.turn].elsewhere if node in self.nodes]
        if not there:
            return True
        if self._passed == table.game.seq:
            self._passed = None
            return True
        if not self.is_asked:
            self.is_asked = True
            self._task = asyncio.create_task(self._find_out(table, there), name=f"moves of {self.game} on their way")
        return False

    async def _find_out(self, table: Table, nodes: list[str]) -> None:
        seq, since_ms = table.game.seq, self._time.now_ms()
        try:
            reached = [await self._has_passed(node) for node in nodes]
        finally:
            self.is_asked = False
        if table.game.seq == seq and not any(reached) and self.spare(table, since_ms):
            return
        self._passed = seq
        self._timers.arm(table)

    def spare(self, table: Table, since_ms: int) -> bool:
        """Nobody who could be reached since ``since_ms`` knows what the player to move has done: his clock is held, for
        a while and once. Whether it is. The time for a first move begins anew as often as it has to."""
        if table.game.status == "created":
            table.clock_hold.hold_for_player(since_ms)
            return True
        if not self.is_spared:
            table.clock_hold.hold_for_player(since_ms)
            self.is_spared = table.is_held
            return self.is_spared
        return False

    async def _has_passed(self, node: str) -> bool:
        for _ in range(BARRIERS):
            try:
                await self._cluster.ask(node, "game.barrier", w.Game(self.game), w.Passed, BARRIER_S)
            except Unreachable:
                if not self._cluster.is_reached(node):
                    return False
            else:
                return True
        return self._cluster.is_reached(node)

    def close(self) -> None:
        """Nothing is found out any more."""
        if self._task is not None:
            self._task.cancel()


def said(room: str, line: Line, *, late: bool) -> w.Said:
    """A line as other nodes hear of it."""
    return w.Said(room, line.user, line.text, line.at, line.key, late)


def _seen(seat: Seat, now_ms: int) -> w.SeatSeen:
    gone_ms = seat.gone_ms(now_ms)
    return w.SeatSeen(gone_ms, seat.goodbye and gone_ms != HERE)
