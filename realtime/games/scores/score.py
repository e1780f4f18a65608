"""A game as its players would have written it down, from its events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import of, other
from game_core.events import ClockSet, Moved, Offered, TakenBack
from game_core.scores.lines import Ply

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from game_core.color import Color
    from game_core.events import AnyEvent


class Sheet(msgspec.Struct):
    """A game as its players would have written it down."""

    plies: list[Ply] = msgspec.field(default_factory=list)
    result: str = "*"
    reason: str | None = None
    """How it ended; None while it goes on."""


def sheet_of(events: Iterable[AnyEvent], *, timed: Collection[Color]) -> Sheet:
    """The sheet of a game's ``events``; ``timed``: who had a clock. The events carry what there is to write, so no move
    is played: a tenth of the time that it takes to bring the game back.

    What a move took is written where it is known to the millisecond: a clock that was held, or set, or got time since
    the move before tells but a part of it. A first move is charged to nobody.
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
        elif isinstance(event, ClockSet):
            writer.running = None
        else:
            sheet.result, sheet.reason = event.result, event.reason
    sheet.plies = writer.plies
    return sheet


class _Writer:
    """A score that is being written.

    Attributes:
        running: whose time has run since the last move, with nothing that happened to the clocks.
    """

    def __init__(self, *, timed: Collection[Color]) -> None:
        self.plies: list[Ply] = []
        self.running: Color | None = None
        self._timed = timed
        self._last: Color | None = None
        self._offered: Color | None = None  # a draw, on his own turn

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
        self.plies.append(ply)
        self.running = None if event.clock is None or event.clock.held is not None else event.clock.run
        self._last, self._offered = by, None

    def offer(self, by: Color) -> None:
        """A draw is written with the move that it was offered with: the one before, or the one to come."""
        if self._last == by:
            self.plies[-1] = msgspec.structs.replace(self.plies[-1], draw=True)
        else:
            self._offered = by

    def take_back(self, plies: int) -> None:
        del self.plies[len(self.plies) - plies :]
        self.running = self._offered = None
        if self._last is not None and plies % 2:
            self._last = other(self._last)
        if not self.plies:
            self._last = None
