"""Boards of a simul after a kill of the server: running clocks run on, stopped ones stay stopped."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from tests.integration.running_simul import running
from tests.wire_client import Client

if TYPE_CHECKING:
    from tests.server_process import ServerProcess

TERMS = {"tc": {"base_s": 180, "inc_s": 2}, "host_tc": {"base_s": 3600}}


@pytest.mark.timeout(120)
async def test_boards_survive_a_kill_of_the_server(server: ServerProcess) -> None:
    async with AsyncExitStack() as stack:
        clock = await stack.enter_async_context(running(server.url, 1, tc=TERMS["tc"], host_extra_s=3600))
        turns = await stack.enter_async_context(running(server.url, 2, mode="round", countdown_s=300, **TERMS))
        running_board, waiting_board = clock.boards[1], turns.boards[2]
        white, black, waiting = clock.host, clock.player(1), turns.player(2)
        assert (await white.sub(running_board))["simul"] == clock.id
        assert (await waiting.sub(waiting_board))["clock"]["held"] == "round"
        await white.request("move", g=running_board, ply=0, move="e2e4")
        assert await white.refused("abort", g=running_board) == "conflict"
        assert await turns.host.refused("move", g=waiting_board, ply=0, move="e2e4") == "conflict"
        assert await black.refused("moretime", g=running_board, seconds=15) == "forbidden"
        tokens = [client.token for client in (white, black, turns.host, waiting)]

    server.kill9()
    await asyncio.to_thread(server.start)
    async with AsyncExitStack() as stack:
        white, black, host, waiting = [Client(server.url, token) for token in tokens]
        for client in (white, host, waiting):
            await stack.enter_async_context(client)
        seen = await white.sub(running_board)
        assert (seen["status"], seen["moves"], seen["tcs"]["b"]) == ("created", ["e2e4"], TERMS["tc"])
        # It is Black who is waited for. The server may still be taking the game over.
        if "held" not in seen["clock"]:
            assert (await white.wait(lambda m: m["t"] == "hold" and m["g"] == running_board))["why"] == "restart"
            seen = await white.sub(running_board)
        assert (seen["clock"]["run"], seen["clock"]["held"], seen["clock"]["b"]) == (None, "restart", 180_000)
        await stack.enter_async_context(black)
        await black.sub(running_board)
        resumed = await white.event(running_board, seen["seq"] + 1)
        assert (resumed["t"], resumed["why"], "held" in resumed["clock"]) == ("clock", "resumed", False)
        await black.request("move", g=running_board, ply=1, move="e7e5")
        assert (await waiting.sub(waiting_board))["clock"]["held"] == "round"
        assert await host.refused("move", g=waiting_board, ply=0, move="e2e4") == "conflict"
        await black.request("resign", g=running_board)
        await waiting.request("resign", g=waiting_board)
