"""A server that writes the row of a game only on request, so that a test can act in the middle of a pairing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.realtime.until import until

if TYPE_CHECKING:
    import pytest

    from lobby.pairing import NewGame
    from lobby.ports import Connection
    from tests.lobby.conftest import World


class SlowServer:
    """``World.server`` with a barrier.

    Attributes:
        reached: a game is about to begin; its transaction is open.
        go_on: set it to let games begin.
    """

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.go_on = asyncio.Event(), asyncio.Event()
        self._start = world.server.start
        monkeypatch.setattr(world.server, "start", self.start)

    async def start(self, new_game: NewGame, connection: Connection) -> NewGame:
        """Start a game as ``GameStarter.start`` does, after ``go_on``."""
        self.reached.set()
        await self.go_on.wait()
        return await self._start(new_game, connection)


async def until_blocked(world: World) -> None:
    """Wait until a transaction waits for another."""
    await until(lambda: world.pool.fetchval("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted"))
