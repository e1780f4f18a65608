"""The command ``zeitnot games``: stored games as a list or as scores, with or without a running server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.identity import user_named
from realtime.commands.own_database import opened_own_database
from realtime.games.scores.stored_score import stored_score
from realtime.journal.game_rows import GameRow, find_game
from realtime.postgres.database import create_pool
from realtime.protocol.errors import RealtimeError
from realtime.watching.game_lists import GameFilter, list_games

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import asyncpg

    from realtime.commands.settings import Settings

    Pool = asyncpg.Pool[asyncpg.Record]


class NoSuchGame(RealtimeError):
    """The command names a game or a user that does not exist."""


async def print_games(
    settings: Settings,
    write: Callable[[str], None],
    *,
    ids: Sequence[str],
    user: str | None,
    most: int,
    as_scores: bool,
) -> int:
    """List games, newest first, or write their scores; return the exit status.

    Raises:
        NoSuchGame: an id or a user that does not exist.
    """
    async with opened_own_database(settings) as url:
        pool = await create_pool(url, max_size=1)
        try:
            for row in await _wanted(pool, ids, user, most):
                write(await stored_score(pool, row, row.setup.id) if as_scores else _line(row))
        finally:
            await pool.close()
    return 0


async def _wanted(pool: Pool, ids: Sequence[str], user: str | None, most: int) -> list[GameRow]:
    if ids:
        rows = []
        for game_id in ids:
            row = await find_game(pool, game_id)
            if row is None:
                raise NoSuchGame(f"there is no game {game_id!r}")
            rows.append(row)
        return rows
    user_id = None
    if user is not None:
        person = await user_named(pool, user)
        if person is None:
            raise NoSuchGame(f"there is no user {user!r}")
        user_id = person.id
    return await list_games(pool, GameFilter(user=user_id), limit=most)


def _line(row: GameRow) -> str:
    setup = row.setup
    return (
        f"{setup.id}  {row.created_at:%Y-%m-%d %H:%M}  {setup.game}/{setup.variant}  "
        f"{row.white.name} - {row.black.name}  {row.result}  {row.reason or row.status}  {row.plies} plies"
    )
