"""Public delay by moves: spectators get the same events with the same numbers and order, some moves later.

An event is shown once the board has a given number of half-moves more than it had after the event
(``game_core/public_delay.py``). When the game is over, all events are shown at once. The public sees the clocks stopped
as of the last event shown: a running clock would reveal how long a player has been thinking.

    event            shown when                      reason
    move             2N half-moves more are made     the latest move is the N-th after it
    takeback         as the moves that are made      reveals nothing: the position it restores was
                     instead of those taken back     due before the moves that were taken back
    offer, decline   with the move before it         as old as that move
    clock            with the move before it         as old; includes pauses and added time
    end              at once, with all before it     the whole game is public
    rematch          at once                         comes after the end
    hold             never                           the public clocks are stopped anyway
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
"""Reason why the public's clocks are stopped."""


class Waiting(msgspec.Struct, frozen=True):
    """An event that is shown later.

    Attributes:
        due_ply: shown when the board has this many half-moves.
        what: an event, or a game state that replaces all skipped events.
    """

    due_ply: int
    what: AnyEvent | Game


class DelayedByMoves(DelayedView):
    """``DelayedView`` by moves. Its clocks are stopped, so it never shows a running time."""

    __slots__ = ("_waiting",)

    def __init__(self, table: LiveTable, circle: Exempt, services: Services) -> None:
        """Take the arguments of ``DelayedView``."""
        super().__init__(table, circle, services)
        self._waiting: deque[Waiting] = deque()

    @property
    def is_waiting(self) -> bool:
        """Return False: no timer will show anything. An idle game may leave memory, and is the same after a reload."""
        return False

    def follow(self, game: Game, event: AnyEvent, at_ms: int) -> None:
        """Handle ``event``, which was published at ``at_ms`` and led to ``game``."""
        due_ply = game.ply + game.setup.delay.plies
        if len(self._waiting) < delayed_view.LINE:
            self._waiting.append(Waiting(due_ply, event))
        else:
            self._waiting.clear()
            self._waiting.append(Waiting(due_ply, game))
        self._show_until(game, at_ms)

    def hold(self, why: str, since_ms: int | None) -> None:
        """Do nothing: the clocks are stopped anyway."""

    def recall(self, events: Iterable[AnyEvent], ages_ms: list[int], now_ms: int) -> None:
        """Rebuild as ``DelayedView`` does; the ages do not matter."""
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
        """Return None: nothing becomes due with time."""
        return None

    def _show_until(self, game: Game, at_ms: int) -> None:
        """Show what is due in ``game``."""
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
    """Return ``event`` with its clock stopped."""
    if isinstance(event, Offered) or event.clock is None or event.clock.run is None or event.clock.held is not None:
        return event
    return msgspec.structs.replace(event, clock=msgspec.structs.replace(event.clock, held=HELD))
