"""The games that are not over: whose they are, how old, and which of them are watched."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator


class LiveGame(msgspec.Struct, frozen=True):
    """One game that is not over, whether its table is in memory or not.

    Attributes:
        white, black: ids of its players; the same where one plays both sides.
        created_ms: Unix ms.
        host: id of who gives the exhibition of which it is a board; None: it is none.
        is_delayed: the public sees it later, so it must not know that it is not over.
        is_correspondence: a correspondence clock runs, as far as was known at the start.
    """

    white: str
    black: str
    created_ms: int
    host: str | None = None
    is_delayed: bool = False
    is_correspondence: bool = False

    @property
    def players(self) -> set[str]:
        """Ids of whose game it is: a host has a thousand boards, and finds them by his exhibition."""
        return {self.white, self.black} - {self.host}


class LiveGames:
    """All of them in the order in which they were made.

    Attributes:
        watched: ids of games that somebody may be watching. Who lists them forgets those that nobody watches any more.
    """

    def __init__(self) -> None:
        self.watched: set[str] = set()
        self._games: dict[str, LiveGame] = {}
        self._of: dict[str, set[str]] = {}
        self._counts: Counter[str] = Counter()
        self._delayed = 0

    def __len__(self) -> int:
        return len(self._games)

    @property
    def known(self) -> int:
        """How many of them the public is told of now."""
        return len(self._games) - self._delayed

    def get(self, game_id: str) -> LiveGame | None:
        """The game, if it is not over."""
        return self._games.get(game_id)

    def created_ms(self, game_id: str) -> int:
        """When the game was made (Unix ms); 0 if it is over."""
        game = self._games.get(game_id)
        return 0 if game is None else game.created_ms

    def newest(self) -> Iterator[str]:
        """Ids, the newest first."""
        return reversed(self._games)

    def of(self, user: str) -> list[str]:
        """Ids of the games of ``user``, but for the boards of an exhibition that he gives."""
        return sorted(self._of.get(user, ()))

    def count(self, user: str) -> int:
        """How many games ``user`` has that are no boards of exhibitions: a host has a thousand of those."""
        return self._counts[user]

    def begin(self, game_id: str, game: LiveGame) -> None:
        """A game has been made."""
        if game_id in self._games:
            return
        self._games[game_id] = game
        self._delayed += game.is_delayed
        for user in game.players:
            self._of.setdefault(user, set()).add(game_id)
            self._counts[user] += game.host is None

    def end(self, game_id: str) -> None:
        """A game is over; nothing happens if it is known to be."""
        self.watched.discard(game_id)
        game = self._games.pop(game_id, None)
        if game is None:
            return
        self._delayed -= game.is_delayed
        for user in game.players:
            games = self._of[user]
            games.discard(game_id)
            self._counts[user] -= game.host is None
            if not games:
                del self._of[user], self._counts[user]
