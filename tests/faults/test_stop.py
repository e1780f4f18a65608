"""The server is stopped: for good, by SIGTERM, or for a while, by SIGSTOP."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from harness.chaos.checker import check_league, check_memory, lost_ms, read_truths, resumed_after
from harness.chaos.league import League
from tests.faults.outage import Outage, survived, suspended
from tests.wire_client import Client

if TYPE_CHECKING:
    from tests.server_process import ServerProcess

GAMES = 40

THOUGHT_MS = 1000
"""Nobody thinks for longer; a start takes longer."""

GOING_AWAY = 1012
"""The close code that says: come back with a little random delay."""

PATIENCE_S = 10.0
"""What container managers give a process before they kill it."""

STOPPED_S = 4.0
SHORT = {"base_s": 6, "inc_s": 0}
"""Less than the two stops together."""


@pytest.mark.slow("40 games, and a database that hangs")
async def test_sigterm_under_load_loses_nothing(server: ServerProcess) -> None:
    async with League(server.url, games=GAMES, seed=9, plies=50) as league:
        games = [match.game for match in league.matches]
        stops = []
        for _ in range(2):
            await league.moves(league.chance.randint(100, 300))
            assert await asyncio.to_thread(server.stop) == 0
            async with server.opened() as database:
                stops.append(await read_truths(database, games))
            await asyncio.to_thread(server.start)
        await league.finish()
        async with server.opened() as database:
            truths = await read_truths(database, games)
        check_league(league, truths)
        await check_memory(server.url, truths)

    for person in league.people():
        assert set(person.closed) <= {GOING_AWAY}, f"closed with {person.closed}"
        assert person.closed[GOING_AWAY] == person.connects - 1
    for stop in stops:
        for game, before in stop.items():
            clocks = resumed_after(truths[game], before.last_seq)
            is_free = clocks is None or 0 <= lost_ms(*clocks) < THOUGHT_MS
            assert is_free, f"game {game}: the outage has cost time: {clocks}"


@pytest.mark.slow("40 games, and a database that hangs")
async def test_sigterm_does_not_wait_for_a_database_that_hangs(server: ServerProcess) -> None:
    async with League(server.url, games=10, seed=11) as league:
        games = [match.game for match in league.matches]
        await league.moves(100)
        async with Client(server.url, league.players()[0].token) as seeker:
            with suspended(server.postgres_pid()):
                await league.every(lambda player: player.view.holds > 0)
                await seeker.send({"t": "seek", "id": 1, "tc": {"base_s": 60, "inc_s": 0}})
                assert (await seeker.request("ping"))["t"] == "ok"
                began = time.monotonic()
                assert await asyncio.to_thread(server.stop) == 0
                assert time.monotonic() - began < PATIENCE_S
        await asyncio.to_thread(server.start)
        await league.moves(50)
    async with server.opened() as database:
        check_league(league, await read_truths(database, games), finished=False)


async def test_suspended_server_costs_no_time(server: ServerProcess, database: str) -> None:
    async with League(server.url, games=10, seed=10, plies=40, tc=SHORT, think_s=(0.0, 0.05)) as league:
        outages = []
        for _ in range(2):
            await league.moves(60)
            outage = Outage(league)
            os.kill(server.pid, signal.SIGSTOP)
            try:
                await asyncio.sleep(STOPPED_S)  # this long, for its own sake: it is what must not be charged
            finally:
                os.kill(server.pid, signal.SIGCONT)
            outage.end()
            outages.append(outage)
        truths = await survived(league, server, database)
        for outage in outages:
            outage.check(truths)
