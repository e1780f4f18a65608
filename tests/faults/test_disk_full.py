"""A full disk: clear errors, stopped clocks, nothing shown that is not stored, and recovery."""

from __future__ import annotations

import asyncio
import json
import tempfile
import urllib.error
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.chaos.league import LIMITS, League
from realtime.postgres.database import FAILURES, connect
from realtime.postgres.embedded import opened_beside
from tests.faults.outage import Outage, is_not_ready, is_ready, survived
from tests.faults.small_disk import SmallDisk, small_disk
from tests.realtime.until import until
from tests.server_process import ServerProcess
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from harness.chaos.clients import ScriptedPlayer

GAMES = 20
PLIES = 50


@pytest.fixture(scope="module")
def disk() -> Iterator[SmallDisk]:
    # Not pytest's directory: where root runs the tests, PostgreSQL's account has to get there, or its socket goes
    # elsewhere.
    with tempfile.TemporaryDirectory(prefix="zeitnot-test-") as directory:
        Path(directory).chmod(0o755)
        with small_disk(Path(directory) / "data") as disk:
            yield disk


@pytest.fixture(scope="module")
def server(disk: SmallDisk, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    data = Path("/", *disk.outside.parts[4:])
    with ServerProcess(data, "--limit", LIMITS, enter=disk.enter) as server:
        yield server
    assert "Traceback" not in server.told(), server.told()


@pytest.fixture
async def database(server: ServerProcess, disk: SmallDisk) -> AsyncIterator[str]:
    async with opened_beside(disk.outside) as url:
        yield url


def is_told(player: ScriptedPlayer) -> bool:
    """Return whether the player knows that the clocks are held."""
    return player.view.holds > 0


async def test_full_disk_refuses_moves(server: ServerProcess, disk: SmallDisk, database: str) -> None:
    async with League(server.url, games=GAMES, seed=7, plies=PLIES) as league:
        await league.moves(200)
        await asyncio.to_thread(disk.fill)
        outage = Outage(league)
        await league.every(is_told)
        outage.end()
        disk.free()
        truths = await survived(league, server, database)
        outage.check(truths)


@pytest.mark.slow("a disk of its own")
async def test_full_write_ahead_log_stops_the_database(server: ServerProcess, disk: SmallDisk, database: str) -> None:
    """PostgreSQL then stops, and does not start again before there is space."""
    async with League(server.url, games=GAMES, seed=8, plies=PLIES) as league:
        await league.moves(200)
        await asyncio.to_thread(disk.fill)
        outage = Outage(league)
        await use_up_the_log(database)
        await league.every(is_told)
        await until(lambda: is_not_ready(server))
        async with Client(server.url) as stranger:
            await stranger.sub(league.matches[0].game)
        with pytest.raises(urllib.error.HTTPError) as refused:
            await asyncio.to_thread(guest, server.url)
        with refused.value as answer:
            assert (answer.code, json.load(answer)["error"]["code"]) == (503, "unavailable")
        outage.end()
        disk.free()
        await until(lambda: is_ready(server))
        truths = await survived(league, server, database)
        outage.check(truths)


async def use_up_the_log(database: str) -> None:
    """Go on to the next segment of PostgreSQL's log until there is none."""
    connection = await connect(database, name="checker")
    with suppress(*FAILURES):
        while True:
            await connection.execute("SELECT pg_logical_emit_message(false, 'x', 'x'); SELECT pg_switch_wal()")
    connection.terminate()


@pytest.mark.slow("a disk of its own")
def test_start_on_a_full_disk_is_refused(server: ServerProcess, disk: SmallDisk) -> None:
    server.stop()
    disk.fill()
    with pytest.raises(AssertionError, match="No space left on device"):
        server.start()
    disk.free()
    server.start()
