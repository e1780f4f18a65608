"""A game whose clocks the server holds: after a restart, or while the database does not answer.

No event says that they stand, one says that they go on: ``Resume``, which the table asks itself.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from game_core import commands as c
from game_core.color import COLORS
from game_core.holds import LASTING
from realtime.fanout.message import Message
from realtime.games.pending_command import PendingCommand
from realtime.games.table_view import RESTART, SERVER_HOLDS, STORAGE, hold_body

if TYPE_CHECKING:
    from collections.abc import Collection

    from game_core.clock import Clock
    from game_core.color import Color
    from realtime.games.ports import LiveTable
    from realtime.games.services import Services

RESUME_MS = 30_000
"""How long the clocks stand for a player who is not back after a restart (design: "Journal")."""

MISSING_MS = 2 * RESUME_MS
"""How long a player who is not back is still waited for when it is his turn."""

RETRY_MS = 1000
"""After this the end of a hold that could not be stored is tried again."""


class ClockHold:
    """Of one table.

    Attributes:
        until_ms: when the hold is to end, whoever is here then; None: it ends otherwise, or there is none.
        is_for_storage: everybody was told that the database does not answer.
        missing: sides whose players have not been seen since the game was taken from another node, or they were lost
            with theirs.
    """

    __slots__ = ("_at", "_is_owed", "_missed_ms", "_services", "is_for_storage", "missing", "until_ms")

    def __init__(self, table: LiveTable, services: Services) -> None:
        self.until_ms: int | None = None
        self.is_for_storage = False
        self.missing: tuple[Color, ...] = ()
        self._missed_ms = 0
        """Since when the last of them is missing."""
        self._is_owed = False
        """The player to move is missing, and his clock could not be held: something was under way."""
        self._at = weakref.ref(table)
        self._services = services

    @property
    def _table(self) -> LiveTable:
        """Whose this is. The table refers to this object, which must not keep it when it leaves memory."""
        table = self._at()
        assert table is not None, "only the table asks, and whoever has it"
        return table

    @property
    def is_on(self) -> bool:
        """Whether the server holds the clocks; a player's own pause is none of it."""
        clock = self._table.game.clock
        return clock is not None and clock.held in SERVER_HOLDS

    def begin_for_restart(self, *, is_moved: bool) -> None:
        """The game was taken over: its clock stands until the player to move is here, at most ``RESUME_MS``.

        ``is_moved``: from another node. The other player is perhaps at that one still, and does not know.
        """
        table = self._table
        if is_moved:
            self._miss({color for color in COLORS if not table.seats[color].is_here})
        clock = table.game.clock
        if table.game.status != "over" and clock is not None and _waits(clock) and clock.held not in LASTING:
            # From when it was rebuilt: what the rebuilding took since is nobody's time.
            table.adjust(clock=clock.hold(RESTART, clock.since_ms))
            self.until_ms = self._services.time.now_ms() + RESUME_MS
            if table.late is not None:
                table.late.hold(RESTART, None)
            if len(table.topic):
                table.topic.send(Message(hold_body(table.id, RESTART)))
            if table.followers is not None:
                table.followers.hold(RESTART, None)
            self._services.on_change(table, status_changed=False, events=())

    def hold_for_player(self, since_ms: int) -> None:
        """The player to move has not been reached since ``since_ms``: his clock stands from then, at most
        ``RESUME_MS``, if nothing that was asked of the table is under way.
        """
        table = self._table
        if table.epoch is not None and not table.is_busy:
            self._begin_for_player(since_ms)
            self._services.timers.arm(table)

    def miss(self, colors: Collection[Color], since_ms: int) -> None:
        """The players of ``colors`` were lost with the node they were at: each one's clock stands while he is to move,
        from ``since_ms`` until he is here, at most ``RESUME_MS`` at a time and no more once that was in vain.
        """
        if not colors:
            return
        self._miss({*self.missing, *colors})
        if self._table.game.turn in colors:
            self._is_owed = self._table.is_busy
            self.hold_for_player(since_ms)

    def look(self) -> None:
        """Somebody has come: he is not missing any more, even if he leaves again at once."""
        if self.missing:
            self.missing = tuple(color for color in self.missing if not self._table.seats[color].is_here)

    def found(self, color: Color) -> None:
        """The player of ``color`` has asked for something: he is not missing any more, even if he does not listen."""
        if color in self.missing:
            self.missing = tuple(other for other in self.missing if other != color)

    def _miss(self, colors: Collection[Color]) -> None:
        self.missing = tuple(color for color in COLORS if color in colors)
        self._missed_ms = self._services.time.now_ms()

    def _begin_for_player(self, since_ms: int) -> None:
        table = self._table
        clock = table.game.clock
        if table.game.status == "created":
            # No clock runs yet, but the time for a first move does: it begins anew.
            table.adjust(turn_since_ms=self._services.time.now_ms())
            self._services.timers.arm(table)
            return
        if table.game.status == "over" or clock is None or not _waits(clock) or clock.held is not None:
            return
        since_ms = max(since_ms, clock.since_ms)
        table.adjust(clock=clock.hold(RESTART, since_ms))
        self.until_ms = self._services.time.now_ms() + RESUME_MS
        self._services.on_hold(table, since_ms)
        self._tell(RESTART, since_ms)

    def told(self, *, is_moved: bool) -> None:
        """Events were published: a hold may be over, and, after a move or one taken back, the turn that of a player who
        is ``missing``, or he was lost while they were on their way. Then his clock stands until he is here, and at most
        ``RESUME_MS``.
        """
        if not self.is_on:
            self.until_ms = None
        is_owed, self._is_owed = self._is_owed, False
        if not self.missing:
            return
        table, now_ms = self._table, self._services.time.now_ms()
        late = now_ms - self._missed_ms > MISSING_MS
        self.missing = tuple(color for color in self.missing if not late and not table.seats[color].is_here)
        if (is_moved or is_owed) and table.game.turn in self.missing:
            self._begin_for_player(now_ms)

    def begin_for_storage(self, since_ms: int) -> None:
        """The database has been away since ``since_ms``: the clocks stand from then, and everybody is told."""
        table = self._table
        if self.is_for_storage or table.game.status == "over":
            return
        self.is_for_storage = True
        clock = table.game.clock
        if clock is not None and clock.run is not None and clock.held is None:
            table.adjust(clock=clock.hold(STORAGE, since_ms))
            self._tell(STORAGE, since_ms)
        elif clock is not None:
            table.topic.send(Message(hold_body(table.id, STORAGE)))

    def _tell(self, why: str, since_ms: int) -> None:
        """Tell all who listen that the clocks stand."""
        table = self._table
        if table.late is not None:
            table.late.hold(why, since_ms)
        table.topic.send(Message(hold_body(table.id, why)))
        if table.followers is not None:
            table.followers.hold(why, self._services.time.now_ms() - since_ms)
        self._services.on_change(table, status_changed=False, events=())

    def go_on_for_storage(self) -> None:
        """An append was answered, but the hold is not over: its event has let the clocks go on."""
        self.is_for_storage = False
        self.begin_for_storage(self._services.time.now_ms())

    def end(self) -> PendingCommand:
        """What the table is to do for the clocks to go on."""
        table = self._table
        now_ms = self._services.time.now_ms()
        if self.is_for_storage:
            if table.game.status == "created":
                # No clock runs yet, but the time for a first move does: it begins anew.
                table.adjust(turn_since_ms=now_ms)
            # Nobody could come back, for who he is nobody could tell: who is missing is waited for from now on.
            self._is_owed, self._missed_ms = True, now_ms
        elif self.until_ms is not None and self.until_ms <= now_ms:
            self.missing = tuple(color for color in self.missing if color != table.game.turn)
        self.until_ms = None
        self.is_for_storage = False
        return PendingCommand(command=c.Resume(), received_ms=now_ms)

    def end_later(self) -> None:
        """Should it have been the end of a hold that failed, try that again soon."""
        if self.is_on and self.until_ms is None:
            self.until_ms = self._services.time.now_ms() + RETRY_MS
            self._services.timers.arm(self._table)


def _waits(clock: Clock) -> bool:
    """Whether somebody's time runs who would miss half a minute of it."""
    return clock.run is not None and not clock.is_correspondence
