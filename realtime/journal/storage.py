"""Where the tables' events go: into the journal, and the ends of rated games into ``RatedEnds``."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.journal.appends import Append
    from realtime.journal.journal import Journal
    from realtime.journal.rated_ends import RatedEnds


class Storage:
    """The journal of rated games, and both ways together as one thing that waits, stalls and is flushed.

    Tables of casual games append to the journal itself; they pay nothing for this.
    """

    def __init__(self, journal: Journal, rated_ends: RatedEnds) -> None:
        self.journal = journal
        self.rated_ends = rated_ends

    def append(self, append: Append) -> None:
        """Queue events of a rated game; raises ``Overloaded``. A game that was aborted counts for nobody, so its end
        is an event like others.
        """
        summary = append.summary
        if summary is None or summary.status != "over" or summary.result == "*":
            self.journal.append(append)
        else:
            self.rated_ends.append(append)

    @property
    def depth(self) -> int:
        """Appends without an answer."""
        return self.journal.depth + self.rated_ends.depth

    def oldest_wait_ms(self) -> int:
        """How long the oldest append has been without an answer, roughly; 0 when none is."""
        return max(self.journal.oldest_wait_ms(), self.rated_ends.oldest_wait_ms())

    def stuck_ms(self) -> int:
        """How long the database has kept us waiting for one answer."""
        return max(self.journal.stuck_ms(), self.rated_ends.stuck_ms())

    async def flush(self) -> None:
        """Wait until every append has its answer."""
        await asyncio.gather(self.journal.flush(), self.rated_ends.flush())
