"""Final eligibility check before any game begins, as a wrapper of the server's game starter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.errors import Conflict, Forbidden
from lobby.moderation.blocks import is_either_blocked
from lobby.players import lock_open
from lobby.robots.robot_accounts import is_robot

if TYPE_CHECKING:
    from lobby.moderation.bans import Bans
    from lobby.pairing import NewGame
    from lobby.ports import Connection, GameStarter


class FairStart:
    """Refuses games of closed accounts, of people under a play ban, and of two people when one has blocked the other.

    The request itself was checked with a more specific error; this covers the moment in between, and the other person.
    Games against oneself are exempt, except for an account that was just deleted. Games against robots are exempt from
    play bans, which protect people. Both rows are locked when a game begins, so that an account is closed either before
    it, which is seen here, or after it.
    """

    def __init__(self, starter: GameStarter, bans: Bans) -> None:
        self._starter = starter
        self._bans = bans

    async def start(self, new_game: NewGame, connection: Connection) -> NewGame:
        """As ``GameStarter.start``.

        Raises:
            Conflict: one of them is banned from playing, or has closed their account.
            Forbidden: one has blocked the other.
        """
        white, black = new_game.white, new_game.black
        await lock_open(connection, white, black)
        if white.id != black.id:
            for user in (white, black):
                if self._bans.of(user.id) is not None and not (is_robot(white.id) or is_robot(black.id)):
                    raise Conflict(f"{user.name} cannot start games at the moment")
            if await is_either_blocked(connection, white.id, black.id):
                raise Forbidden("one of you has blocked the other")
        return await self._starter.start(new_game, connection)

    def opened(self, new_game: NewGame) -> None:
        """As ``GameStarter.opened``."""
        self._starter.opened(new_game)
