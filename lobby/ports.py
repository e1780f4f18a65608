"""What the lobby needs of the server around it; ``realtime`` provides these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import asyncpg
    from asyncpg.pool import PoolConnectionProxy

    from lobby.pairing import NewGame
    from lobby.wire.lobby import LobbyEventWire

    Connection = PoolConnectionProxy[asyncpg.Record]
    Pool = asyncpg.Pool[asyncpg.Record]


class GameStarter(Protocol):
    """Makes games."""

    async def start(self, new_game: NewGame, connection: Connection) -> NewGame:
        """Write the game's row on ``connection``, inside the lobby's open transaction.

        Returns:
            The same game with the ratings that its players begin with: what ``opened`` is to be told.

        The transaction may still be rolled back, so nothing but rows may change here.
        """

    def opened(self, new_game: NewGame) -> None:
        """The transaction is committed: the game is there, its players are about to be told."""


class Mailer(Protocol):
    """Sends mail."""

    async def send(self, to: str, subject: str, text: str) -> None:
        """Hand a mail of plain ``text`` over to a mail server. Raises ``MailFailed``."""


class Publisher(Protocol):
    """Tells people. Both calls are plain and never wait."""

    def lobby_event(self, event: LobbyEventWire) -> None:
        """Send ``event`` (``t``, ``seq`` and fields) to all who subscribed to the lobby, in the order of the calls."""

    def to_user(self, user_id: str, message: Mapping[str, Any]) -> None:
        """Send ``message`` to every socket of a user, wherever he is connected."""
