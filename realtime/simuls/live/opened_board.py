"""A board whose game has begun, before its simul has processed this."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.game import Game
    from realtime.games.table import Table
    from simul.board import Facts


class Opened(NamedTuple):
    """The table, and the state of its game at that time."""

    table: Table
    game: Game
    facts: Facts

    def now(self, look: Callable[[Table], Facts]) -> Facts:
        """Return its present state. It is read again only if the game has changed."""
        return self.facts if self.table.game is self.game else look(self.table)
