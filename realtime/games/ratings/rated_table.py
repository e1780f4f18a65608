"""Table of a rated game: its end comes back from the database with the new ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.games.table import Table
from realtime.journal.rated_transaction import Rated

if TYPE_CHECKING:
    from realtime.journal.appends import Outcome


class RatedTable(Table):
    """A table that publishes its end as it was stored.

    The new ratings depend on the ratings at the time of writing, which are known only to the transaction.
    """

    __slots__ = ()

    def _done(self, outcome: Outcome) -> None:
        if isinstance(outcome, Rated):
            self._in_flight_events = outcome.events
        super()._done(outcome)
