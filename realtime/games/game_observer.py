"""Observer of the games that are played here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from realtime.games.table import Table


class GameObserver(Protocol):
    """Told by ``Tables`` of every table."""

    def note(self, table: Table) -> None:
        """``table`` has entered memory, or its status has changed."""

    def crowd(self, table: Table) -> None:
        """More watch ``table``, or fewer; told once a second."""

    def forget(self, table: Table) -> None:
        """``table`` leaves memory."""
