"""How much later than its players the public sees a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.events import Moved, TakenBack

if TYPE_CHECKING:
    from collections.abc import Iterable

    from game_core.events import AnyEvent

MAX_DELAY_S = 900
"""A quarter of an hour: whoever helps with a position that is so old helps with another one."""

MAX_DELAY_MOVES = 30
"""Of both sides: half a game."""


class PublicDelay(msgspec.Struct, frozen=True):
    """Either so many seconds or so many moves of both sides; neither: everybody sees everything at once.

    By moves, an event is shown once so many more have been made on the board than there were then (``reach``), or the
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
    """How many half-moves more there are on the board after ``event``; fewer after a takeback."""
    if isinstance(event, Moved):
        return 1
    return -event.plies if isinstance(event, TakenBack) else 0


def shown_by_moves(steps: Iterable[int], delay_plies: int) -> int:
    """Of a game that goes on, with events of these steps (``step_of``): how many of the first of them all may see.

    They are shown in order, and none before ``delay_plies`` half-moves more have been on the board than there were
    after it. So moves that are made, taken back and made again bring nothing nearer.
    """
    reach: list[int] = []
    ply = shown = 0
    for step in steps:
        ply += step
        reach.append(ply + delay_plies)
        while shown < len(reach) and reach[shown] <= ply:
            shown += 1
    return shown
