"""Protocols of what the lobby needs of the server. ``realtime`` implements them."""

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
    """Creates games."""

    async def start(self, new_game: NewGame, connection: Connection) -> NewGame:
        """Write the game's row on ``connection``, inside the lobby's open transaction.

        Returns:
            The same game with its players' ratings, to be passed to ``opened``.

        The transaction may still be rolled back, so nothing but rows may change here.
        """

    def opened(self, new_game: NewGame) -> None:
        """Note that the transaction is committed. The players are told next."""


class Mailer(Protocol):
    """Sends mail."""

    async def send(self, to: str, subject: str, text: str) -> None:
        """Send a plain-text mail. Raises ``MailFailed``."""


class Publisher(Protocol):
    """Sends messages to clients. Neither method blocks."""

    def lobby_event(self, event: LobbyEventWire) -> None:
        """Send ``event`` (``t``, ``seq`` and fields) to all subscribers of the lobby, in the order of the calls."""

    def to_user(self, user_id: str, message: Mapping[str, Any]) -> None:
        """Send ``message`` to every socket of a user, on every node."""
