"""A game as those see it who are told of it some moves later: the same events with the same numbers, in the same order.

An event is shown once there are so many half-moves more on the board than there were after it
(``game_core/public_delay.py``), or the game is over: then everything is, at once. The clocks stand as they stood after
the last event shown: how they have run since would tell for how long somebody has been thinking.

    event            shown when                      what it tells
    move             2N half-moves more are there    the move made just now is the N-th after it
    takeback         as the moves that are made      nothing that was hidden: the position it goes back to was due
                     instead of those taken back     before those that were taken back
    offer, decline   with the move before it         as old as that move
    clock            with the move before it         as old; pauses and given time too
    end              at once, with all before it     the whole game
    rematch          at once                         it comes after the end
    hold             never                           the clocks stand anyhow
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import msgspec

from game_core.events import AnyEvent, Offered
from game_core.evolve import evolve
from game_core.game import Game
from game_core.public_delay import shown_by_moves, step_of
from realtime.fanout.message import Message
from realtime.games.delay import delayed_view
from realtime.games.delay.delayed_view import DelayedView
from realtime.games.table_view import snapshot_at
from realtime.protocol.wire_game import event_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.games.delay.exemptions import Exempt
    from realtime.games.ports import LiveTable
    from realtime.games.services import Services

HELD = "late"
"""Why the clocks stand for the public."""


class Waiting(msgspec.Struct, frozen=True):
    """Something that is shown later.

    Attributes:
        due_ply: as soon as so many half-moves are on the board.
        what: an event, or the game that is leapt to.
    """

    due_ply: int
    what: AnyEvent | Game


class DelayedByMoves(DelayedView):
    """``DelayedView``, by moves. Its clocks stand, so it is never told of a time that is still going on."""

    __slots__ = ("_waiting",)

    def __init__(self, table: LiveTable, circle: Exempt, services: Services) -> None:
        """As of ``DelayedView``."""
        super().__init__(table, circle, services)
        self._waiting: deque[Waiting] = deque()

    @property
    def is_waiting(self) -> bool:
        """Nothing is, by itself: a game that its players leave alone may leave memory, and comes back as it was."""
        return False

    def follow(self, game: Game, event: AnyEvent, at_ms: int) -> None:
        """``event`` was published at ``at_ms`` and has made ``game``."""
        due_ply = game.ply + game.setup.delay.plies
        if len(self._waiting) < delayed_view.LINE:
            self._waiting.append(Waiting(due_ply, event))
        else:
            self._waiting.clear()
            self._waiting.append(Waiting(due_ply, game))
        self._show_until(game, at_ms)

    def hold(self, why: str, since_ms: int | None) -> None:
        """The clocks stand anyhow."""

    def recall(self, events: Iterable[AnyEvent], ages_ms: list[int], now_ms: int) -> None:
        """As of ``DelayedView``; the ages do not matter."""
        known = list(events)
        game = self._table.game
        is_over = game.status == "over"
        last = len(known) if is_over else shown_by_moves(map(step_of, known), game.setup.delay.plies)
        for event in known[:last]:
            self._show_event(event, now_ms)
        ply = self.game.ply
        for event in known[last:]:
            ply += step_of(event)
            self._waiting.append(Waiting(ply + game.setup.delay.plies, event))
        if len(self._waiting) > delayed_view.LINE:
            self._waiting.clear()
            self._waiting.append(Waiting(game.ply + game.setup.delay.plies, game))
        self._show_until(game, now_ms)

    def due_ms(self) -> int | None:
        """No time makes anything due."""
        return None

    def _show_until(self, game: Game, at_ms: int) -> None:
        """Show what is due now that there is ``game``."""
        while self._waiting and (game.status == "over" or self._waiting[0].due_ply <= game.ply):
            what = self._waiting.popleft().what
            if isinstance(what, Game):
                self._leap(what, at_ms)
            else:
                self._show_event(what, at_ms)
        if self.game.status == "over":
            self._end()

    def _show_event(self, event: AnyEvent, at_ms: int) -> None:
        event = standing(event)
        self.game = evolve(self.game, event, at_ms)
        seq = self.game.seq
        if self._is_news(seq):
            body = event_body(self.game, event, seq, self._services.time.wall_ms(at_ms))
            self.topic.publish(Message(body, seq))

    def _leap(self, game: Game, at_ms: int) -> None:
        clock = game.clock
        if game.status != "over" and clock is not None and clock.run is not None:
            game = msgspec.structs.replace(game, clock=clock.hold(clock.held or HELD, clock.since_ms))
        self.game = game
        if self._is_news(game.seq):
            body = snapshot_at(self._table, game, at_ms, self._services.time.wall_ms(at_ms), late=True)
            self.topic.publish(Message(body, game.seq))


def standing(event: AnyEvent) -> AnyEvent:
    """``event`` with the clock that it sets running standing instead."""
    if isinstance(event, Offered) or event.clock is None or event.clock.run is None or event.clock.held is not None:
        return event
    return msgspec.structs.replace(event, clock=msgspec.structs.replace(event.clock, held=HELD))
