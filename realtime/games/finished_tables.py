"""Tables of games that are over, in the order in which they were last wanted, and how many of them stay in memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realtime.games.table import Table

FINISHED_TABLES = 1000
"""At 40 KB each they take 40 MB. A thousand sockets that each listen to a thousand old games could otherwise keep a
million; a table comes back from its events in some milliseconds."""


class FinishedTablesCache:
    """The least recently wanted go first."""

    def __init__(self, most: int = FINISHED_TABLES) -> None:
        self._most = most
        self._tables: OrderedDict[str, Table] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tables)

    def all(self) -> tuple[Table, ...]:
        """Every one of them."""
        return tuple(self._tables.values())

    def want(self, table: Table) -> None:
        """``table``, whose game is over, was entered or asked for."""
        self._tables[table.id] = table
        self._tables.move_to_end(table.id)

    def forget(self, table: Table) -> None:
        """``table`` has left memory."""
        self._tables.pop(table.id, None)

    def surplus(self) -> Iterator[Table]:
        """Those beyond the bound that have nothing under way, oldest first; the caller lets each go. One that is rated
        later stays until its listeners have been told."""
        for table in tuple(self._tables.values())[: max(0, len(self._tables) - self._most)]:
            if table.is_idle and table.game.unrated != "later":
                yield table
