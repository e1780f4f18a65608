"""The best games in progress, for the lobby. They are ranked as they begin and end, so a query reads only
what it returns."""

from __future__ import annotations

import itertools
from bisect import bisect_left, insort
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.games.table import Table
    from realtime.watching.live_cards import LiveCard

BOARDS_OF_ONE = 1
"""Maximum number of boards of one simul in a list of games. Its entry has the number of all of them; the simul has its
own page.
"""


class TopGames:
    """The games in memory, on any node, that have begun and are not over, by their players' ratings, then the newest
    first.

    A missing rating counts as 0, so games of rated users precede those of guests. Games against oneself are private,
    and games with a delayed view are not listed. A simul contributes one board.

    Attributes:
        boards: the number of these games by simul.
    """

    def __init__(self) -> None:
        self.boards: Counter[str] = Counter()
        self._ranked: list[tuple[int, int, str]] = []
        self._keys: dict[str, tuple[int, int, str]] = {}
        self._numbers = itertools.count(1)
        self._simuls: dict[str, str] = {}
        """The simul of each game that is a board of one."""

    def __len__(self) -> int:
        return len(self._ranked)

    def note(self, table: Table) -> None:
        """Handle a table that has entered memory or changed its status."""
        if table.game.status != "live" or table.seats.is_self or table.delayed is not None:
            self.forget(table.id)
        elif table.id not in self._keys:
            ratings = (table.seats["w"].rating, table.seats["b"].rating)
            strength = sum(rating.rating for rating in ratings if rating is not None)
            place = table.game.setup.simul_board
            self._enter(table.id, strength, None if place is None else place.id)

    def put(self, card: LiveCard) -> None:
        """Add or update a game of another node."""
        if card.g not in self._keys:
            self._enter(card.g, card.rank, card.simul)

    def _enter(self, game_id: str, strength: int, simul: str | None) -> None:
        key = (-strength, -next(self._numbers), game_id)
        self._keys[game_id] = key
        insort(self._ranked, key)
        if simul is not None:
            self._simuls[game_id] = simul
            self.boards[simul] += 1

    def forget(self, game_id: str) -> None:
        """Remove a game that has left memory."""
        key = self._keys.pop(game_id, None)
        if key is not None:
            del self._ranked[bisect_left(self._ranked, key)]
            simul = self._simuls.pop(game_id, None)
            if simul is not None:
                self.boards[simul] -= 1
                if not self.boards[simul]:
                    del self.boards[simul]

    def first(self, count: int) -> list[str]:
        """Return the ids of the first ``count`` games, the best first."""
        boards: Counter[str] = Counter()
        found: list[str] = []
        for _, _, game_id in self._ranked:
            if len(found) >= count:
                break
            simul = self._simuls.get(game_id)
            if simul is None or boards[simul] < BOARDS_OF_ONE:
                found.append(game_id)
                if simul is not None:
                    boards[simul] += 1
        return found
