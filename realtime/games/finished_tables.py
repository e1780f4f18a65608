"""Cache of tables whose games are over, least recently used first."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realtime.games.table import Table

FINISHED_TABLES = 1000
"""Size of the cache: 40 MB at 40 KB a table. Without a bound, a thousand sockets that each subscribe to a thousand old
games would keep a million tables. A table is rebuilt from its events in some milliseconds."""


class FinishedTablesCache:
    """Finished tables in memory. The least recently used are dropped first."""

    def __init__(self, most: int = FINISHED_TABLES) -> None:
        self._most = most
        self._tables: OrderedDict[str, Table] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tables)

    def all(self) -> tuple[Table, ...]:
        """Return every table."""
        return tuple(self._tables.values())

    def want(self, table: Table) -> None:
        """Mark ``table`` as used: its game is over, and it was entered or requested."""
        self._tables[table.id] = table
        self._tables.move_to_end(table.id)

    def forget(self, table: Table) -> None:
        """Remove ``table``, which has left memory."""
        self._tables.pop(table.id, None)

    def surplus(self) -> Iterator[Table]:
        """Yield the tables beyond the bound that are idle, oldest first. The caller evicts each. A game with
        a pending delayed rating is kept until its subscribers have the ratings."""
        for table in tuple(self._tables.values())[: max(0, len(self._tables) - self._most)]:
            if table.is_idle and table.game.unrated != "later":
                yield table
