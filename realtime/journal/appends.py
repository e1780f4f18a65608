"""Appends of events to the journal, and their outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import msgspec

from game_core.events import AnyEvent, ClockReading, Ended, Moved, Result
from game_core.public_delay import step_of

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.game import Game


class Cause(msgspec.Struct, frozen=True, omit_defaults=True):
    """The request that caused an event. A repeated request is answered from it, on any node and after any crash."""

    user: str
    key: str | None
    """The client's key, if the request had one."""
    request: str
    """The request's type on the wire."""


class GameSummary(msgspec.Struct, frozen=True):
    """The state of the game after an append: columns of its row. ``ended_at`` is set when it is over."""

    status: Literal["created", "live", "over"]
    plies: int
    result: Result = "*"
    reason: str | None = None


class Committed(msgspec.Struct, frozen=True):
    """The events are stored. Publish them."""


class Fenced(msgspec.Struct, frozen=True):
    """Another node owns the game, or its log has later events: nothing was written. Drop the table and reload."""


class Failed(msgspec.Struct, frozen=True):
    """The events were refused, or the server stops before their fate is known. The state stays as it was."""

    reason: str


Outcome = Committed | Fenced | Failed


class Append(msgspec.Struct, frozen=True):
    """Consecutive events of one game, stored all or none, if the game is ours and its log ends just before
    ``first_seq``."""

    game: str
    epoch: int
    """The fencing token under which the table decided."""
    first_seq: int
    events: tuple[AnyEvent, ...]
    """At least one."""
    cause: Cause | None
    """Stored with the first of them; None if the server itself caused it."""
    done: Callable[[Outcome], None]
    """Called exactly once, from the journal's task."""
    summary: GameSummary | None = None
    """None leaves the game's row as it is except for ``last_seq``."""
    left_ms: int | None = None
    """Correspondence: time left of the side to move when the events are visible; None if that is not an instant."""

    @property
    def reading(self) -> ClockReading | None:
        """The clocks after the last of the events that has them."""
        return reading_of(self.events)


def reading_of(events: tuple[AnyEvent, ...]) -> ClockReading | None:
    """Return the clocks after the last of ``events`` that has them; None if none has."""
    for event in reversed(events):
        clock: ClockReading | None = getattr(event, "clock", None)
        if clock is not None:
            return clock
    return None


def row_after(game: Game, events: tuple[AnyEvent, ...]) -> tuple[GameSummary | None, int | None]:
    """Return ``summary`` and ``left_ms`` for an append of ``events`` to ``game``."""
    return summary_of(game, events), _days_left_ms(game.clock, events)


def _days_left_ms(clock: Clock | None, events: tuple[AnyEvent, ...]) -> int | None:
    """Return the time left of the side to move once ``events`` are visible; None if its time does not run, or is not
    correspondence time. ``clock`` is the game's before them."""
    if clock is None or (clock.control.days is None and clock.black is None):
        return None
    reading = reading_of(events)
    if reading is None or reading.run is None or reading.held is not None:
        return None
    return (reading.w if reading.run == "w" else reading.b) if clock.control_of(reading.run).days is not None else None


def summary_of(game: Game, events: tuple[AnyEvent, ...]) -> GameSummary | None:
    """Return what changes in the game's row by ``events``: that it is live, or over and how.

    A move alone changes only ``last_seq``; ``plies`` is written when the game ends.
    """
    last = events[-1]
    if isinstance(last, Ended):
        plies = game.ply + sum(step_of(event) or 0 for event in events)
        return GameSummary(status="over", plies=plies, result=last.result, reason=last.reason)
    if game.status == "created" and isinstance(last, Moved) and game.ply == 1:
        return GameSummary(status="live", plies=2)
    return None
