"""The delayed view of a game: the same events with the same numbers in the same order, published after a delay.

    table ──(published)──► release queue ──(timer or move)──► the game as it was ──► encode ──► the delayed topic

Whoever may not see more is shown the game as it was wherever they would be shown the game. Once the game is over and
nothing waits, the delayed listeners join the others.

With a delay by time, a clock shows what it showed then, and ``at`` is as much later.

With a delay by moves (``PublicDelay.releases``), clocks stand as they stood after the last event shown: how they have
run since would tell how long somebody has been thinking. So a hold by the server is not shown.

    event            shown when                      what it tells
    move             2N half-moves more are there    the move made just now is the N-th after it
    takeback         as the moves that are made      nothing that was hidden: the position it goes back to was due
                     instead of those taken back     before those that were taken back
    offer, decline   with the move before it         as old as that move
    clock            with the move before it         as old; pauses and given time too
    end              at once, with all before it     the whole game
    rematch          at once                         it comes after the end
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.events import AnyEvent, Offered
from game_core.evolve import evolve
from game_core.game import Game
from game_core.public_delay import Stamp, count_released, stamp_log, step_of
from realtime.fanout.message import Message
from realtime.fanout.topics import Topic
from realtime.games.delay.release_queue import ReleaseQueue
from realtime.games.table_view import hold_body, snapshot_at
from realtime.protocol.wire_game import event_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.games.chat_rooms import ChatRooms
    from realtime.games.delay.exemptions import Exempt
    from realtime.games.ports import LiveTable
    from realtime.games.services import Services

MAX_WAITING = 1024
"""What may wait of one game: more than an event a second for the longest delay there is. No two people play so fast,
but two programs do. Beyond it, what waits is left out, and the game as it stands is shown when that is due. At some 600
bytes an event a full queue takes 600 KB."""

HELD = "late"
"""Why the clocks stand for the public with a delay by moves."""


class Held(msgspec.Struct, frozen=True):
    """The server stopped the clocks, which is no event."""

    why: str
    since_ms: int | None
    """What the running side was charged up to; None: nothing since the last event."""


class DelayedView:
    """What a table shows to all but the exempt.

    Attributes:
        game: the game as it was.
        topic: who hears of it later; under the same name as the table's.
        chat: what the delayed listeners say to each other; None until one of them has said something. Who sees the game
            as it is could tell them of it, so their lines are not here.
        exempt: who sees it as it is.
        delay_ms: how much later by time; 0 by moves.
    """

    __slots__ = ("_delay", "_queue", "_services", "_table", "chat", "delay_ms", "exempt", "game", "topic")

    def __init__(self, table: LiveTable, exempt: Exempt, services: Services) -> None:
        """``table`` is at the start of its game; ``recall`` tells what of it is known already."""
        self.game = table.game
        self._delay = table.game.setup.public_delay
        self.delay_ms = self._delay.seconds * 1000
        self.chat: ChatRooms | None = None
        self.exempt = exempt
        exempt.people |= {table.seats.white.user.id, table.seats.black.user.id}
        topic = table.topic.late
        if topic is None:
            topic = table.topic.late = Topic(table.topic.name, fan_out=services.fan_out)
        self.topic = topic
        self._table = table
        self._services = services
        self._queue: ReleaseQueue[AnyEvent | Held | Game] = ReleaseQueue(self._delay, MAX_WAITING)

    @property
    def is_waiting(self) -> bool:
        """Something is still to be shown, by itself: a game delayed by moves whose players leave it alone may leave
        memory, and comes back as it was.
        """
        return self.due_ms() is not None

    def follow(self, game: Game, event: AnyEvent, at_ms: int) -> None:
        """``event`` was published at ``at_ms`` and has made ``game``."""
        self._push(Stamp(at_ms, game.ply), event)
        if not self.delay_ms:
            self._release(Stamp(at_ms, game.ply, game.status == "over"))

    def hold(self, why: str, since_ms: int | None) -> None:
        """The clocks were stopped by the server now; what runs was charged up to ``since_ms``, or not at all."""
        if self.delay_ms and len(self._queue) < self._queue.limit:
            self._push(Stamp(self._services.time.now_ms(), self._table.game.ply), Held(why, since_ms))

    def recall(self, events: Iterable[AnyEvent], ages_ms: list[int], now_ms: int) -> None:
        """The table was rebuilt from ``events``, and stands where they end.

        Args:
            ages_ms: how long before ``now_ms`` each was shown, at most; what has none was shown now.
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
        """When the first that waits is due; None: no time makes it due."""
        return self._queue.due_ms()

    def ring(self) -> None:
        """Something is due."""
        game = self._table.game
        self._release(Stamp(self._services.time.now_ms(), game.ply, game.status == "over"))

    def _push(self, stamp: Stamp, what: AnyEvent | Held) -> None:
        self._queue.push(stamp, what, lambda: self._table.game)
        if len(self._queue) == 1:
            self._services.timers.arm(self)

    def _release(self, now: Stamp) -> None:
        for waiting in self._queue.pop_released(now):
            self._show(waiting, waiting.what, now.at_ms)
            # With a delay by moves the table has counted it; each event counts at its owner.
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
            body = snapshot_at(self._table, self.game, at_ms, at_wall_ms, late=True)
            self.topic.publish(Message(body, seq))
        else:
            self.topic.publish(Message(event_body(self.game, what, seq, at_wall_ms), seq))

    def _is_news(self, seq: int) -> bool:
        """Whether what is shown with number ``seq`` has to be told to anybody."""
        if seq <= self.topic.seq:
            return False  # it was shown before the table left memory
        if not len(self.topic):
            self.topic.seq = seq  # who comes now gets the snapshot
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
        """All has been shown: who listens late listens on with the others, as soon as all have been told."""
        self.topic.watchers.when_told(self._join_others)

    def _join_others(self) -> None:
        table = self._table
        if table.late is not self or self._queue:
            return  # they have done so, or something has come meanwhile that has to be shown first
        table.late = table.topic.late = None
        for connection, how in tuple(self.topic.watchers.items()):
            self.topic.remove(connection)  # or what he has been told would be counted here and there
            table.topic.add(connection, how)
        if self.topic.minis is not None:
            self.topic.minis.move_to(table.topic)
        if self.chat is not None:
            table.chat = self.chat.joined(table.topic, table.chat)


def standing(what: AnyEvent | Game) -> AnyEvent | Game:
    """An event or game with the clock that runs in it standing instead."""
    if isinstance(what, Game):
        clock = what.clock
        if what.status == "over" or clock is None or clock.run is None:
            return what
        return msgspec.structs.replace(what, clock=clock.hold(clock.held or HELD, clock.since_ms))
    if isinstance(what, Offered) or what.clock is None or what.clock.run is None or what.clock.held is not None:
        return what
    return msgspec.structs.replace(what, clock=msgspec.structs.replace(what.clock, held=HELD))
