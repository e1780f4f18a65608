"""At which tables in memory somebody sits: asked whenever something about him has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.games.seats import Seats


class TablesByPlayer:
    """Games by player. A seat is one person's for as long as its table is in memory."""

    def __init__(self) -> None:
        self._games: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self._games)

    def add(self, game: str, seats: Seats) -> None:
        """The table of ``game`` is in memory."""
        for seat in (seats.white, seats.black):
            self._games.setdefault(seat.user.id, set()).add(game)

    def remove(self, game: str, seats: Seats) -> None:
        """It is no more."""
        for seat in (seats.white, seats.black):
            games = self._games.get(seat.user.id, set())
            games.discard(game)
            if not games:
                self._games.pop(seat.user.id, None)

    def games_of(self, user: str) -> tuple[str, ...]:
        """The games of ``user`` whose tables are in memory."""
        return tuple(self._games.get(user, ()))
