"""Delayed view of a game: the same events with the same numbers in the same order, published after a delay.

    table ──(published)──► release queue ──(timer or move)──► delayed game ──► encode ──► the delayed topic

The delayed game is the game as it was. Whoever may not see more gets it wherever others get the game. When the game is
over and nothing waits, the delayed subscribers join the others.

With a delay by time, clocks show what they showed then, and ``at`` is later by the delay.

With a delay by moves (``PublicDelay.releases``), clocks are stopped as of the last event shown: a running clock would
reveal how long a player has been thinking. So a hold by the server is not shown.

    event            shown when                      reason
    move             2N half-moves more are made     the latest move is the N-th after it
    takeback         as the moves that are made      reveals nothing: the position it restores was
                     instead of those taken back     due before the moves that were taken back
    offer, decline   with the move before it         as old as that move
    touch, signal,   with the move that follows      part of that move (games by the Laws)
    made, ruling
    seated           with the move before it         reveals nothing of the game
    clock            with the move before it         as old; includes pauses and added time
    end              at once, with all before it     the whole game is public
    rematch          at once                         comes after the end
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.evolve import evolve
from game_core.game import Game
from game_core.public_delay import Stamp, count_released, stamp_log, step_of
from realtime.fanout.message import Message
from realtime.fanout.topics import Topic
from realtime.games.delay.release_queue import ReleaseQueue
from realtime.games.table_view import hold_body, online_of, snapshot_at
from realtime.protocol.wire_game import event_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from game_core.events import AnyEvent, ClockReading
    from realtime.games.chat_rooms import ChatRooms
    from realtime.games.delay.exemptions import Exempt
    from realtime.games.ports import LiveTable
    from realtime.games.services import Services

MAX_WAITING = 1024
"""Most events that wait for one game: more than one a second for the longest delay. Only programs play so fast. Beyond
it, the waiting events are replaced by the current state of the game, shown when that is due. A full queue takes 600 KB
at about 600 bytes an event."""

HELD = "late"
"""Reason why the public's clocks are stopped with a delay by moves."""


class Held(msgspec.Struct, frozen=True):
    """A clock hold by the server, which is not an event."""

    why: str
    since_ms: int | None
    """Time up to which the running side was charged; None: not since the last event."""


class DelayedView:
    """What a table shows to everybody who is not exempt from the delay.

    Attributes:
        game: the game as it was.
        topic: its subscribers, under the name of the table's topic.
        chat: chat of the delayed subscribers; None before the first line. People who are exempt from the delay cannot
            write here, because they could reveal the present.
        exempt: who is exempt from the delay.
        delay_ms: the delay by time; 0 for a delay by moves.
    """

    __slots__ = ("_delay", "_queue", "_services", "_table", "chat", "delay_ms", "exempt", "game", "topic")

    def __init__(self, table: LiveTable, exempt: Exempt, services: Services) -> None:
        """Start at the beginning of the game of ``table``; ``recall`` applies the events known so far."""
        self.game = table.game
        self._delay = table.game.setup.public_delay
        self.delay_ms = self._delay.seconds * 1000
        self.chat: ChatRooms | None = None
        self.exempt = exempt
        exempt.people |= {table.seats.white.user.id, table.seats.black.user.id}
        topic = table.topic.delayed
        if topic is None:
            topic = table.topic.delayed = Topic(table.topic.name, fan_out=services.fan_out)
        self.topic = topic
        self._table = table
        self._services = services
        self._queue: ReleaseQueue[AnyEvent | Held | Game] = ReleaseQueue(self._delay, MAX_WAITING)

    @property
    def is_waiting(self) -> bool:
        """Return whether time alone will show something. With a delay by moves none will: an idle game may leave
        memory, and is the same after a reload."""
        return self.due_ms() is not None

    def follow(self, game: Game, event: AnyEvent, at_ms: int) -> None:
        """Handle ``event``, which was published at ``at_ms`` and led to ``game``."""
        self._push(Stamp(at_ms, game.ply, is_ahead=step_of(event) is None), event)
        if not self.delay_ms:
            self._release(Stamp(at_ms, game.ply, game.status == "over"))

    def hold(self, why: str, since_ms: int | None) -> None:
        """Handle a clock hold by the server. The running side was charged up to ``since_ms``; None: not since the last
        event."""
        if self.delay_ms and len(self._queue) < self._queue.limit:
            self._push(Stamp(self._services.time.now_ms(), self._table.game.ply), Held(why, since_ms))

    def recall(self, events: Iterable[AnyEvent], ages_ms: list[int], now_ms: int) -> None:
        """Rebuild the queue from ``events``, all events of the rebuilt table.

        Args:
            ages_ms: least time between each event and ``now_ms``; an event without an entry was published now.
        """
        known = list(events)
        log = stamp_log(map(step_of, known), ages_ms, now_ms)
        game = self._table.game
        released = count_released(self._delay, log, Stamp(now_ms, game.ply, game.status == "over"))
        for stamp, event in zip(log[:released], known, strict=False):
            self._show(stamp, event, now_ms)
        waiting = list(zip(log, known, strict=True))[released:]
        if len(waiting) > self._queue.limit:
            self._queue.push(log[-1], game, lambda: game)
        else:
            for stamp, event in waiting:
                self._queue.push(stamp, event, lambda: game)
        self._look_ahead()

    def due_ms(self) -> int | None:
        """Return when the first entry is due; None if no time makes it due."""
        return self._queue.due_ms()

    def on_timer(self) -> None:
        """Show what is due."""
        game = self._table.game
        self._release(Stamp(self._services.time.now_ms(), game.ply, game.status == "over"))

    def _push(self, stamp: Stamp, what: AnyEvent | Held) -> None:
        self._queue.push(stamp, what, lambda: self._table.game)
        if len(self._queue) == 1:
            self._services.timers.arm(self)

    def _release(self, now: Stamp) -> None:
        for waiting in self._queue.pop_released(now):
            self._show(waiting, waiting.what, now.at_ms)
            # The owner counts each event; with a delay by moves the table has counted it.
            if self.delay_ms and not isinstance(waiting.what, Game | Held) and self._table.epoch is not None:
                self._services.metrics.published((waiting.what,))
        self._look_ahead()

    def _look_ahead(self) -> None:
        if self._queue:
            self._services.timers.arm(self)
        elif self.game.status == "over":
            self._end()

    def _show(self, stamp: Stamp, what: AnyEvent | Held | Game, now_ms: int) -> None:
        if isinstance(what, Held):
            self._hold(what)
            return
        at_ms = stamp.at_ms if self.delay_ms else now_ms
        if not self.delay_ms:
            what = standing(what)
        self.game = what if isinstance(what, Game) else evolve(self.game, what, at_ms)
        seq = self.game.seq
        if not self._is_news(seq):
            return
        at_wall_ms = self._services.time.wall_ms(at_ms + self.delay_ms)
        if isinstance(what, Game):
            body = snapshot_at(self._table, self.game, at_ms, at_wall_ms, online_of(self._table, delayed=True))
            self.topic.publish(Message(body, seq))
        else:
            self.topic.publish(Message(event_body(self.game, what, seq, at_wall_ms), seq))

    def _is_news(self, seq: int) -> bool:
        """Return whether event ``seq`` still has to be sent to anybody."""
        if seq <= self.topic.seq:
            return False  # shown before the table left memory
        if not len(self.topic):
            self.topic.seq = seq  # later subscribers get the snapshot
            return False
        return True

    def _hold(self, held: Held) -> None:
        clock = self.game.clock
        if self.game.status == "over" or clock is None or clock.run is None or clock.held is not None:
            return
        since_ms = clock.since_ms if held.since_ms is None else held.since_ms
        self.game = msgspec.structs.replace(self.game, clock=clock.hold(held.why, since_ms))
        self.topic.send(Message(hold_body(self.game.setup.id, held.why)))

    def _end(self) -> None:
        """Move the delayed subscribers to the table's topic, as soon as everything has been delivered to them."""
        self.topic.watchers.when_told(self._join_others)

    def _join_others(self) -> None:
        table = self._table
        if table.delayed is not self or self._queue:
            return  # already moved, or a later event has to be shown first
        table.delayed = table.topic.delayed = None
        for connection, how in tuple(self.topic.watchers.items()):
            self.topic.remove(connection)  # before it is added: delivered messages must not be counted in both topics
            table.topic.add(connection, how)
        if self.topic.minis is not None:
            self.topic.minis.move_to(table.topic)
        if self.chat is not None:
            table.chat = self.chat.joined(table.topic, table.chat)


def standing(what: AnyEvent | Game) -> AnyEvent | Game:
    """Return an event or game with its running clock stopped."""
    if isinstance(what, Game):
        clock = what.clock
        if what.status == "over" or clock is None or clock.run is None:
            return what
        return msgspec.structs.replace(what, clock=clock.hold(clock.held or HELD, clock.since_ms))
    reading: ClockReading | None = getattr(what, "clock", None)
    if reading is None or reading.run is None or reading.held is not None:
        return what
    return msgspec.structs.replace(what, clock=msgspec.structs.replace(reading, held=HELD))
