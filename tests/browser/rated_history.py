"""Members with a history: rated games played over sockets, and moved back in time."""

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

A_DAY_BACK = """
WITH mark AS (UPDATE rated_game SET at = at - interval '1 day')
UPDATE game SET created_at = created_at - interval '1 day', ended_at = ended_at - interval '1 day',
    rated_at = rated_at - interval '1 day'
WHERE rated AND status = 'over'
"""

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6")


async def rivals(server: ServerProcess, one: str, other: str, games: int) -> list[str]:
    """Create two members whose rated games of 3+2 were played one a day, the last one today.

    ``one`` is White and wins two of three. Returns the tokens of both.
    """
    tokens = [(await asyncio.to_thread(member, server.url, name))[0] for name in (one, other)]
    for number in range(games):
        await execute(server, A_DAY_BACK)
        # Each game has new sockets: a fast machine would exceed the message rate of one.
        async with Client(server.url, tokens[0]) as white, Client(server.url, tokens[1]) as black:
            g = await begin(white, black, tc=BLITZ, rated=True)
            for ply, (player, move) in enumerate(zip((white, black) * 2, OPENING, strict=True)):
                await player.request("move", g=g, move=move, ply=ply)
            await (white if number % 3 == 2 else black).request("resign", g=g)
    return tokens


async def execute(server: ServerProcess, *statements: str) -> None:
    """Execute statements on the server's database."""
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
