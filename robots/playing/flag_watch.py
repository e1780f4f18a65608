"""Claims of the opponent's flag, in games by the Laws in which the server does not see to it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robots.playing.game_requests import GameRequests

CLAIMS_S = (0.1, 0.5, 1.0, 2.0, 4.0)
"""Pauses before the claims of a flag that has fallen: a move that was made in time may still be on its way."""


class FlagWatch:
    """Waits until the opponent's flag falls in one game."""

    def __init__(self, requests: GameRequests) -> None:
        self._requests = requests
        self._falls_s: float | None = None
        self._claiming: asyncio.Task[None] | None = None

    def follow(self, falls_s: float | None) -> None:
        """Note when the flag falls now, by the loop's clock; None: not at all."""
        if falls_s == self._falls_s:
            return
        self.stop()
        self._falls_s = falls_s
        if falls_s is not None:
            self._claiming = asyncio.create_task(self._claim(falls_s), name="a robot watches a flag")

    def stop(self) -> None:
        """Wait no more."""
        self._falls_s = None
        if self._claiming is not None:
            self._claiming.cancel()
            self._claiming = None

    async def _claim(self, falls_s: float) -> None:
        await asyncio.sleep(max(0.0, falls_s - asyncio.get_running_loop().time()))
        for pause_s in CLAIMS_S:
            await asyncio.sleep(pause_s)
            if await self._requests.attempt("flag"):
                return
