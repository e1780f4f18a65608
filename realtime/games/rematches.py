"""Creation of rematches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.ids import new_id
from realtime.journal.game_rows import facts_of, find_game

if TYPE_CHECKING:
    from realtime.games.ports import RematchLobby
    from realtime.games.table import Table
    from realtime.postgres.database import Pool


class Rematches:
    """Creates the games of accepted rematches.

    Args:
        lobby: pairs the players again and tells both.
    """

    def __init__(self, pool: Pool, lobby: RematchLobby) -> None:
        self._pool = pool
        self._lobby = lobby

    async def start(self, table: Table) -> str:
        """Create the rematch of a game that is over and return its id. A repeated call returns the same id."""
        row = await find_game(self._pool, table.id)
        assert row is not None, "a table's game has a row"
        return await self._lobby.rematch(facts_of(row), new_id())
