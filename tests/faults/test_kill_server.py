"""``kill -9`` of the server at any moment: nothing that was sent is lost, and every game goes on."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from game_core.registry import registered
from harness.chaos.checker import check_league, check_memory, journal_is_silent, lost_ms, read_truths, resumed_after
from harness.chaos.league import League
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from tests.server_process import ServerProcess

GAMES = 40
ROUNDS = 5
THOUGHT_MS = 1000
"""Nobody thinks for longer; a start takes longer."""
MOVES_BETWEEN = (40, 320)


async def test_clock_is_held_after_a_restart_until_the_player_returns(server: ServerProcess) -> None:
    """Every subscriber who has reconnected receives ``hold``."""
    (white, _), (black, _) = [await asyncio.to_thread(guest, server.url) for _ in range(2)]
    async with Client(server.url, white) as host, Client(server.url, black) as other:
        offer = await host.request("challenge", tc={"base_s": 180, "inc_s": 0}, color="w")
        game = (await other.request("challenge.accept", challenge=offer["challenge"]))["g"]
        await host.request("move", g=game, move="e2e4", ply=0)
        await other.request("move", g=game, move="e7e5", ply=1)
    server.kill9()
    await asyncio.to_thread(server.start)
    async with Client(server.url, black) as other, Client(server.url) as stranger:
        for back in (other, stranger):
            await back.request("sub", topic=f"game:{game}", **{"from": 2})
            held = await back.wait(lambda m: m["t"] == "hold")
            assert (held["g"], held["why"]) == (game, "restart")
        async with Client(server.url, white) as host:
            await host.request("sub", topic=f"game:{game}", **{"from": 2})
            for back in (host, other, stranger):
                resumed = await back.event(game, 3)
                assert (resumed["t"], resumed["why"]) == ("clock", "resumed")
                assert resumed["clock"]["run"] == "w"
                assert 180_000 - THOUGHT_MS < resumed["clock"]["w"] <= 180_000


async def test_games_of_every_variant_survive_a_kill(server: ServerProcess, database: str) -> None:
    """Multiple captures, crowned men, countdowns and games that Black begins are restored."""
    async with League(server.url, games=len(registered()), plies=60, seed=12, kinds=registered()) as league:
        games = [match.game for match in league.matches]
        for count in (len(games) * 8, len(games) * 16):
            await league.moves(count)
            server.kill9()
            await journal_is_silent(database)
            await asyncio.to_thread(server.start)
        await league.finish()
        truths = await read_truths(database, games)
        check_league(league, truths)
        await check_memory(server.url, truths)
    assert all(any(player.connects >= 2 for player in match.players) for match in league.matches)


@pytest.mark.slow("five crashes under load")
async def test_kill_9_of_the_server_loses_nothing(server: ServerProcess, database: str) -> None:
    async with League(server.url, games=GAMES, seed=1) as league:
        games = [match.game for match in league.matches]
        crashes = []
        for number in range(ROUNDS):
            await league.moves(league.chance.randint(*MOVES_BETWEEN))
            postgres = server.postgres_pid()
            server.kill9()
            await journal_is_silent(database)
            crashes.append(await read_truths(database, games))
            if number % 3 == 2:  # as when the machine itself goes down
                os.kill(postgres, signal.SIGKILL)
            await asyncio.to_thread(server.start)
            adopted = server.postgres_pid() == postgres
            assert adopted == (number % 3 != 2), "the PostgreSQL that was left behind was not adopted"
            if number % 3 == 1:  # and once more, while the games are being rebuilt
                os.kill(postgres, signal.SIGKILL)
        await league.finish()
        truths = await read_truths(database, games)
        check_league(league, truths)
        await check_memory(server.url, truths)

    assert all(player.connects >= 2 for player in league.players()), "some player has missed every crash"
    resumed = 0
    for crash in crashes:
        for game, before in crash.items():
            clocks = resumed_after(truths[game], before.last_seq)
            if clocks is not None:
                resumed += 1
                assert 0 <= lost_ms(*clocks) < THOUGHT_MS, f"game {game}: the outage has cost time: {clocks}"
    assert resumed > GAMES
