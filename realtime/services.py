"""What every table needs of the server around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.appends import Append
    from realtime.loop_time import ServerTime
    from realtime.metrics import Metrics
    from realtime.timers import Timers


class Appender(Protocol):
    """Stores events."""

    def append(self, append: Append) -> None:
        """Queue events; ``append.done`` is called with the outcome. Never blocks; raises ``Overloaded``."""


@dataclass(frozen=True, slots=True)
class Services:
    """What every table needs of the server."""

    journal: Appender
    """The journal, or what takes its place for rated games."""
    time: ServerTime
    timers: Timers
    metrics: Metrics
    may_decide: Callable[[], bool]
    """Whether this node's lease is good: without it nothing is decided (design: "Many nodes")."""
    on_change: Any
    """``on_change(table, status_changed)``: after events were published."""
    on_lost: Any
    """``on_lost(table)``: another node owns the game; the table is dead."""
