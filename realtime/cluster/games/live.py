"""The games in progress, known to every node: announced as they begin and end, read again after a lost message."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from realtime.cluster.games import messages as w
from realtime.journal.game_rows import live_games
from realtime.journal.live_games import LiveGame
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from realtime.cluster.bus.cluster import Cluster
    from realtime.journal.live_games import LiveGames
    from realtime.postgres.database import Pool

TOGETHER_S = 0.5
"""Delay before a reread, so that losses within it cause only one."""

RETRY_INTERVAL_S = 2.0

log = logging.getLogger(__name__)


class LiveEverywhere:
    """Keeps ``LiveGames`` equal to the database."""

    def __init__(self, cluster: Cluster, games: LiveGames, pool: Pool) -> None:
        self._cluster = cluster
        self._games = games
        self._pool = pool
        self._task: asyncio.Task[None] | None = None
        self._is_stale = False
        self._sent: set[str] | None = None
        """Games announced during a full read. The read may be older than these."""
        cluster.subscribe("game.begun", w.GameCreated, self._begun)
        cluster.subscribe("game.over", w.GameRef, self._over)
        cluster.on_gap.append(self._missed)
        cluster.subscribe("game.live", w.ReattachRequest, lambda sender, body: self._missed(sender))
        cluster.on_came.append(self._came)

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def begun(self, game_id: str, game: LiveGame) -> None:
        """Handle a game created on this node."""
        self._note(game_id)
        if not self._cluster.is_alone:
            body = w.GameCreated(
                game_id,
                game.white,
                game.black,
                game.created_ms,
                game.host,
                game.has_delayed_end,
                is_real_time=game.is_real_time,
            )
            self._cluster.broadcast("game.begun", body)

    def over(self, game_id: str) -> None:
        """Handle the end of a game of this node."""
        self._note(game_id)
        if not self._cluster.is_alone:
            self._cluster.broadcast("game.over", w.GameRef(game_id))

    def _begun(self, sender: str, body: w.GameCreated) -> None:
        self._note(body.g)
        game = LiveGame(
            body.white,
            body.black,
            body.created_ms,
            body.host,
            body.has_delayed_end,
            is_real_time=body.is_real_time,
        )
        self._games.begin(body.g, game)

    def _over(self, sender: str, body: w.GameRef) -> None:
        self._note(body.g)
        self._games.end(body.g)

    def _note(self, game_id: str) -> None:
        if self._sent is not None:
            self._sent.add(game_id)

    def _came(self, node: str) -> None:
        # The other node does not know the games that began here after its read and before we knew of it.
        self._cluster.send(node, "game.live", w.ReattachRequest())
        self._missed(node)

    def _missed(self, node: str) -> None:
        self._is_stale = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="read the live games again")

    async def _run(self) -> None:
        pause_s = TOGETHER_S
        while self._is_stale:
            await asyncio.sleep(pause_s)
            self._is_stale = False
            try:
                await self.read()
            except FAILURES as error:
                log.info("the database is in trouble (%r); the live games are read later", error)
                self._is_stale, pause_s = True, RETRY_INTERVAL_S
            except Exception:  # the top of a task
                log.exception("the live games could not be read")

    async def read(self) -> None:
        """Read the games in progress. Raises any query error."""
        sent: set[str] = set()
        self._sent = sent
        try:
            found = dict(await live_games(self._pool))
        finally:
            self._sent = None
        for game_id in [game_id for game_id in self._games.newest() if game_id not in found and game_id not in sent]:
            self._games.end(game_id)
        for game_id, game in reversed(found.items()):
            if game_id not in sent:
                self._games.begin(game_id, game)
