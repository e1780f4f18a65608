"""A replica of a table that another node owns.

    journal ──(at first, and after a loss)──────────────┐
    owner ──── game.ev ─────────────────────────────────┴──► evolve ──► encode once ──► listeners on this node

Event numbers show what is known and what is missing. So nothing is shown twice, out of order, or before the events that
precede it, whichever messages are lost.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Protocol

from game_core.clock import Clock
from game_core.color import COLORS
from lobby.chat import ChatLine
from realtime.cluster.bus.links import SILENT_S
from realtime.cluster.games import messages as w
from realtime.cluster.games.waiters import ATTACHED, Waiters
from realtime.fanout.message import Message
from realtime.games.chat_rooms import ChatRooms
from realtime.games.clocks.attendance import Attendance, SeatThere
from realtime.games.clocks.clock_hold import RESUME_MS
from realtime.games.delay.delayed_reads import published_since
from realtime.games.seats import HERE
from realtime.games.table_view import RESTART, first_move_body, hold_body, publish_crowd, send_legal, tick_body
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from game_core.events import AnyEvent
    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Cluster
    from realtime.games.seats import Seat
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.postgres.database import Pool

PENDING = 256
"""Maximum number of events buffered while earlier ones are read from the journal, which returns these as well."""

PATIENCE = 2
"""Ticks of one second before the clocks of an unreachable owner are held if the bus is down; the owner waits as long.
While the bus is up, the owner counts as unreachable only after some silence, so no extra wait is needed.
"""

READS = 5
"""Maximum number of journal reads for one gap before it is left to the next check."""

log = logging.getLogger(__name__)


class ReplicasHere(Protocol):
    """``game_replicas.GameReplicas``, as far as one replica needs it."""

    cluster: Cluster
    tables: Tables
    pool: Pool
    time: ServerTime
    reading: asyncio.Semaphore
    is_stopping: bool
    may_attach: Callable[[], bool]

    def is_settled(self, replica: GameReplica) -> None:
        """Stop trying to attach the replica."""

    def has(self, replica: GameReplica) -> bool:
        """Return whether this is the replica of its table."""

    def forget(self, replica: GameReplica) -> None:
        """Drop the replica: its table has left memory, or this node owns it now."""

    def look_again(self, replica: GameReplica) -> None:
        """Schedule another attempt to attach."""

    def begin(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run a task that is cancelled when the server stops."""

    async def look(self, replicas: Sequence[GameReplica]) -> None:
        """Look up the owners of these games. Raises any query error."""


class GameReplica:
    """The replica of one table.

    Attributes:
        owner: the node that owns the game, as far as is known; None: no owner is known.
        is_attached: the owner sends this node the events of the game.
        tries: number of failed attempts to attach.
    """

    __slots__ = (
        "_dropped", "_how", "_is_fresh", "_is_held_here", "_is_reading", "_pending", "_replicas", "_sent", "_silence",
        "_soon", "_waiters", "is_attached", "owner", "table", "tries",
    )  # fmt: skip

    def __init__(self, table: Table, owner: str | None, replicas: ReplicasHere) -> None:
        self.table = table
        self.owner = owner
        self.is_attached = False
        self.tries = 0
        self._replicas = replicas
        self._sent: Attendance | None = None
        """Attendance that the owner was last told."""
        self._soon = False
        self._is_fresh = True
        """It has not been attached yet, so the time of the last event is unknown."""
        self._silence = 0
        """Ticks since the owner was reached."""
        self._is_held_here = False
        """The clocks are held by this node because the owner is unreachable; the owner has not said so."""
        self._is_reading = False
        self._pending: list[tuple[int, AnyEvent, int]] = []
        """Events received while earlier ones were read, with their numbers and times of arrival."""
        self._dropped = 0
        """Number of the last event that was received but not kept."""
        self._how: tuple[w.Attached, int] | None = None
        """State at attaching, and when it arrived, until the events up to it are known."""
        self._waiters = Waiters()

    # -- attaching ----------------------------------------------------------------------------------------

    def attach(self) -> None:
        """Ask the owner for the events from now on, and retry until it answers."""
        self.is_attached = False
        self._replicas.look_again(self)
        replicas = self._replicas
        if self.owner is not None and replicas.may_attach() and replicas.cluster.is_reached(self.owner):
            self._sent = self._attendance()
            self._replicas.cluster.send(self.owner, "game.attach", w.Attach(self.table.id, self._sent))

    def detach(self) -> None:
        """Detach: the table leaves memory."""
        self._replicas.forget(self)
        if self.owner is not None and self._sent is not None:
            self._replicas.cluster.send(self.owner, "game.detach", w.GameRef(self.table.id))
        self._waiters.wake(None, is_attached=True)
        self._waiters.wake_for_owner()

    def follow(self, owner: str | None) -> None:
        """Note that another node owns the game now; None: it is not known which."""
        self.owner = owner
        self.tries = 0
        self.attach()

    def attached(self, body: w.Attached) -> None:
        """Apply the state of the game as the owner reports it."""
        self.is_attached = True
        self.tries = 0
        if body.here is not None:
            # Of two answers requested while the owner loaded the game, the older may arrive last.
            self._sent = body.here
        self._waiters.wake_for_owner()
        self._replicas.is_settled(self)
        now_ms = self._replicas.time.now_ms()
        self._how = body, now_ms
        self.crowd(body.crowd)
        for line in body.lines:
            self.publish_chat(line)
        if body.seq > self.table.game.seq:
            self.read()
        else:
            self._take_clock()
        self.attend()

    def _take_clock(self) -> None:
        """Run the clock as it runs at the owner."""
        if self._how is None:
            return
        (how, at_ms), table = self._how, self.table
        if table.game.seq < how.seq:
            return
        self._how = None
        if table.game.seq == how.seq:
            if self._is_fresh:
                table.published_at_ms = at_ms - how.age_ms
            clock = table.game.clock
            if clock is not None and how.clock is not None:
                held, clock = clock.held, Clock.from_reading(clock.control, how.clock, at_ms, clock.black)
                table.adjust(clock=clock, turn_since_ms=at_ms - how.turn_ms)
                if clock.held is not None and clock.held != held:
                    table.topic.send(Message(hold_body(table.id, clock.held)))
                elif clock.held is None and (self._is_held_here or table.game.status == "created"):
                    self._send_tick(at_ms)
        self._is_fresh = self._is_held_here = False
        self._waiters.wake(table.game.seq, is_attached=not self._is_fresh)

    # -- events -------------------------------------------------------------------------------------------

    def hear(self, seq: int, events: Sequence[AnyEvent]) -> None:
        """Handle ``events``, which the owner has just published; the first has number ``seq``."""
        known, now_ms = self.table.game.seq, self._replicas.time.now_ms()
        if seq <= known + 1 and not self._is_reading:
            if seq + len(events) > known + 1:
                self._show(events[known + 1 - seq :], now_ms)
            return
        if len(self._pending) < PENDING:
            self._pending += ((seq + place, event, now_ms) for place, event in enumerate(events))
        else:
            self._dropped = seq + len(events) - 1
        self.read()

    def read(self) -> None:
        """Read missing events from the journal, unless a read is under way."""
        if not self._is_reading:
            self._is_reading = True
            self._replicas.begin(self._read(), f"read on in {self.table.id}")

    async def _read(self) -> None:
        is_behind = True
        try:
            for _ in range(READS):
                async with self._replicas.reading:
                    found = await published_since(self._replicas.pool, self.table.game, self.table.game.seq)
                if not self._replicas.has(self):
                    return  # listeners have moved to another table, which has sent them what was found here
                now_ms = self._replicas.time.now_ms()
                for event, age_ms in found:
                    self._show((event,), self._shown_at(now_ms, age_ms))
                if self._show_pending():
                    is_behind = False
                    break
        except FAILURES as error:
            log.info("the database is in trouble (%r); a game waits to be read on", error)
        finally:
            self._is_reading = False
            self._pending.clear()
        if is_behind:
            self.is_attached = False
            self.tries += 1
            self._replicas.look_again(self)
        else:
            self._take_clock()

    def _shown_at(self, now_ms: int, age_ms: int) -> int:
        """Return when an event of this age counts as shown: now, for a player who had to wait for it here."""
        return now_ms if self.table.topic.players else now_ms - age_ms

    def _show_pending(self) -> bool:
        """Show the buffered events. Return whether none is missing."""
        pending, self._pending = self._pending, []
        for place, (seq, event, at_ms) in enumerate(pending):
            if seq == self.table.game.seq + 1:
                self._show((event,), at_ms)
            elif seq > self.table.game.seq:
                self._pending = pending[place:]
                return False
        return self.table.game.seq >= max(self._dropped, 0 if self._how is None else self._how[0].seq)

    def _show(self, events: Sequence[AnyEvent], at_ms: int) -> None:
        table = self.table
        before = table.game
        at_ms = max(at_ms, table.published_at_ms)
        table.apply(events, at_ms, self._replicas.time.wall_ms(at_ms))
        self._replicas.tables.heard(table, status_changed=before.status != table.game.status)
        is_changed = before.position is not table.game.position or before.laws is not table.game.laws
        if is_changed or table.game.status == "over":
            send_legal(table)
        self._waiters.wake(table.game.seq, is_attached=not self._is_fresh)

    # -- state without events -----------------------------------------------------------------------------

    def hold(self, body: w.ClocksHeld) -> None:
        """Handle a clock hold at the owner."""
        table, clock = self.table, self.table.game.clock
        if table.game.status == "over" or clock is None or clock.held is not None:
            return
        since_ms = clock.since_ms if body.ago_ms is None else self._replicas.time.now_ms() - body.ago_ms
        if clock.run is not None:
            table.adjust(clock=clock.hold(body.why, since_ms))
            if table.delayed is not None:
                table.delayed.hold(body.why, since_ms)
        table.topic.send(Message(hold_body(table.id, body.why)))

    def tick(self) -> None:
        """Once a second: show the clock as held while the owner is unreachable and the player to move is connected
        here. The owner holds it as long, or is dead, and a takeover charges no player for that time.
        """
        if self.owner is not None and self._replicas.cluster.is_reached(self.owner):
            self._silence = 0
            if self._is_held_here and self.is_attached:
                self.attach()  # the answer has the clock
            return
        self._silence += 1
        table, clock, now_ms = self.table, self.table.game.clock, self._replicas.time.now_ms()
        is_silent = self._replicas.cluster.is_up
        if table.game.status == "over" or clock is None or clock.run is None:
            return
        if self._silence < PATIENCE and not is_silent:
            return
        if self._silence >= PATIENCE + RESUME_MS // 1000:
            if self._is_held_here:
                self._is_held_here = False
                table.adjust(clock=clock.resume(now_ms))
                self._send_tick(now_ms)
        elif clock.held is None and table.seats[table.game.turn].connections:
            self._is_held_here = True
            since_ms = max(clock.since_ms, now_ms - int(SILENT_S * 1000)) if is_silent else now_ms
            table.adjust(clock=clock.hold(RESTART, since_ms))
            table.topic.send(Message(hold_body(table.id, RESTART)))

    def _send_tick(self, now_ms: int) -> None:
        """Resume the clocks as if they had not been held, or tell the time for a first move to those who want ticks."""
        topic, at_wall_ms = self.table.topic, self._replicas.time.wall_ms(now_ms)
        resumed = tick_body(self.table, now_ms, at_wall_ms)
        if resumed is not None:
            topic.send(Message(resumed))  # all were told of the hold
        elif (awaited := first_move_body(self.table.game, now_ms, at_wall_ms)) is not None:
            topic.tick(Message(awaited))

    def crowd(self, body: w.AttendanceReport) -> None:
        """Apply the attendance as the owner reports it."""
        table, now_ms = self.table, self._replicas.time.now_ms()
        before = table.topic.remote_watching, table.seats.online()
        table.topic.remote_watching = max(0, body.others)
        for color in COLORS:
            seat, seen = table.seats[color], body.white if color == "w" else body.black
            if seen.gone_ms == HERE:
                seat.remote_nodes = {self.owner or "": 0}
                continue
            seat.remote_nodes = {}
            if not seat.connections:
                seat.left_at_ms, seat.goodbye = now_ms - seen.gone_ms, seen.goodbye
        if before != (table.topic.remote_watching, table.seats.online()):
            publish_crowd(table, now_ms)
            if table.delayed is not None:
                table.delayed.topic.crowd_dirty = True
            self._replicas.tables.crowd(table)

    def publish_chat(self, chat_line: w.ReplicatedChatLine) -> None:
        """Show a chat line written at the owner, unless it is known."""
        table = self.table
        shown = table.delayed if chat_line.delayed and table.delayed is not None else table
        if shown.chat is None:
            shown.chat = ChatRooms(shown.topic, self.table.seats)
        room = "players" if chat_line.room == "players" else "spectators"
        line = ChatLine(user=chat_line.user, text=chat_line.text, at=chat_line.at, key=chat_line.key)
        if line not in shown.chat.said(room):  # type: ignore[arg-type]  # mypy takes it for any text
            shown.chat.show(room, line)  # type: ignore[arg-type]  # as above

    # -- listeners on this node ---------------------------------------------------------------------------

    def attend_soon(self) -> None:
        """Schedule ``attend``: a player has come or gone."""
        if not self._soon:
            self._soon = True
            asyncio.get_running_loop().call_soon(self._attend_now)

    def _attend_now(self) -> None:
        self._soon = False
        self.attend()

    def attend(self) -> None:
        """Tell the owner who listens here, if that has changed."""
        if not self.is_attached or self.owner is None or self.table.source is not self:
            return
        attendance = self._attendance()
        if attendance != self._sent:
            self._sent = attendance
            self._replicas.cluster.send(self.owner, "game.here", w.ListenerCount(self.table.id, attendance))

    def _attendance(self) -> Attendance:
        seats, (white_ms, black_ms) = self.table.seats, self.table.game.unmeasured_quota
        white, black = _there(seats.white, white_ms), _there(seats.black, black_ms)
        return Attendance(white, black, self.table.topic.watching_here, self._replicas.is_stopping)

    # -- waiting ------------------------------------------------------------------------------------------

    async def wait(self, seq: int, timeout_s: float) -> None:
        """Wait until event ``seq`` has been shown here. After the timeout, read what is missing."""
        if self.table.game.seq < seq and not await self._waiters.for_event(seq, timeout_s):
            self.read()

    async def look(self) -> None:
        """Look up the owner now. Raises any query error."""
        await self._replicas.look((self,))

    async def wait_attached(self, timeout_s: float) -> None:
        """Wait until the state at the owner is known, or for the timeout."""
        if self._is_fresh:
            await self._waiters.for_event(ATTACHED, timeout_s)

    @property
    def is_waited_for(self) -> bool:
        """Return whether a request waits for an owner of the game."""
        return self._waiters.any_for_owner

    async def wait_moved(self, timeout_s: float) -> None:
        """Wait until a node reports the state of the game, this node owns it, or the timeout ends."""
        await self._waiters.for_owner(timeout_s)


def _there(seat: Seat, unmeasured_quota_ms: int) -> SeatThere:
    ceiling_ms = max(
        (connection.ceiling_ms(unmeasured_quota_ms) for connection in seat.connections), default=seat.ceiling_ms
    )
    return SeatThere(len(seat.connections), ceiling_ms, seat.goodbye and not seat.connections)
