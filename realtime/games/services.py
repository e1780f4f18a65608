"""Services of the server that every table needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from realtime.fanout.spectator_queue import FanOut

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.clock.loop_time import ServerTime
    from realtime.clock.timers import Timers
    from realtime.games.chances.solver_lane import Answer, Key
    from realtime.games.chances.solver_pool import Urgency
    from realtime.games.ports import LiveTable
    from realtime.journal.appends import Append
    from realtime.ops.metrics import Metrics


class Appender(Protocol):
    """Stores events."""

    def append(self, append: Append) -> None:
        """Queue events; ``append.done`` is called with the outcome. Never blocks; raises ``Overloaded``."""


class ChancesSource(Protocol):
    """Finds out who can still win."""

    def known(self, key: Key) -> Answer | None:
        """Return the known answer; None if there is none."""

    def get_ready(self) -> None:
        """Prepare for questions: games are being played."""

    def query(self, key: Key, done: Callable[[Answer], None], urgency: Urgency, *, modest: bool = False) -> None:
        """Ask a question; ``done`` is called once with the answer, later. If ``modest``, other questions go first."""

    def forget(self, key: Key, done: Callable[[Answer], None]) -> None:
        """Withdraw a question: ``done`` need not be called any more."""


@dataclass(frozen=True, slots=True)
class Services:
    """Services of the server for a table."""

    journal: Appender
    """The journal, or its replacement for rated games."""
    time: ServerTime
    timers: Timers
    metrics: Metrics
    solver: ChancesSource
    """Mating chances."""
    may_decide: Callable[[], bool]
    """Whether this node has a valid lease; without one nothing is decided."""
    on_change: Any
    """``on_change(table, status_changed, events)``: called after the events were published; without events: a clock
    hold."""
    on_lost: Any
    """``on_lost(table)``: another node owns the game; the table is dead."""
    on_hold: Callable[[LiveTable, int], None] = lambda table, since_ms: None
    """Called when a clock is held since an instant for an absent player: after a crash that time must not be
    charged."""
    fan_out: FanOut = field(default_factory=FanOut)
    """Delivers messages to the spectators of all games."""
