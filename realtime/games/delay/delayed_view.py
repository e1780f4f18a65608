"""Public delay by seconds: spectators get the same events with the same numbers, later than the players.

    table ──(published)──► queue of due events ──(timer)──► delayed game ──► encode ──► the delayed topic

The delayed game is the game as it was. Whoever may not see more gets it wherever others get the game. Its times are
shifted too: clocks show what they showed then, and ``at`` is later by the delay. When the game is over and no event is
due any more, there is nothing left to hide, and the delayed subscribers join the others.
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
"""Most events that wait for one game: more than one a second for the longest delay. Only programs play so fast. When
the queue is full, it is replaced by the current state of the game, shown when that is due. A full queue takes 600 KB at
about 600 bytes an event."""


class Held(msgspec.Struct, frozen=True):
    """A clock hold by the server, which is not an event."""

    why: str
    since_ms: int | None
    """Time up to which the running side was charged; None: not since the last event."""


class Due(msgspec.Struct, frozen=True):
    """An entry of the queue.

    Attributes:
        due_ms: when it is shown, on the game axis.
        at_ms: when the players saw it.
        what: an event, a hold, or a game state that replaces all skipped events.
    """

    due_ms: int
    at_ms: int
    what: AnyEvent | Held | Game


class DelayedView:
    """What a table shows to everybody who is not exempt from the delay.

    Attributes:
        game: the game as it was ``delay_ms`` ago.
        topic: its subscribers, under the name of the table's topic.
        chat: chat of the delayed subscribers; None before the first line. People who are exempt from the delay cannot
            write here, because they could reveal the present.
        circle: who is exempt from the delay.
    """

    __slots__ = ("_line", "_services", "_table", "chat", "circle", "delay_ms", "game", "topic")

    def __init__(self, table: LiveTable, circle: Exempt, services: Services) -> None:
        """Start at the beginning of the game of ``table``; ``recall`` applies the events known so far."""
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
        """Return whether something is still to be shown."""
        return bool(self._line)

    def follow(self, game: Game, event: AnyEvent, at_ms: int) -> None:
        """Handle ``event``, which was published at ``at_ms`` and led to ``game``."""
        if len(self._line) < LINE:
            self._add(Due(at_ms + self.delay_ms, at_ms, event))
        else:
            self._line.clear()
            self._add(Due(at_ms + self.delay_ms, at_ms, game))

    def hold(self, why: str, since_ms: int | None) -> None:
        """Handle a clock hold by the server. The running side was charged up to ``since_ms``; None: not since the last
        event."""
        if len(self._line) < LINE:
            now_ms = self._services.time.now_ms()
            self._add(Due(now_ms + self.delay_ms, now_ms, Held(why, since_ms)))

    def recall(self, events: Iterable[AnyEvent], ages_ms: list[int], now_ms: int) -> None:
        """Rebuild the queue from ``events``, all events of the rebuilt table.

        Args:
            ages_ms: least time between each event and ``now_ms``; an event without an entry was published now.
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
        """Return when the first entry is due; None if there is none."""
        return self._line[0].due_ms if self._line else None

    def ring(self) -> None:
        """Show what is due."""
        now_ms = self._services.time.now_ms()
        while self._line and self._line[0].due_ms <= now_ms:
            due = self._line.popleft()
            self._show(due)
            if not isinstance(due.what, Game | Held) and self._table.epoch is not None:  # the owner counts it
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
        if table.late is not self or self._line:
            return  # already moved, or a later event has to be shown first
        table.late = table.topic.late = None
        for connection, how in tuple(self.topic.watchers.items()):
            self.topic.remove(connection)  # before it is added: delivered messages must not be counted in both topics
            table.topic.add(connection, how)
        if self.topic.minis is not None:
            self.topic.minis.move_to(table.topic)
        if self.chat is not None:
            table.chat = self.chat.joined(table.topic, table.chat)
