"""Public delay: how much later than its players the public sees a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.events import Made, Moved, Ruled, Signalled, TakenBack, Touched

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from game_core.events import AnyEvent

MAX_DELAY_S = 900
"""A quarter of an hour: help with a position of that age is useless."""

MAX_DELAY_MOVES = 30
"""Moves of both sides: half a game."""


class Stamp(msgspec.Struct, frozen=True):
    """A point in the log of a game: when it was visible to the players, with how many half-moves on the board.

    Attributes:
        at_ms: on any axis, the same for all stamps that are compared.
        is_over: the game was over.
        is_ahead: of an event: it is part of the next half-move, which is not completed yet, and no older than that.
    """

    at_ms: int
    ply: int
    is_over: bool = False
    is_ahead: bool = False


class PublicDelay(msgspec.Struct, frozen=True):
    """A delay by seconds, by moves of both sides, or none.

    By moves, an event is shown once so many more have been made on the board than there were then, or the game is over.
    """

    seconds: int = 0
    moves: int = 0

    @property
    def plies(self) -> int:
        """The moves as half-moves."""
        return 2 * self.moves

    def releases(self, event: Stamp, now: Stamp) -> bool:
        """Whether the public may see at ``now`` what the players saw at ``event``: the release predicate.

        Events are released in order: only if all before ``event`` were.
        """
        if self.seconds and now.at_ms - event.at_ms < 1000 * self.seconds:
            return False
        return not self.moves or now.is_over or now.ply - event.ply - event.is_ahead >= self.plies


NO_DELAY = PublicDelay()


def step_of(event: AnyEvent) -> int | None:
    """Return the change in the number of half-moves on the board by ``event``; negative for a takeback. None: it
    has none and is part of the next half-move (``Stamp.is_ahead``)."""
    if isinstance(event, Moved):
        return 1
    if isinstance(event, Touched | Signalled | Made | Ruled):
        return None
    return -event.plies if isinstance(event, TakenBack) else 0


def count_released(delay: PublicDelay, log: Sequence[Stamp], now: Stamp) -> int:
    """How many of the first events of ``log`` are released at ``now``.

    What was released at any time stays so, whatever is taken back afterwards. Moves that are made, taken back and made
    again bring nothing nearer.
    """
    released = 0
    for place, instant in enumerate((*log, now)):
        while released < place and delay.releases(log[released], instant):
            released += 1
    return released


def stamp_log(steps: Iterable[int | None], ages_ms: Sequence[int], now_ms: int) -> list[Stamp]:
    """The log of a game whose events have these steps (``step_of``) and ages at ``now_ms``; what has no age is new.

    The stamps are in order: no event is older than the one before it.
    """
    log: list[Stamp] = []
    at_ms = ply = 0
    for place, step in enumerate(steps):
        shown_ms = now_ms - (ages_ms[place] if place < len(ages_ms) else 0)
        at_ms = max(at_ms, shown_ms) if log else shown_ms
        ply += step or 0
        log.append(Stamp(at_ms, ply, is_ahead=step is None))
    return log
