"""What every table needs of the server around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.journal import Journal
    from realtime.loop_time import ServerTime
    from realtime.metrics import Metrics
    from realtime.timers import Timers


@dataclass(frozen=True, slots=True)
class Services:
    """What every table needs of the server."""

    journal: Journal
    time: ServerTime
    timers: Timers
    metrics: Metrics
    may_decide: Callable[[], bool]
    """Whether this node's lease is good: without it nothing is decided (design: "Many nodes")."""
    on_change: Any
    """``on_change(table, status_changed)``: after events were published."""
    on_lost: Any
    """``on_lost(table)``: another node owns the game; the table is dead."""
