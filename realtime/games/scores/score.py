"""Score sheet of a game, made from its events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import of, other
from game_core.events import ClockSet, Ended, Moved, Offered, Ruled, TakenBack
from game_core.scores.lines import Ply

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from game_core.color import Color
    from game_core.events import AnyEvent


class Sheet(msgspec.Struct):
    """A score sheet: the moves of a game with times, draw offers and the end."""

    plies: list[Ply] = msgspec.field(default_factory=list)
    result: str = "*"
    reason: str | None = None
    """Why it ended; None while it goes on."""
    irregular: int | None = None
    """Number of the first half-move that is illegal and was let stand, in a game by the Laws; None: all are legal."""


def sheet_of(events: Iterable[AnyEvent], *, timed: Collection[Color]) -> Sheet:
    """Return the score sheet of a game's ``events``.

    The events contain everything that is written, so no move is replayed: this takes a tenth of the time of rebuilding
    the game. The time of a move is written only if it is known to the millisecond. It is not if the clock was held, set
    or given time since the move before. The first move is charged to no side.

    Args:
        timed: the sides that have a clock.
    """
    sheet, writer = Sheet(), _Writer(timed=timed)
    for event in events:
        if isinstance(event, Moved):
            writer.move(event)
        elif isinstance(event, Offered):
            if event.what == "draw" and event.do == "offer":
                writer.offer(event.by)
        elif isinstance(event, TakenBack):
            writer.take_back(event.plies)
        elif isinstance(event, ClockSet | Ruled):
            writer.running = None
        elif isinstance(event, Ended):
            sheet.result, sheet.reason = event.result, event.reason
    sheet.plies, sheet.irregular = writer.plies, writer.irregular
    if sheet.reason is None and sheet.irregular == len(sheet.plies) - 1:
        sheet.irregular = None  # the opponent may still claim it, and has to see it themselves
    return sheet


class _Writer:
    """Writer of a score sheet.

    Attributes:
        running: the side whose clock has run since the last move without any change to the clocks.
        irregular: as in the sheet.
    """

    def __init__(self, *, timed: Collection[Color]) -> None:
        self.plies: list[Ply] = []
        self.running: Color | None = None
        self.irregular: int | None = None
        self._timed = timed
        self._last: Color | None = None
        self._offered: Color | None = None  # a draw, on their own turn

    def move(self, event: Moved) -> None:
        by = event.by
        clock = event.clock if by in self._timed else None
        ply = Ply(
            event.move,
            event.san,
            clock_ms=None if clock is None else of((clock.w, clock.b), by),
            spent_ms=event.spent_ms if clock is not None and self.running == by else None,
            draw=event.draw or self._offered == by,
        )
        if event.irregular and self.irregular is None:
            self.irregular = len(self.plies)
        self.plies.append(ply)
        self.running = None if event.clock is None or event.clock.held is not None else event.clock.run
        self._last, self._offered = by, None

    def offer(self, by: Color) -> None:
        """Write a draw offer with its move: the one before the offer, or the next one."""
        if self._last == by:
            self.plies[-1] = msgspec.structs.replace(self.plies[-1], draw=True)
        else:
            self._offered = by

    def take_back(self, plies: int) -> None:
        del self.plies[len(self.plies) - plies :]
        if self.irregular is not None and self.irregular >= len(self.plies):
            self.irregular = None
        self.running = self._offered = None
        if self._last is not None and plies % 2:
            self._last = other(self._last)
        if not self.plies:
            self._last = None
