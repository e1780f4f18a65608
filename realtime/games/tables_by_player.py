"""Index of tables in memory by player, for changes of a player's account."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.games.seats import Seats


class TablesByPlayer:
    """Games by player. A seat belongs to one person for as long as its table is in memory."""

    def __init__(self) -> None:
        self._games: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self._games)

    def add(self, game: str, seats: Seats) -> None:
        """Add the table of ``game``."""
        for seat in (seats.white, seats.black):
            self._games.setdefault(seat.user.id, set()).add(game)

    def remove(self, game: str, seats: Seats) -> None:
        """Remove the table of ``game``."""
        for seat in (seats.white, seats.black):
            games = self._games.get(seat.user.id, set())
            games.discard(game)
            if not games:
                self._games.pop(seat.user.id, None)

    def games_of(self, user: str) -> tuple[str, ...]:
        """Return the games of ``user`` whose tables are in memory."""
        return tuple(self._games.get(user, ()))
