"""Status of a player: whether they are connected, and which game they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.journal.live_games import LiveGames
    from realtime.people.presence import Presence


class PlayerStatus:
    """Looks up sockets and unfinished games."""

    def __init__(self, people: Presence, live_games: LiveGames) -> None:
        self._people = people
        self._live_games = live_games

    def is_online(self, user: str) -> bool:
        """Return whether ``user`` has an open socket and is not invisible."""
        return self._people.is_shown(user)

    def playing(self, user: str) -> str | None:
        """Return the newest unfinished game of ``user``; None if there is none.

        Games against oneself do not count. Neither do games with a public delay in seconds, because their end would
        show here.
        """
        games = ((self._live_games.get(game_id), game_id) for game_id in self._live_games.of(user))
        played = [
            (game.created_ms, game_id)
            for game, game_id in games
            if game is not None and game.white != game.black and not game.has_delayed_end
        ]
        return max(played)[1] if played else None
