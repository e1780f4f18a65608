"""Storage of the tables' events: the journal, and ``RatedEnds`` for the ends of rated games."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.journal.appends import Append
    from realtime.journal.journal import Journal
    from realtime.journal.rated_ends import RatedEnds


class Storage:
    """The appender for rated games, and the common depth, stall time and flush of both.

    Tables of casual games append to the journal directly.
    """

    def __init__(self, journal: Journal, rated_ends: RatedEnds) -> None:
        self.journal = journal
        self.rated_ends = rated_ends

    def append(self, append: Append) -> None:
        """Queue events of a rated game; raises ``Overloaded``. The end of an aborted game is an event like others,
        because it does not count."""
        summary = append.summary
        if summary is None or summary.status != "over" or summary.result == "*":
            self.journal.append(append)
        else:
            self.rated_ends.append(append)

    @property
    def depth(self) -> int:
        """Number of appends without an answer."""
        return self.journal.depth + self.rated_ends.depth

    def oldest_wait_ms(self) -> int:
        """Return roughly how long the oldest append has been without an answer; 0 without any."""
        return max(self.journal.oldest_wait_ms(), self.rated_ends.oldest_wait_ms())

    def stuck_ms(self) -> int:
        """Return how long the database has kept us waiting for one answer."""
        return max(self.journal.stuck_ms(), self.rated_ends.stuck_ms())

    async def flush(self) -> None:
        """Wait until every append has its answer."""
        await asyncio.gather(self.journal.flush(), self.rated_ends.flush())
