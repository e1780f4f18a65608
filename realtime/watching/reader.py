"""Games for pages and the HTTP API: from the live table if there is one, otherwise from the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.errors import NotFound
from realtime.games.delay.delayed_reads import as_public
from realtime.games.scores.score_text import FORMS, form_of
from realtime.games.scores.stored_score import stored_score
from realtime.games.table_view import snapshot_of
from realtime.journal.game_rows import find_game
from realtime.watching.listed_games import LiveList

if TYPE_CHECKING:
    from collections.abc import Sequence

    import asyncpg

    from lobby.accounts.user import User
    from realtime.clock.loop_time import ServerTime
    from realtime.games.scores.score_text import Form
    from realtime.games.tables import Tables
    from realtime.journal.game_rows import GameRow
    from realtime.protocol.wire_types import GameSnapshotWire, LiveGameWire
    from realtime.watching.game_lists import GameFilter
    from realtime.watching.newest_games import NewestGames
    from realtime.watching.remote_games import RemoteGames

    Pool = asyncpg.Pool[asyncpg.Record]


class GameReader:
    """Reads games on behalf of a viewer."""

    def __init__(
        self,
        pool: Pool,
        tables: Tables,
        time: ServerTime,
        newest: NewestGames,
        remote_games: RemoteGames | None = None,
    ) -> None:
        self._pool = pool
        self._newest = newest
        self._tables = tables
        self._time = time
        self._live = LiveList(tables, time, remote_games)

    async def snapshot(self, game_id: str, viewer: User | None, *, legal: bool = False) -> GameSnapshotWire | None:
        """Return the ``game`` snapshot of the protocol as ``viewer`` may see it, with their legal moves if requested;
        None if there is no such game.
        """
        table = await self._tables.get(game_id)
        if table is None:
            return None
        return snapshot_of(table, self._time, None if viewer is None else viewer.id, legal=legal)

    async def live(self, count: int) -> list[LiveGameWire]:
        """Return the first ``count`` games in progress."""
        return await self._live.look(count)

    async def newest(self, wanted: GameFilter, count: int) -> Sequence[GameRow]:
        """Return the first ``count`` games of a kind that are public, newest first."""
        return await self._newest.first(wanted, count)

    async def score(self, game_id: str, form: Form, site: str, viewer: User | None) -> str:
        """Return the score of a game, finished or not, as ``viewer`` may see it. Everything shown to anyone is stored.

        Raises:
            Refusal: ``not_found``; there is no such game, or none in this format.
        """
        row = await find_game(self._pool, game_id)
        shown = [] if row is None else await as_public(self._pool, (row,), None if viewer is None else viewer.id)
        if not shown:
            raise NotFound("there is no such game")
        game = shown[0].row.setup.game
        if form_of(game) != form:
            other = FORMS[form].other
            address = f"/api/v1/games/{game_id}/{other}"
            raise NotFound(f"this is a game of {game}: its score is {other}, at {address}")
        return await stored_score(self._pool, shown[0].row, site, shown[0].last_seq)
