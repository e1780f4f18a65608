"""A game as those see it who are told of it later: the same events with the same numbers, so much later.

    table ──(published)──► line of what is due ──(timer)──► shadow of the game ──► encode ──► the late topic

The shadow is the game as it was; whoever may not see more is shown it wherever he would be shown the game. Time is told
as it was then: what a clock showed, it shows so much later, and ``at`` is as much later too. Once the game is over and
nothing is due any more there is nothing to hide: the late listeners become listeners like the others.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import msgspec

from game_core.events import AnyEvent
from game_core.evolve import evolve
from game_core.game import Game
from realtime.fanout.message import Message
from realtime.fanout.topics import Topic
from realtime.games.table_view import hold_body, snapshot_at
from realtime.protocol.wire_game import event_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.games.chat_rooms import ChatRooms
    from realtime.games.delay.exemptions import Exempt
    from realtime.games.ports import LiveTable
    from realtime.games.services import Services

LINE = 1024
"""What may wait of one game: more than an event a second for the longest delay there is. No two people play so fast,
but two programs do. For them the line is one leap: what waits is left out, and the game as it stands is shown when that
is due. At some 600 bytes an event a full line takes 600 KB."""


class Held(msgspec.Struct, frozen=True):
    """The server stopped the clocks, which is no event."""

    why: str
    since_ms: int | None
    """What the running side was charged up to; None: nothing since the last event."""


class Due(msgspec.Struct, frozen=True):
    """Something that is shown later.

    Attributes:
        due_ms: when, on the game axis.
        at_ms: when the players saw it.
        what: an event, a hold, or the game that is leapt to.
    """

    due_ms: int
    at_ms: int
    what: AnyEvent | Held | Game


class DelayedView:
    """What a table shows to all but the circle of those who play.

    Attributes:
        game: the shadow: the game as it was ``delay_ms`` ago.
        topic: who hears of it late; under the same name as the table's.
        chat: what the late listeners say to each other; None until one of them has said something. Who sees the game
            as it is could tell them of it, so his lines are not here.
        circle: who sees it as it is.
    """

    __slots__ = ("_line", "_services", "_table", "chat", "circle", "delay_ms", "game", "topic")

    def __init__(self, table: LiveTable, circle: Exempt, services: Services) -> None:
        """``table`` is at the start of its game; ``recall`` tells what of it is known already."""
        self.game = table.game
        self.delay_ms = table.game.setup.delay_s * 1000
        self.chat: ChatRooms | None = None
        self.circle = circle
        circle.people |= {table.seats.white.user.id, table.seats.black.user.id}
        topic = table.topic.late
        if topic is None:
            topic = table.topic.late = Topic(table.topic.name, fan_out=services.fan_out)
        self.topic = topic
        self._table = table
        self._services = services
        self._line: deque[Due] = deque()

    @property
    def is_waiting(self) -> bool:
        """Something is still to be shown."""
        return bool(self._line)

    def follow(self, game: Game, event: AnyEvent, at_ms: int) -> None:
        """``event`` was published at ``at_ms`` and has made ``game``."""
        if len(self._line) < LINE:
            self._add(Due(at_ms + self.delay_ms, at_ms, event))
        else:
            self._line.clear()
            self._add(Due(at_ms + self.delay_ms, at_ms, game))

    def hold(self, why: str, since_ms: int | None) -> None:
        """The clocks were stopped by the server now; what runs was charged up to ``since_ms``, or not at all."""
        if len(self._line) < LINE:
            now_ms = self._services.time.now_ms()
            self._add(Due(now_ms + self.delay_ms, now_ms, Held(why, since_ms)))

    def recall(self, events: Iterable[AnyEvent], ages_ms: list[int], now_ms: int) -> None:
        """The table was rebuilt from ``events``, and stands where they end.

        Args:
            ages_ms: how long before ``now_ms`` each was shown, at most; what has none was shown now.
        """
        due_ms = 0
        for place, event in enumerate(events):
            at_ms = now_ms - (ages_ms[place] if place < len(ages_ms) else 0)
            due_ms = max(due_ms, at_ms + self.delay_ms)
            due = Due(due_ms, at_ms, event)
            if due_ms <= now_ms and not self._line:
                self._show(due)
            else:
                self._line.append(due)
        if len(self._line) > LINE:
            last = self._line[-1]
            self._line.clear()
            self._line.append(Due(last.due_ms, last.at_ms, self._table.game))
        self._look_ahead()

    def due_ms(self) -> int | None:
        """When the first in the line is due."""
        return self._line[0].due_ms if self._line else None

    def ring(self) -> None:
        """Something is due."""
        now_ms = self._services.time.now_ms()
        while self._line and self._line[0].due_ms <= now_ms:
            due = self._line.popleft()
            self._show(due)
            if not isinstance(due.what, Game | Held) and self._table.epoch is not None:  # each counts at its owner
                self._services.metrics.published((due.what,))
        self._look_ahead()

    def _add(self, due: Due) -> None:
        self._line.append(due)
        if len(self._line) == 1:
            self._services.timers.arm(self)

    def _look_ahead(self) -> None:
        if self._line:
            self._services.timers.arm(self)
        elif self.game.status == "over":
            self._end()

    def _show(self, due: Due) -> None:
        what = due.what
        if isinstance(what, Held):
            self._hold(what)
            return
        if isinstance(what, Game):
            self.game = what
        else:
            self.game = evolve(self.game, what, due.at_ms)
        seq = self.game.seq
        if not self._is_news(seq):
            return
        time = self._services.time
        at_wall_ms = time.wall_ms(due.at_ms + self.delay_ms)
        if isinstance(what, Game):
            body = snapshot_at(self._table, self.game, due.at_ms, at_wall_ms, late=True)
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
        if table.late is not self or self._line:
            return  # they have done so, or something has come meanwhile that has to be shown first
        table.late = table.topic.late = None
        for connection, how in tuple(self.topic.watchers.items()):
            self.topic.remove(connection)  # or what he has been told would be counted here and there
            table.topic.add(connection, how)
        if self.topic.minis is not None:
            self.topic.minis.move_to(table.topic)
        if self.chat is not None:
            table.chat = self.chat.joined(table.topic, table.chat)
