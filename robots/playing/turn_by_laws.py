"""A robot's turn in games by the Laws: it claims illegal moves, and presses the clock after its own."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from robots.client import BotRefused
from robots.playing.game_requests import LATER

if TYPE_CHECKING:
    from robots.playing.game_requests import GameRequests
    from robots.playing.played_game import PlayedGame

log = logging.getLogger(__name__)


class TurnByLaws:
    """Turns in one game. All methods raise ``BotRefused`` or ``BotDisconnected`` if a request has to be sent again."""

    def __init__(self, requests: GameRequests) -> None:
        self._requests = requests
        self._refused: tuple[int, int] | None = None  # ply and seq of a refused claim

    async def begin(self, game: PlayedGame) -> bool:
        """Press the clock after a move that was made, or claim the opponent's illegal move. Returns whether it was one
        of the two."""
        if game.is_made:
            await self._requests.send("press", ply=game.ply, seen=game.seq)
            return True
        claim = game.ply, game.seq
        if not game.has_illegal_move or self._refused == claim:
            return False
        try:
            await self._requests.send("claim", what="illegal_move")
        except BotRefused as error:
            if error.code in LATER:
                raise
            log.info("ply %d: %s", game.ply, error)
            self._refused = claim
            return False
        return True

    async def play(self, game: PlayedGame, move: str) -> None:
        """Make ``move`` and press the clock."""
        ply = game.ply
        await self._requests.send("move", move=move, ply=ply, seen=game.seq)
        await self._requests.send("press", ply=ply, move=move)
