"""Table: the single writer of a live game.

    submit ──► decide ──► journal ──(committed)──► evolve ──► encode once ──► fan-out ──► answer
      └─ waits in the inbox while an append is in flight

Everything here is synchronous: nothing else runs between reading the game and changing it. Until an append is committed
the game stays as it was, so a failure of the database is never visible in it.
"""

from __future__ import annotations

from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from game_core import commands as c
from game_core.color import other
from game_core.decide import decide, find_repeat
from game_core.decide.ends import next_deadline_ms
from game_core.errors import Refusal, Refused
from game_core.events import Moved, Ruled
from lobby.errors import Unavailable, refusal_of
from realtime.games.arrivals import take_seats
from realtime.games.chances.mating_chances import MatingChances
from realtime.games.clocks.clock_hold import ENDING, ClockHold
from realtime.games.pending_command import Answer, IdempotencyCache, PendingCommand, answer_to, unanswered
from realtime.games.table_state import TableState
from realtime.games.table_view import send_legal
from realtime.journal.appends import row_after
from realtime.journal.journal import Append, Cause, Committed, Failed, Fenced, Outcome, Overloaded

if TYPE_CHECKING:
    from game_core.events import AnyEvent
    from game_core.game import Game
    from realtime.fanout.subscription import Subscription
    from realtime.fanout.topics import Topic
    from realtime.games.chat_rooms import ChatRooms
    from realtime.games.clocks.attendance import Attendance
    from realtime.games.ports import DelayedGame, GameReplicaNodes, ReplicaSource
    from realtime.games.seats import Seats
    from realtime.games.services import Services
    from realtime.net.connection import Connection

INBOX_COMMANDS = 64
"""Commands that wait for the append in flight. Two players with several tabs and the timer never send as many."""

UNANSWERED_MS = 10_000
"""A request that the database delays so long is answered ``unavailable``. It may still be done, or be repeated."""


class Table(TableState):
    """One live (or recently ended) game, its seats and its topic.

    Attributes:
        answers: answers to requests with an idempotency key.
        epoch: the fencing token under which this node may append; None: this node does not own the game.
        lost: another node owns the game; no command is accepted any more.
        chances: who can still win, as far as it is known.
        clock_hold: the clock hold by the server.
        used_at_ms: time of the last request or subscription, for eviction.
        chat: the chat rooms; None before the first line.
        replica_nodes: other nodes that show this table; None: there are none.
        source: where a replica gets its events; None: this is not a replica.
        delay_ms: the delay of this view: none (``DelayedView`` has another).
    """

    __slots__ = (
        "__weakref__", "_appended_at_ms", "_in_flight", "_in_flight_events", "_inbox", "_services", "answers",
        "chances", "chat", "clock_hold", "epoch", "lost", "replica_nodes", "seats", "source", "used_at_ms",
    )  # fmt: skip

    delay_ms: ClassVar[int] = 0

    def __init__(self, game: Game, seats: Seats, epoch: int | None, topic: Topic, services: Services) -> None:
        self.used_at_ms = services.time.now_ms()
        super().__init__(game, topic, self.used_at_ms)
        self.seats = seats
        self.epoch = epoch
        self.lost = False
        self.chat: ChatRooms | None = None
        self.replica_nodes: GameReplicaNodes | None = None
        self.source: ReplicaSource | None = None
        self._services = services
        self._inbox: deque[PendingCommand] = deque()
        self._in_flight: PendingCommand | None = None
        self._in_flight_events: tuple[AnyEvent, ...] = ()
        self._appended_at_ms = 0
        self.answers: IdempotencyCache[Answer | Refusal] = IdempotencyCache()
        self.clock_hold = ClockHold(self, services)
        self.chances = MatingChances(self, services)

    @property
    def id(self) -> str:
        """Id of the game."""
        return self.game.setup.id

    @property
    def is_idle(self) -> bool:
        """Return whether nothing is in flight, waits to be done or shown, or is being found out that may end the
        game."""
        is_shown = self.delayed is None or not self.delayed.is_waiting
        return is_shown and not self.is_busy and not self._inbox and self.chances.is_idle

    @property
    def is_busy(self) -> bool:
        """Return whether commands have to wait: for an append, or for an answer that an earlier command needs."""
        return self._in_flight is not None or self.chances.is_waiting

    @property
    def is_stalled(self) -> bool:
        """Return whether the clocks are held for the database and no append is under way that would end the hold."""
        return self.clock_hold.is_for_storage and self._in_flight is None

    @property
    def is_held(self) -> bool:
        """Return whether the server holds the clocks. A pause by a player does not count."""
        return self.clock_hold.is_on

    # -- restart ------------------------------------------------------------------------------------------

    def hold_for_restart(self, *, is_moved: bool = False) -> None:
        """Hold the clock after a takeover until the player to move is present, for a limited time."""
        self.clock_hold.begin_for_restart(is_moved=is_moved)
        self.chances.follow()
        self._services.timers.arm(self)

    # -- commands -----------------------------------------------------------------------------------------

    def submit(self, pending: PendingCommand) -> None:
        """Take a command. Its answer comes after its events: at once, or when the database has stored them."""
        self.used_at_ms = pending.received_ms
        if self.lost or self.epoch is None:
            pending.answer(Unavailable("the game is moving to another node; try again"))
        elif not self._services.may_decide():
            pending.answer(Unavailable("the database is not responding; try again"))
            self.clock_hold.end_later()
        elif not self.is_busy:
            self._handle(pending)
        elif len(self._inbox) >= INBOX_COMMANDS:
            pending.answer(Unavailable("too many commands are queued for this game; try again"))
        elif self.clock_hold.is_for_storage and self._services.time.now_ms() - self._appended_at_ms > UNANSWERED_MS:
            pending.answer(Unavailable("the database is not responding; try again"))
        else:
            self._inbox.append(pending)

    def _handle(self, pending: PendingCommand) -> None:
        """Decide one command. After that its events are in flight, or it has been answered."""
        command = pending.command
        if self._is_repeat(pending, command):
            return
        if self.is_held and isinstance(command, ENDING) and command.by == self.game.turn:
            # The player is back: the clocks are resumed first, so that everybody sees it.
            self._inbox.appendleft(pending)
            command = (pending := self.clock_hold.end()).command
        try:
            events = self._decide(pending, command)
        except Refused as error:
            refusal = refusal_of(error.code, error.message)  # ``error`` holds this frame through its traceback
            if not error.events:
                pending.answer(refusal)
                return
            if self.chances.is_open(error.events):
                self.chances.wait(pending, error.events)
                return
            # With the key a wrong claim is not made twice. A player whose time was over is answered without it.
            key = pending.key if isinstance(error.events[0], Moved | Ruled) else None
            self._append(msgspec.structs.replace(pending, refusal=refusal, key=key), error.events)
            return
        if events is not None and self.chances.is_open(events):
            self.chances.wait(pending, events)
        elif events is not None:
            self._append(pending, events)

    def go_on(self, *pending: PendingCommand) -> None:
        """Handle ``pending`` before all waiting commands: the mating chances that they need are known."""
        self._inbox.extendleft(reversed(pending))
        if self.lost or not self._services.may_decide():
            self._refuse_waiting("the game cannot continue here at the moment; try again")
        self._work_off()

    def _work_off(self) -> None:
        while self._inbox and not self.is_busy:
            self._handle(self._inbox.popleft())
        self._services.timers.arm(self)

    def _is_repeat(self, pending: PendingCommand, command: Any) -> bool:
        """Return whether the command is a repeat; then it gets the same answer again."""
        known = None if pending.user is None else self.answers.known(pending.user, pending.key)
        if known is None and isinstance(command, c.PlayMove | c.Press):
            seq = find_repeat(self.game, command)
            known = None if seq is None else {"seq": seq}
        if known is not None:
            pending.answer(known)
        return known is not None

    def _decide(self, pending: PendingCommand, command: Any) -> tuple[AnyEvent, ...] | None:
        """Return the events of a command; None if there are none and it has been answered."""
        started = perf_counter()
        events = decide(self.game, command, pending.received_ms, self.chances.known_for(command))
        self._services.metrics.stages["decide"].observe(perf_counter() - started)
        if not events:
            pending.answer({"seq": self.game.seq})
            return None
        return events

    def _append(self, pending: PendingCommand, events: tuple[AnyEvent, ...]) -> None:
        assert self.epoch is not None, "submit has checked that the game is ours"
        cause = None if pending.user is None else Cause(user=pending.user, key=pending.key, request=pending.request)
        game = self.game
        append = Append(self.id, self.epoch, game.seq + 1, events, cause, self._done, *row_after(game, events))
        try:
            self._services.journal.append(append)
        except Overloaded:
            pending.answer(Unavailable("the database is overloaded; try again"))
            self.clock_hold.end_later()
            return
        self._in_flight = pending
        self._in_flight_events = events
        self._appended_at_ms = self._services.time.now_ms()

    def _done(self, outcome: Outcome) -> None:
        """Handle the outcome of the append in flight."""
        (pending, events), self._in_flight, self._in_flight_events = (self._in_flight, self._in_flight_events), None, ()
        assert pending is not None, "the journal answers an append once"
        if self.lost or isinstance(outcome, Fenced):
            self._inbox.appendleft(pending)
            self.lose()
            return
        if isinstance(outcome, Committed):
            self._cork_and_publish(pending, events)
        else:
            assert isinstance(outcome, Failed)
            pending.answer(Unavailable("this could not be saved; try again"))
            self.clock_hold.end_later()
        if not self._services.may_decide():
            self._refuse_waiting("the database is not responding; try again")
            self.clock_hold.go_on_for_storage()
        elif self.clock_hold.is_for_storage:
            self._inbox.appendleft(self.clock_hold.end())
        self._work_off()

    def lose(self) -> None:
        """Give the game up: another node owns it."""
        is_replaced, self.lost = self.lost, True
        self._refuse_waiting("the game is moving to another node; try again")
        if not is_replaced:  # otherwise the subscribers get the outcome from the journal
            self._services.on_lost(self)

    def _cork_and_publish(self, pending: PendingCommand, events: tuple[AnyEvent, ...]) -> None:
        """Publish committed events. The sender of the command gets events and answer in one write."""
        asker = pending.connection
        if asker is None:
            self._publish(pending, events)
            return
        asker.cork()
        try:
            self._publish(pending, events)
        finally:
            asker.uncork()

    def _publish(self, pending: PendingCommand, events: tuple[AnyEvent, ...]) -> None:
        """Apply the events, send them to all subscribers, and answer the sender."""
        started = perf_counter()
        sent_ms = self._services.time.now_ms()
        at_wall_ms = self._services.time.wall_ms(sent_ms)
        position, status, laws = self.game.position, self.game.status, self.game.laws
        self.apply(events, sent_ms, at_wall_ms)
        if self.replica_nodes is not None:
            self.replica_nodes.publish(events, self.game.seq - len(events) + 1)
        self.clock_hold.published(is_moved=position is not self.game.position)
        answer = answer_to(events[0], self.game.seq - len(events) + 1) if pending.refusal is None else pending.refusal
        if pending.user is not None:
            self.answers.remember(pending.user, pending.key, answer)
        # A simul also publishes its boards, and does so before the answer.
        self._services.on_change(self, status != self.game.status, events)
        pending.answer(answer)
        is_moved = position is not self.game.position or self.game.status == "over"  # a takeback may keep the turn
        if is_moved or self.game.laws is not laws:
            send_legal(self)
        if is_moved:
            self.chances.follow()
        is_hidden = self.delayed is not None and self.delayed.delay_ms > 0
        self._services.metrics.events_published(events, None if is_hidden else perf_counter() - started)

    # -- time ---------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """Return when the timer is due; None while a command is being decided."""
        if self._in_flight is not None or self.lost or self.epoch is None or not self._services.may_decide():
            return None
        if not self.chances.is_waiting:
            if self.clock_hold.until_ms is not None:
                return self.clock_hold.until_ms
            if self.replica_nodes is not None and self.replica_nodes.is_barrier_pending:
                return None
        return self.chances.due_ms(self._deadline_ms())

    def _deadline_ms(self) -> int | None:
        if self.clock_hold.until_ms is not None:
            return self.clock_hold.until_ms
        return next_deadline_ms(self.game, self.seats.ceiling_ms(self.game))

    def on_timer(self) -> None:
        """Handle the timer: a flag, a missing first move, or the end of a hold."""
        if self._in_flight is not None:
            return
        now_ms = self._services.time.now_ms()
        self.chances.on_timer(now_ms, self._deadline_ms())
        take_seats(self, now_ms)  # it may have failed when they came
        if self.clock_hold.until_ms is not None:
            self.submit(self.clock_hold.end())
        elif not self.is_busy:
            deadline_ms = self._deadline_ms()
            is_due = deadline_ms is not None and deadline_ms <= now_ms
            if self.replica_nodes is not None and is_due and not self.replica_nodes.may_expire(self):
                return  # a move may be on its way; the timer is due again when it is known that none is
            self.submit(
                PendingCommand(command=c.Expire(ceiling_ms=self.seats.ceiling_ms(self.game)), received_ms=now_ms)
            )
        self._services.timers.arm(self)

    def go_on_for_player(self) -> None:
        """End a hold for the player to move, who is present now."""
        if self.clock_hold.until_ms is not None:
            self.submit(self.clock_hold.end())

    def look_for_stall(self, now_ms: int, stall_ms: int) -> None:
        """Hold the clocks and tell the subscribers if the append in flight has waited for ``stall_ms``."""
        if self._in_flight is None:
            return
        waited_ms = now_ms - self._appended_at_ms
        if waited_ms < stall_ms:
            return
        self.hold_for_storage(min(self._appended_at_ms, self._in_flight.received_ms))
        if waited_ms >= UNANSWERED_MS and self._in_flight.answer is not unanswered:
            self._in_flight.answer(Unavailable("the database is not responding; try again"))
            self._in_flight = msgspec.structs.replace(self._in_flight, answer=unanswered)
            self._refuse_waiting("the database is not responding; try again")

    def hold_for_storage(self, since_ms: int) -> None:
        """Hold the clocks from ``since_ms``, when the database stopped answering, and tell all subscribers."""
        if self.epoch is not None:
            self.clock_hold.begin_for_storage(since_ms)

    def resume_after_storage(self) -> None:
        """Resume after the database is back. The answer of an append in flight ends the hold by itself."""
        if self.is_stalled:
            self.submit(self.clock_hold.end())
        self._services.timers.arm(self)

    def _refuse_waiting(self, message: str) -> None:
        while self._inbox:
            self._inbox.popleft().answer(Unavailable(message))

    # -- subscribers --------------------------------------------------------------------------------------

    def shown_to(self, user: str | None) -> Table | DelayedGame:
        """Return what ``user`` may see: the game, or its delayed view."""
        delayed = self.delayed
        return self if delayed is None or user in delayed.exempt else delayed

    def join(self, connection: Connection, subscription: Subscription) -> None:
        """Subscribe a socket. If it is the player to move after a restart, their clock is resumed."""
        self.used_at_ms = self._services.time.now_ms()
        self.topic.remove(connection)
        self.shown_to(None if connection.user is None else connection.user.id).topic.add(connection, subscription)
        self.seats.join(connection)
        self.clock_hold.look()
        take_seats(self, self.used_at_ms)
        if self.seats[self.game.turn].connections:
            self.go_on_for_player()

    def attend(self, node: str, attendance: Attendance) -> None:
        """Set the subscribers at ``node``; effects as of ``join`` and ``leave``."""
        now_ms = self._services.time.now_ms()
        for color in self.seats.attend(node, attendance, now_ms):
            self.chances.query_ahead(other(color))
        self.clock_hold.look()
        take_seats(self, now_ms)
        if node in self.seats[self.game.turn].remote_nodes:
            self.go_on_for_player()

    def leave(self, connection: Connection) -> None:
        """Remove a socket that has unsubscribed or closed."""
        self.used_at_ms = now_ms = self._services.time.now_ms()
        self.topic.remove(connection)
        for color in self.seats.leave(connection, now_ms):
            if self.epoch is not None:
                self.chances.query_ahead(other(color))

    @property
    def may_leave(self) -> bool:
        """Return whether only subscribers keep the table in memory: no clock runs, no first move is awaited."""
        # Not by `due_ms`: a clock that is held for the database has to be resumed afterwards. Nor by the deadline
        # alone: where the players claim flags a clock may run without one, and loading would give its time back.
        clock, deadline_ms = self.game.clock, self._deadline_ms()
        runs = deadline_ms is not None or (clock is not None and clock.is_running and self.game.status != "over")
        return self.is_idle and (self.epoch is None or not (self.clock_hold.is_for_storage or runs))
