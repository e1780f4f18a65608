"""Which process plays for the robots, and what it plays, by its own reports.

A process ``zeitnot robots`` reports once a second. The first one holds the lease; others wait until it leaves, or is
silent for ``LEASE_MS``. The lease only saves work: two processes that play at once cannot harm a game, since each move
names its ply and the server accepts one.

It is kept in memory by the lobby's leader. After a change of leader the process that played reports that it did, and
others have to wait for ``GRACE_MS``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lobby.errors import Unavailable
from lobby.robots.robot_accounts import robot_id, robot_ids

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.proposals import Terms
    from lobby.wire.lobby import RobotsWire

LEASE_MS = 4000
"""Silence after which a process is replaced: four reports."""

GRACE_MS = 2500
"""Time for the process that played under another leader to report first."""

GONE = "to: no robot is playing at the moment; try again later"
BUSY = "to: the robots are busy; try again later, or with more time"


class RobotsReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a process says of itself."""

    holder: str
    """Random name that the process gives itself when it starts."""
    active: bool = False
    """It was told that it holds the lease."""
    leaving: bool = False
    """It is about to stop."""
    games: dict[str, list[str]] = {}
    """The variants it plays, by game."""
    free: int = 0
    """New games it accepts until its next report."""
    least_s: int = 0
    """The shortest estimated time of a side that it accepts in a new game, in seconds."""
    laws: bool = False
    """It plays games by the Laws as played over a board."""


class RobotLease:
    """The process that plays for the robots.

    Args:
        is_here: whether a user is connected to any node.
        now_ms: monotonic, ms.
    """

    def __init__(self, is_here: Callable[[str], bool], now_ms: Callable[[], int]) -> None:
        self._is_here = is_here
        self._now_ms = now_ms
        self._since_ms = now_ms()
        self._report: RobotsReport | None = None
        self._until_ms = 0
        self._free = 0

    def report(self, report: RobotsReport) -> bool:
        """Take the report of a process. Returns whether it holds the lease now."""
        now_ms, holder = self._now_ms(), self._holder()
        if holder is None and not report.active and now_ms - self._since_ms < GRACE_MS:
            return False  # the holder of the previous leader may report
        if holder is not None and holder.holder != report.holder:
            return False
        self._report = None if report.leaving else report
        self._until_ms, self._free = now_ms + LEASE_MS, report.free
        if report.leaving:
            self._since_ms = now_ms - GRACE_MS  # the next one need not wait
        return not report.leaving

    def wire(self) -> RobotsWire | None:
        """Return what the lobby shows; None if no process plays."""
        report = self._holder()
        if report is None or not any(map(self._is_here, robot_ids())):
            return None
        return {"busy": report.free == 0, "games": report.games}

    def admit(self, level: int, terms: Terms) -> None:
        """Take one of the free places for a game of ``terms``. Raises ``Unavailable``: there is none."""
        report = self._holder()
        if report is None or not self._is_here(robot_id(level)):
            raise Unavailable(GONE)
        if terms.variant not in report.games.get(terms.game, ()):
            raise Unavailable(f"variant: no robot plays {terms.variant} at the moment")
        if terms.laws is not None and not report.laws:
            raise Unavailable("rules: no robot plays by the Laws over a board at the moment")
        clocks_s = [tc.estimated_s for tc in (terms.tc, terms.opponent_tc) if tc is not None]
        if self._free <= 0 or min(clocks_s, default=report.least_s) < report.least_s:
            raise Unavailable(BUSY)
        self._free -= 1

    def _holder(self) -> RobotsReport | None:
        """Return the last report of the process that holds the lease."""
        return self._report if self._now_ms() < self._until_ms else None
