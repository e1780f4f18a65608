"""The unfinished games: their players, age, and which of them are watched."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from lobby.robots.robot_accounts import is_robot

if TYPE_CHECKING:
    from collections.abc import Iterator


class LiveGame(msgspec.Struct, frozen=True):
    """One unfinished game, whether its table is in memory or not.

    Attributes:
        white, black: ids of its players; the same in a game against oneself.
        created_ms: Unix ms.
        host: id of the host of the simul of which it is a board; None for other games.
        has_delayed_end: its public delay is in seconds. The public sees its end later, so it must not be told that the
            game is not over.
        is_correspondence: a correspondence clock runs, as far as was known at the start.
        is_real_time: it has a real-time clock; False if a node of the previous version began it.
    """

    white: str
    black: str
    created_ms: int
    host: str | None = None
    has_delayed_end: bool = False
    is_correspondence: bool = False
    is_real_time: bool = False

    @property
    def players(self) -> set[str]:
        """Ids of the players whose list contains it. A host has a thousand boards, and finds them by the simul."""
        return {self.white, self.black} - {self.host}

    @property
    def opponents(self) -> set[str]:
        """Ids of its players if it is a game with a real-time clock of two people, the host of a simul included."""
        players = {self.white, self.black}
        is_between_people = len(players) > 1 and not any(is_robot(user) for user in players)
        return players if self.is_real_time and is_between_people else set()


class LiveGames:
    """All unfinished games in the order of their creation.

    Attributes:
        watched: ids of games with possible spectators. The reader removes those that nobody watches any more.
    """

    def __init__(self) -> None:
        self.watched: set[str] = set()
        self._games: dict[str, LiveGame] = {}
        self._of: dict[str, set[str]] = {}
        self._counts: Counter[str] = Counter()
        self._opponents: Counter[str] = Counter()
        self._delayed = 0

    def __len__(self) -> int:
        return len(self._games)

    @property
    def known(self) -> int:
        """Number of those that the public is told of now."""
        return len(self._games) - self._delayed

    def get(self, game_id: str) -> LiveGame | None:
        """Return the game, if it is not over."""
        return self._games.get(game_id)

    def created_ms(self, game_id: str) -> int:
        """Return when the game was created (Unix ms); 0 if it is over."""
        game = self._games.get(game_id)
        return 0 if game is None else game.created_ms

    def newest(self) -> Iterator[str]:
        """Yield ids, newest first."""
        return reversed(self._games)

    def of(self, user: str) -> list[str]:
        """Return ids of the games of ``user``, except the boards of a simul they host."""
        return sorted(self._of.get(user, ()))

    def count(self, user: str) -> int:
        """Return the number of games of ``user`` that are not boards of simuls: a host has a thousand of those."""
        return self._counts[user]

    def plays_person(self, user: str) -> bool:
        """Return whether ``user`` plays another person with a real-time clock."""
        return self._opponents[user] > 0

    def begin(self, game_id: str, game: LiveGame) -> None:
        """Add a new game."""
        if game_id in self._games:
            return
        self._games[game_id] = game
        self._delayed += game.has_delayed_end
        self._opponents.update(game.opponents)
        for user in game.players:
            self._of.setdefault(user, set()).add(game_id)
            self._counts[user] += game.host is None

    def end(self, game_id: str) -> None:
        """Remove a finished game, if it is known."""
        self.watched.discard(game_id)
        game = self._games.pop(game_id, None)
        if game is None:
            return
        self._delayed -= game.has_delayed_end
        self._opponents -= Counter(game.opponents)
        for user in game.players:
            games = self._of[user]
            games.discard(game_id)
            self._counts[user] -= game.host is None
            if not games:
                del self._of[user], self._counts[user]
