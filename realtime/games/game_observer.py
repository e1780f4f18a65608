"""Observer of the games of this node."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game_core.events import AnyEvent
    from realtime.games.table import Table


class GameObserver:
    """Base of observers, which ``Tables`` calls for every table. A method that is not overridden does nothing."""

    def note(self, table: Table) -> None:
        """Handle a table that has entered memory or changed its status."""

    def published(self, table: Table, events: tuple[AnyEvent, ...]) -> None:
        """Handle events that were sent to all subscribers; without events: a clock hold."""

    def over(self) -> None:
        """Handle the end of a game of this node, after all subscribers were sent it."""

    def crowd(self, table: Table) -> None:
        """Handle a changed number of spectators. Called at most once a second a table."""

    def forget(self, table: Table) -> None:
        """Handle a table that leaves memory."""
