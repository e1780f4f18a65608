"""The best games being played, for the lobby. They are ranked as they begin and end: a look costs what is shown."""

from __future__ import annotations

import itertools
from bisect import bisect_left, insort
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.table import Table


class TopGames:
    """The games in memory that both have begun and that are not over, by their players' ratings, then the newest first.

    Who has no rating counts as 0: games of people who are known go before those of guests. Games against oneself are
    nobody's business, and games that the public sees later are not there to be seen now.
    """

    def __init__(self) -> None:
        self._ranked: list[tuple[int, int, str]] = []
        self._keys: dict[str, tuple[int, int, str]] = {}
        self._numbers = itertools.count(1)

    def __len__(self) -> int:
        return len(self._ranked)

    def note(self, table: Table) -> None:
        """``table`` has entered memory, or its status has changed."""
        if table.game.status != "live" or table.seats.is_self or table.late is not None:
            self.forget(table.id)
        elif table.id not in self._keys:
            ratings = (table.seats["w"].rating, table.seats["b"].rating)
            strength = sum(rating.rating for rating in ratings if rating is not None)
            key = (-strength, -next(self._numbers), table.id)
            self._keys[table.id] = key
            insort(self._ranked, key)

    def forget(self, game_id: str) -> None:
        """The game has left memory."""
        key = self._keys.pop(game_id, None)
        if key is not None:
            del self._ranked[bisect_left(self._ranked, key)]

    def first(self, count: int) -> list[str]:
        """Ids of the first ``count``, the best first."""
        return [game_id for _, _, game_id in self._ranked[:count]]
