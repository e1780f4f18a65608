"""The best games being played, for the lobby. They are ranked as they begin and end: a look costs what is shown."""

from __future__ import annotations

import itertools
from bisect import bisect_left, insort
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.games.table import Table
    from realtime.watching.live_cards import LiveCard

BOARDS_OF_ONE = 2
"""Boards of one exhibition that a list of games shows: it has a page of its own for all of them."""


class TopGames:
    """The games in memory, at any node, that both have begun and that are not over, by their players' ratings, then the
    newest first.

    Who has no rating counts as 0: games of people who are known go before those of guests. Games against oneself are
    nobody's business, and games that the public sees later are not there to be seen now. Of an exhibition two boards
    are enough.
    """

    def __init__(self) -> None:
        self._ranked: list[tuple[int, int, str]] = []
        self._keys: dict[str, tuple[int, int, str]] = {}
        self._numbers = itertools.count(1)
        self._simuls: dict[str, str] = {}
        """Of the boards among them: whose exhibition's."""

    def __len__(self) -> int:
        return len(self._ranked)

    def note(self, table: Table) -> None:
        """``table`` has entered memory, or its status has changed."""
        if table.game.status != "live" or table.seats.is_self or table.late is not None:
            self.forget(table.id)
        elif table.id not in self._keys:
            ratings = (table.seats["w"].rating, table.seats["b"].rating)
            strength = sum(rating.rating for rating in ratings if rating is not None)
            place = table.game.setup.exhibition
            self._enter(table.id, strength, None if place is None else place.id)

    def put(self, card: LiveCard) -> None:
        """Another node has this game."""
        if card.g not in self._keys:
            self._enter(card.g, card.rank, card.simul)

    def _enter(self, game_id: str, strength: int, simul: str | None) -> None:
        key = (-strength, -next(self._numbers), game_id)
        self._keys[game_id] = key
        insort(self._ranked, key)
        if simul is not None:
            self._simuls[game_id] = simul

    def forget(self, game_id: str) -> None:
        """The game has left memory."""
        key = self._keys.pop(game_id, None)
        if key is not None:
            del self._ranked[bisect_left(self._ranked, key)]
            self._simuls.pop(game_id, None)

    def first(self, count: int) -> list[str]:
        """Ids of the first ``count``, the best first."""
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
