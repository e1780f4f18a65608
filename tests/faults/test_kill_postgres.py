"""A kill of PostgreSQL: clients notice no more than a pause."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import psutil
import pytest

from harness.chaos.league import League
from realtime.postgres.database import connect
from tests.faults.outage import Outage, is_not_ready, is_ready, survived, suspended
from tests.realtime.until import until

if TYPE_CHECKING:
    from tests.server_process import ServerProcess

GAMES = 20
PLIES = 50
MOVES_BETWEEN = (20, 150)


async def test_kill_9_of_postgresql_loses_nothing(server: ServerProcess, database: str) -> None:
    async with League(server.url, games=GAMES, plies=PLIES, seed=2) as league:
        for _ in range(4):
            await league.moves(league.chance.randint(*MOVES_BETWEEN))
            postgres = server.postgres_pid()
            os.kill(postgres, signal.SIGKILL)
            await until(lambda postgres=postgres: not psutil.pid_exists(postgres))
        await survived(league, server, database)


async def test_lost_journal_connection_loses_nothing(server: ServerProcess, database: str) -> None:
    connection = await connect(database, name="checker")
    try:
        async with League(server.url, games=GAMES, plies=PLIES, seed=3) as league:
            for _ in range(8):
                await league.moves(league.chance.randint(*MOVES_BETWEEN))
                ended = await connection.fetchval(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE $1",
                    "zeitnot journal%",
                )
                assert ended <= 1
            await survived(league, server, database)
    finally:
        await connection.close()


@pytest.mark.slow("a long outage of PostgreSQL")
async def test_long_database_outage_costs_no_clock_time(server: ServerProcess, database: str) -> None:
    """Child processes of a dead postmaster keep its shared memory: no new one can start before they have exited."""
    async with League(server.url, games=GAMES, plies=PLIES, seed=4) as league:
        await league.moves(300)
        outage = Outage(league)
        with suspended(server.postgres_pid()) as processes:
            processes[0].kill()
            await league.every(lambda player: player.view.holds > 0)
            await until(lambda: is_not_ready(server))
            outage.end()
            for process in processes[1:]:
                process.kill()
        await until(lambda: is_ready(server))
        outage.check(await survived(league, server, database))
