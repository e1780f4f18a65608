"""Public delay: how much later than its players the public sees a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.events import Moved, TakenBack

if TYPE_CHECKING:
    from collections.abc import Iterable

    from game_core.events import AnyEvent

MAX_DELAY_S = 900
"""A quarter of an hour: help with a position of that age is useless."""

MAX_DELAY_MOVES = 30
"""Moves of both sides: half a game."""


class PublicDelay(msgspec.Struct, frozen=True):
    """A delay by seconds, by moves of both sides, or none.

    By moves, an event is shown once so many more half-moves have been made than at the event (``reach``), or when the
    game is over.
    """

    seconds: int = 0
    moves: int = 0

    @property
    def plies(self) -> int:
        """The moves as half-moves."""
        return 2 * self.moves


NO_DELAY = PublicDelay()


def step_of(event: AnyEvent) -> int:
    """Return the change in the number of half-moves on the board by ``event``; negative for a takeback."""
    if isinstance(event, Moved):
        return 1
    return -event.plies if isinstance(event, TakenBack) else 0


def shown_by_moves(steps: Iterable[int], delay_plies: int) -> int:
    """Return how many events of a running game, given as ``step_of`` values, the public may see.

    They are shown in order, and none before ``delay_plies`` more half-moves have been on the board than after it. So
    moves that are made, taken back and made again reveal nothing earlier.
    """
    reach: list[int] = []
    ply = shown = 0
    for step in steps:
        ply += step
        reach.append(ply + delay_plies)
        while shown < len(reach) and reach[shown] <= ply:
            shown += 1
    return shown
