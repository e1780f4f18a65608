"""A stalled PostgreSQL (SIGSTOP): moves wait, clocks stop, memory and journal stay equal."""

from __future__ import annotations

import asyncio
import time
import urllib.error
from typing import TYPE_CHECKING

import pytest

from harness.chaos.checker import check_league, check_memory, read_truths
from harness.chaos.errors import Violation
from harness.chaos.league import League
from tests.faults.outage import Outage, is_not_ready, is_ready, read_gauge, survived, suspended
from tests.realtime.until import until
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from harness.chaos.checker import Truth
    from harness.chaos.clients import ScriptedPlayer
    from tests.server_process import ServerProcess

GAMES = 20
PLIES = 40

SETTLED_S = 20.0
"""For clocks that stand to go on."""


def is_told(player: ScriptedPlayer) -> bool:
    """Return whether the player knows that the clocks are held."""
    return player.view.holds > 0


async def test_stall_keeps_memory_and_journal_equal(server: ServerProcess, database: str) -> None:
    """The server's memory after the stall equals what a restart reads from the database."""
    async with League(server.url, games=GAMES, seed=5, plies=PLIES) as league:
        games = [match.game for match in league.matches]
        await league.moves(200)
        outage = Outage(league)
        with suspended(server.postgres_pid()):
            await league.every(is_told)
            await until(lambda: is_not_ready(server))
            outage.end()
        await until(lambda: is_ready(server))
        await league.moves(200)
        assert all(person.connects == 1 for person in league.people())
    await until(lambda: nothing_is_under_way(server))
    truths = await settled(server, database, games)
    check_league(league, truths, finished=False)
    outage.check(truths)
    server.kill9()
    await asyncio.to_thread(server.start)
    await check_memory(server.url, truths)


@pytest.mark.slow("an outage of ten seconds")
async def test_requests_are_refused_during_a_long_stall(server: ServerProcess, database: str) -> None:
    """A request that waits for more than ten seconds is refused, and can safely be repeated."""
    token, _ = await asyncio.to_thread(guest, server.url)
    async with League(server.url, games=GAMES, seed=6, plies=PLIES) as league, Client(server.url, token) as seeker:
        await league.moves(200)
        outage = Outage(league)
        with suspended(server.postgres_pid()):
            newcomer = asyncio.create_task(asyncio.to_thread(guest, server.url))
            seek = asyncio.create_task(seeker.refused("seek", tc={"base_s": 60, "inc_s": 0}))
            await league.every(is_told)
            async with Client(server.url) as stranger:
                watched = league.matches[0]
                snapshot = await stranger.sub(watched.game)
                assert watched.players[0].view.over or snapshot["clock"]["held"] == "storage"
            await league.until(lambda: all(is_answered(match.players) for match in league.matches))
            with pytest.raises(urllib.error.HTTPError) as refused:
                await newcomer
            refused.value.close()
            assert refused.value.code == 503
            assert await seek == "unavailable"
            outage.end()
        truths = await survived(league, server, database)
        outage.check(truths)


def is_answered(players: tuple[ScriptedPlayer, ScriptedPlayer]) -> bool:
    """Return whether the game is over, or the player to move was told to ask again."""
    return any(player.view.over or player.refused["unavailable"] > 0 for player in players)


async def settled(server: ServerProcess, database: str, games: list[str]) -> dict[str, Truth]:
    """The games as they are stored, once the server has the same in memory: clocks that stood go on by themselves."""
    until_s = time.monotonic() + SETTLED_S
    while True:
        truths = await read_truths(database, games)
        try:
            await check_memory(server.url, truths)
        except Violation:
            if time.monotonic() > until_s:
                raise
            await asyncio.sleep(0.2)
        else:
            return truths


async def nothing_is_under_way(server: ServerProcess) -> bool:
    """Requests under way when the clients left are read, decided and stored."""
    return await read_gauge(server, "zeitnot_connections") == 0 == await read_gauge(server, "zeitnot_journal_queue")
