"""A board that has begun, as its exhibition is told of it a moment later."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.game import Game
    from realtime.games.table import Table
    from simul.board import Facts


class Opened(NamedTuple):
    """Its table, and how its game stood then."""

    table: Table
    game: Game
    facts: Facts

    def now(self, look: Callable[[Table], Facts]) -> Facts:
        """How it stands now; only what has changed since is looked at again."""
        return self.facts if self.table.game is self.game else look(self.table)
