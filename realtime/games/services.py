"""What every table needs of the server around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from realtime.fanout.spectator_queue import FanOut

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.clock.loop_time import ServerTime
    from realtime.clock.timers import Timers
    from realtime.games.chances.solver_pool import Answer, Key, Urgency
    from realtime.games.ports import LiveTable
    from realtime.journal.appends import Append
    from realtime.ops.metrics import Metrics


class Appender(Protocol):
    """Stores events."""

    def append(self, append: Append) -> None:
        """Queue events; ``append.done`` is called with the outcome. Never blocks; raises ``Overloaded``."""


class Knower(Protocol):
    """Finds out who can still win."""

    def known(self, key: Key) -> Answer | None:
        """What was found out before; None if nothing was."""

    def get_ready(self) -> None:
        """Games are being played: there will be questions."""

    def ask(self, key: Key, done: Callable[[Answer], None], urgency: Urgency, *, modest: bool = False) -> None:
        """Find out; ``done`` is called once with the answer, later. With ``modest`` only if nobody else asks."""

    def forget(self, key: Key, done: Callable[[Answer], None]) -> None:
        """``done`` need not be called any more, and the question not be asked for it."""


@dataclass(frozen=True, slots=True)
class Services:
    """What every table needs of the server."""

    journal: Appender
    """The journal, or what takes its place for rated games."""
    time: ServerTime
    timers: Timers
    metrics: Metrics
    verdicts: Knower
    """Who can still win."""
    may_decide: Callable[[], bool]
    """Whether this node's lease is good: without it nothing is decided (design: "Many nodes")."""
    on_change: Any
    """``on_change(table, status_changed, events)``: after these were published; without any: the clocks stand."""
    on_lost: Any
    """``on_lost(table)``: another node owns the game; the table is dead."""
    on_hold: Callable[[LiveTable, int], None] = lambda table, since_ms: None
    """The clocks of a table stand since that instant for a player who is not here: a crash must not charge that."""
    fan_out: FanOut = field(default_factory=FanOut)
    """Tells those who watch, of all games together."""
