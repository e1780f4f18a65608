"""The last look before any game begins, whatever way the two have met: a starter in front of the server's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.errors import Conflict, Forbidden
from lobby.moderation.blocks import are_apart
from lobby.players import lock_open

if TYPE_CHECKING:
    from lobby.moderation.bans import Bans
    from lobby.pairing import NewGame
    from lobby.ports import Connection, GameStarter


class FairStart:
    """Refuses games of closed accounts, of who may not play now, and of two of whom one has blocked the other.

    Who asks has been told better before, by what he asked for; this is for the moment in between, and for the other.
    Games against oneself are nobody's business, but nobody begins one who has just gone for good. Both rows are locked
    when a game begins, so that an account is closed before it, which is seen here, or after it.
    """

    def __init__(self, starter: GameStarter, bans: Bans) -> None:
        self._starter = starter
        self._bans = bans

    async def start(self, new_game: NewGame, connection: Connection) -> NewGame:
        """As ``GameStarter.start``.

        Raises:
            Conflict: one of them may not begin games now, or has closed his account.
            Forbidden: one has blocked the other.
        """
        white, black = new_game.white, new_game.black
        await lock_open(connection, white, black)
        if white.id != black.id:
            for user in (white, black):
                if self._bans.of(user.id) is not None:
                    raise Conflict(f"{user.name} may not begin games now")
            if await are_apart(connection, white.id, black.id):
                raise Forbidden("you two do not play each other: one has blocked the other")
        return await self._starter.start(new_game, connection)

    def opened(self, new_game: NewGame) -> None:
        """As ``GameStarter.opened``."""
        self._starter.opened(new_game)
