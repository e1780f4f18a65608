"""Clock holds: the server stops the clocks of a game after a restart, or while the database is not responding.

A hold is not an event. Its end is one: ``Resume``, which the table submits to itself.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

import msgspec

from game_core import commands as c
from game_core.color import COLORS
from game_core.holds import LASTING
from realtime.fanout.message import Message
from realtime.games.pending_command import PendingCommand
from realtime.games.table_view import RESTART, SERVER_HOLDS, STORAGE, first_move_body, hold_body

if TYPE_CHECKING:
    from collections.abc import Collection

    from game_core.clock import Clock
    from game_core.color import Color
    from realtime.games.ports import LiveTable
    from realtime.games.services import Services

ENDING = (c.PlayMove, c.Touch, c.Press)
"""Commands of the player to move that end a hold."""

RESUME_MS = 30_000
"""Longest hold for a player who is not back after a restart."""

MISSING_MS = 2 * RESUME_MS
"""For this long a missing player gets a hold when it becomes their turn."""

RETRY_MS = 1000
"""Delay before the end of a hold is stored again, after a failed attempt."""


class ClockHold:
    """The clock hold of one table.

    Attributes:
        until_ms: when the hold ends even if the player is not back; None: there is no such time, or no hold.
        is_for_storage: the clients were told that the database is not responding.
        missing: sides whose players have not been seen since the game was taken from another node, or since their
            own node was lost.
    """

    __slots__ = ("_at", "_is_owed", "_missed_ms", "_services", "is_for_storage", "missing", "until_ms")

    def __init__(self, table: LiveTable, services: Services) -> None:
        self.until_ms: int | None = None
        self.is_for_storage = False
        self.missing: tuple[Color, ...] = ()
        self._missed_ms = 0
        """Since when the last of the missing players is missing."""
        self._is_owed = False
        """The player to move is missing, but their clock could not be held yet because a command was under way."""
        self._at = weakref.ref(table)
        self._services = services

    @property
    def _table(self) -> LiveTable:
        """Return the table. The reference is weak: this object must not keep the table in memory."""
        table = self._at()
        assert table is not None, "only the table asks, and whoever has it"
        return table

    @property
    def is_on(self) -> bool:
        """Return whether the server holds the clocks. A pause by a player does not count."""
        clock = self._table.game.clock
        return clock is not None and clock.held in SERVER_HOLDS

    def begin_for_restart(self, *, is_moved: bool) -> None:
        """Hold the clock after a takeover until the player to move is present, at most ``RESUME_MS``.

        Args:
            is_moved: the game comes from another node, to which the other player may still be connected.
        """
        table = self._table
        if is_moved:
            self._miss({color for color in COLORS if not table.seats[color].is_here})
        clock, is_new = table.game.clock, table.game.laws is not None and not table.game.seq
        if is_new or table.game.status == "over":
            return  # by the Laws the clock runs before anybody has come (6.5)
        if clock is not None and _waits(clock) and clock.held not in LASTING:
            # From the rebuild on: the time that it took is charged to nobody.
            table.adjust(clock=clock.hold(RESTART, clock.since_ms))
            self.until_ms = self._services.time.now_ms() + RESUME_MS
            if table.delayed is not None:
                table.delayed.hold(RESTART, None)
            if len(table.topic):
                table.topic.send(Message(hold_body(table.id, RESTART)))
            if table.replica_nodes is not None:
                table.replica_nodes.hold(RESTART, None)
            self._services.on_change(table, status_changed=False, events=())

    def hold_for_player(self, since_ms: int) -> None:
        """Hold the clock of the player to move, who is unreachable since ``since_ms``, from then on for at most
        ``RESUME_MS``. Does nothing while a command is under way."""
        table = self._table
        if table.epoch is not None and not table.is_busy:
            self._begin_for_player(since_ms)
            self._services.timers.arm(table)

    def miss(self, colors: Collection[Color], since_ms: int) -> None:
        """Mark the players of ``colors`` as missing since ``since_ms``: their node was lost. The clock of a missing
        player is held on their turn until they return, at most ``RESUME_MS`` at a time, and not again after a hold that
        ran out."""
        if not colors:
            return
        self._miss({*self.missing, *colors})
        if self._table.game.turn in colors:
            self._is_owed = self._table.is_busy
            self.hold_for_player(since_ms)

    def look(self) -> None:
        """Note that a player has joined: they are no longer missing, even if they leave again at once."""
        if self.missing:
            self.missing = tuple(color for color in self.missing if not self._table.seats[color].is_here)

    def found(self, color: Color) -> None:
        """Note a request of the player of ``color``: they are no longer missing, even if they are not subscribed."""
        if color in self.missing:
            self.missing = tuple(other for other in self.missing if other != color)

    def _miss(self, colors: Collection[Color]) -> None:
        self.missing = tuple(color for color in COLORS if color in colors)
        self._missed_ms = self._services.time.now_ms()

    def _begin_for_player(self, since_ms: int) -> None:
        table = self._table
        clock = table.game.clock
        if table.game.status == "created" and table.game.laws is None:
            # No clock runs yet, but the time for the first move does. It starts again.
            now_ms = self._services.time.now_ms()
            table.adjust(turn_since_ms=now_ms)
            self._services.timers.arm(table)
            body = first_move_body(table.game, now_ms, self._services.time.wall_ms(now_ms))
            if body is not None:
                table.topic.tick(Message(body))
            return
        if table.game.status == "over" or clock is None or not _waits(clock) or clock.held is not None:
            return
        since_ms = max(since_ms, clock.since_ms)
        table.adjust(clock=clock.hold(RESTART, since_ms))
        self.until_ms = self._services.time.now_ms() + RESUME_MS
        self._services.on_hold(table, since_ms)
        self._publish(RESTART, since_ms)

    def published(self, *, is_moved: bool) -> None:
        """Handle published events. They may end a hold. After a move or takeback it may also be the turn of a missing
        player, or the player to move was lost meanwhile; then their clock is held until they return, at most
        ``RESUME_MS``."""
        if not self.is_on:
            self.until_ms = None
        is_owed, self._is_owed = self._is_owed, False
        if not self.missing:
            return
        table, now_ms = self._table, self._services.time.now_ms()
        is_expired = now_ms - self._missed_ms > MISSING_MS
        self.missing = tuple(color for color in self.missing if not is_expired and not table.seats[color].is_here)
        if (is_moved or is_owed) and table.game.turn in self.missing:
            self._begin_for_player(now_ms)

    def begin_for_storage(self, since_ms: int) -> None:
        """Hold the clocks from ``since_ms``, when the database stopped answering, and tell all subscribers."""
        table = self._table
        if self.is_for_storage or table.game.status == "over":
            return
        self.is_for_storage = True
        clock = table.game.clock
        if clock is not None and clock.is_running:
            table.adjust(clock=clock.hold(STORAGE, since_ms))
            self._publish(STORAGE, since_ms)
        elif clock is not None:
            table.topic.send(Message(hold_body(table.id, STORAGE)))

    def _publish(self, why: str, since_ms: int) -> None:
        """Tell all subscribers that the clocks are held."""
        table = self._table
        if table.delayed is not None:
            table.delayed.hold(why, since_ms)
        table.topic.send(Message(hold_body(table.id, why)))
        if table.replica_nodes is not None:
            table.replica_nodes.hold(why, self._services.time.now_ms() - since_ms)
        self._services.on_change(table, status_changed=False, events=())

    def go_on_for_storage(self) -> None:
        """Note that an append was answered while the hold continues: its event has set the clocks running."""
        self.is_for_storage = False
        self.begin_for_storage(self._services.time.now_ms())

    def end(self) -> PendingCommand:
        """Return the command that ends the hold."""
        table = self._table
        now_ms = self._services.time.now_ms()
        laws = table.game.laws
        if laws is not None and not all(laws.seated):
            # They could not come to the board either: the default time begins again.
            table.adjust(laws=msgspec.structs.replace(laws, since_ms=now_ms))
        if self.is_for_storage:
            if table.game.status == "created":
                # No clock runs yet, but the time for the first move does. It starts again.
                table.adjust(turn_since_ms=now_ms)
            # Nobody could log in while the database was away: missing players get their time from now on.
            self._is_owed, self._missed_ms = True, now_ms
        elif self.until_ms is not None and self.until_ms <= now_ms:
            self.missing = tuple(color for color in self.missing if color != table.game.turn)
        self.until_ms = None
        self.is_for_storage = False
        return PendingCommand(command=c.Resume(), received_ms=now_ms)

    def end_later(self) -> None:
        """Retry soon, in case the end of a hold was what failed."""
        if self.is_on and self.until_ms is None:
            self.until_ms = self._services.time.now_ms() + RETRY_MS
            self._services.timers.arm(self._table)


def _waits(clock: Clock) -> bool:
    """Return whether a clock runs for which half a minute matters."""
    return clock.run is not None and not clock.is_correspondence
