"""A table whose game is rated: its end comes back from the database with the new ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.games.table import Table
from realtime.journal.rated_transaction import Rated

if TYPE_CHECKING:
    from realtime.journal.appends import Outcome


class RatedTable(Table):
    """As any table, but what it publishes of its end is what was stored of it.

    The ratings follow from those that the players have when the end is written, which nobody knows before.
    """

    __slots__ = ()

    def _done(self, outcome: Outcome) -> None:
        if isinstance(outcome, Rated):
            self._in_flight_events = outcome.events
        super()._done(outcome)
