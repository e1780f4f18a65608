"""Requests of a robot in one game: what may be refused because things have changed, and what is repeated."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from robots.client import BotDisconnected, BotRefused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from robots.client import Message

RETRY_S = 1.0
"""Pause before a request that was refused for a moment is sent again ..."""

LONGEST_RETRY_S = 30.0
"""... which doubles up to this."""

LATER = ("rate_limited", "unavailable")
"""Codes of refusals for a moment."""

GREETING = "Hello! I am the robot of level {}. Have a good game!"

log = logging.getLogger(__name__)


def retry_pauses() -> Iterator[float]:
    """Yield the pauses before further attempts."""
    pause_s = RETRY_S
    while True:
        yield pause_s
        pause_s = min(2 * pause_s, LONGEST_RETRY_S)


class GameRequests:
    """Requests in one game.

    Args:
        send: sends a request on the game's socket; raises ``BotRefused`` or ``BotDisconnected``.
    """

    def __init__(self, game_id: str, send: Callable[..., Awaitable[Message]]) -> None:
        self._game_id = game_id
        self._send = send

    async def send(self, kind: str, **fields: Any) -> None:
        """Send a request about the game. Raises ``BotRefused`` or ``BotDisconnected``."""
        await self._send(kind, g=self._game_id, **fields)

    async def attempt(self, kind: str, **fields: Any) -> bool:
        """Send a request that may be refused, because things have changed. Returns whether it was not."""
        try:
            await self.send(kind, **fields)
        except (BotRefused, BotDisconnected) as error:
            log.info("game %s: %s", self._game_id, error)
            return False
        return True

    async def subscribe(self) -> None:
        """Ask for the snapshot, and all events after it, until the server has time. Raises as ``send``."""
        for pause_s in retry_pauses():
            try:
                await self._send("sub", topic=f"game:{self._game_id}", ticks=False, laws=True)
            except BotRefused as error:
                if error.code not in LATER:
                    raise
                log.info("game %s: %s", self._game_id, error)
            else:
                return
            await asyncio.sleep(pause_s)

    async def resync(self) -> None:
        """Ask for a new snapshot, which comes as a message. Raises ``BotDisconnected``."""
        try:
            await self.subscribe()
        except BotRefused as error:
            log.info("game %s: %s", self._game_id, error)

    async def greet(self, level: int) -> None:
        """Greet the opponent of the robot of ``level``."""
        try:
            await self._send("chat", topic=f"game:{self._game_id}", text=GREETING.format(level))
        except (BotRefused, BotDisconnected) as error:
            log.info("game %s without a greeting: %s", self._game_id, error)

    async def abandon(self) -> None:
        """Abort the game, or resign it. Raises ``BotDisconnected``."""
        try:
            await self.send("abort")
        except BotRefused:
            await self.attempt("resign")
