"""People who have a past: rated games played over sockets, and moved back in time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import asyncpg

from tests.integration.match import begin
from tests.wire_client import Client, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.server_process import ServerProcess

BLITZ = {"base_s": 180, "inc_s": 2}

A_DAY_EACH = """
WITH numbered AS (
    SELECT id, row_number() OVER (ORDER BY ended_at DESC) - 1 AS back FROM game WHERE rated AND status = 'over'
), moved AS (
    UPDATE game g SET created_at = created_at - back * interval '1 day', ended_at = ended_at - back * interval '1 day'
    FROM numbered n WHERE n.id = g.id
)
UPDATE rated_game r SET at = at - back * interval '1 day' FROM numbered n WHERE n.id = r.game
"""


async def rivals(server: ServerProcess, one: str, other: str, games: int) -> None:
    """Two members of these names, whose rated games of 3+2 were played one a day, the last today.

    ``one`` is White and wins two of three.
    """
    tokens = [(await asyncio.to_thread(member, server.url, name))[0] for name in (one, other)]
    async with Client(server.url, tokens[0]) as white, Client(server.url, tokens[1]) as black:
        for number in range(games):
            g = await begin(white, black, tc=BLITZ, rated=True)
            await white.request("move", g=g, move="e2e4", ply=0)
            await black.request("move", g=g, move="e7e5", ply=1)
            await (white if number % 3 == 2 else black).request("resign", g=g)
    await execute(server, A_DAY_EACH)


async def execute(server: ServerProcess, *statements: str) -> None:
    """Change what the server has stored."""
    async for connection in _database(server):
        for statement in statements:
            await connection.execute(statement)


async def _database(server: ServerProcess) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    async with server.opened() as url:
        connection = await asyncpg.connect(url)
        try:
            yield connection
        finally:
            await connection.close()
