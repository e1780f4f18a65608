"""Boards of a simul after a kill of the server: running clocks run on, stopped ones stay stopped."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from game_core.simul_board import Mode, SimulBoard
from game_core.time_control import Period, TimeControl
from lobby.accounts.user import User
from lobby.pairing import NewGame
from realtime.journal.game_rows import insert_game
from realtime.postgres import database as db
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from tests.server_process import ServerProcess
    from tests.wire_client import Message

BLITZ = TimeControl((Period(None, 180_000, 2_000),))
MODES: tuple[Mode, ...] = ("clock", "round")
HOUR = TimeControl((Period(None, 3_600_000),))


async def make_boards(url: str, host: Message, player: Message) -> None:
    """A simul of two boards, one of each mode, that no server has taken yet."""
    pool = await db.create_pool(url, max_size=1)
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute(
            "INSERT INTO simul (id, host, name, setup, status) VALUES ('simul1', $1, 'Friday', '{}', 'finished')",
            host["id"],
        )
        for board, mode in enumerate(MODES, 1):
            new = NewGame(
                id=f"{mode}brd",
                game="chess",
                variant="standard",
                profile="online",
                rated=False,
                tc=HOUR,
                black_tc=BLITZ,
                fen=None,
                pausable=False,
                white=User(host["id"], host["name"], "guest"),
                black=User(player["id"], player["name"], "guest"),
                simul_board=SimulBoard("simul1", board, "w", mode),
            )
            await insert_game(connection, new, owner="", epoch=1)
    await pool.close()


@pytest.mark.timeout(120)
async def test_boards_survive_a_kill_of_the_server(server: ServerProcess, database: str) -> None:
    (host_token, host), (player_token, player) = [await asyncio.to_thread(guest, server.url) for _ in range(2)]
    await make_boards(database, host, player)
    async with Client(server.url, host_token) as white, Client(server.url, player_token) as black:
        for client in (white, black):
            assert (await client.sub("clockbrd"))["simul"] == "simul1"
            assert (await client.sub("roundbrd"))["clock"]["held"] == "round"
        await white.request("move", g="clockbrd", ply=0, move="e2e4")
        assert await white.refused("abort", g="clockbrd") == "conflict"
        assert await white.refused("move", g="roundbrd", ply=0, move="e2e4") == "conflict"
        assert await black.refused("moretime", g="clockbrd", seconds=15) == "forbidden"

    server.kill9()
    await asyncio.to_thread(server.start)
    async with Client(server.url, host_token) as white, Client(server.url, player_token) as black:
        seen = await white.sub("clockbrd")
        assert (seen["status"], seen["moves"], seen["tcs"]["b"]) == ("created", ["e2e4"], {"base_s": 180, "inc_s": 2})
        # It is Black who is waited for.
        assert (seen["clock"]["run"], seen["clock"]["held"], seen["clock"]["b"]) == (None, "restart", 180_000)
        await black.sub("clockbrd")
        resumed = await white.event("clockbrd", seen["seq"] + 1)
        assert (resumed["t"], resumed["why"], "held" in resumed["clock"]) == ("clock", "resumed", False)
        await black.request("move", g="clockbrd", ply=1, move="e7e5")
        assert (await white.sub("roundbrd"))["clock"]["held"] == "round"
        for game in ("clockbrd", "roundbrd"):
            await black.request("resign", g=game)
