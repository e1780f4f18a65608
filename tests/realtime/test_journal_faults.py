"""What the journal said is stored is stored, once, whatever happens to PostgreSQL meanwhile."""

from __future__ import annotations

import os
import signal
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from realtime import database
from realtime.appends import Committed, Outcome
from realtime.embedded import EmbeddedPostgres
from realtime.journal import Journal
from realtime.migrate import migrate
from tests.realtime.stored_games import NODE, append_of, make_games, moved, stored_log
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from realtime.database import Pool

GAMES = 50


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="zeitnot-test-", ignore_cleanup_errors=True) as directory:
        yield Path(directory)


@pytest.fixture
async def server(data_dir: Path) -> AsyncIterator[EmbeddedPostgres]:
    async with EmbeddedPostgres(data_dir) as postgres:
        await migrate(postgres.url)
        yield postgres


@asynccontextmanager
async def opened_pool(server: EmbeddedPostgres) -> AsyncIterator[Pool]:
    pool = await database.create_pool(server.url, max_size=2)
    try:
        yield pool
    finally:
        await pool.close()


class Players:
    """``GAMES`` games that play on as fast as the journal answers, until told to stop."""

    def __init__(self, url: str, games: list[str]) -> None:
        self.journal = Journal(url, NODE)
        self.games = games
        self.stored = 0
        self.wrong: list[Outcome] = []
        self._last = dict.fromkeys(games, 0)
        self._stopping = False

    async def start(self) -> None:
        await self.journal.start()
        for game in self.games:
            self._play(game)

    async def stop(self) -> None:
        """Let the last answers come."""
        self._stopping = True
        await self.journal.flush()
        await self.journal.close()

    def _play(self, game: str) -> None:
        seq = self._last[game] + 1

        def done(outcome: Outcome) -> None:
            if not isinstance(outcome, Committed):
                self.wrong.append(outcome)
                return
            self.stored += 1
            self._last[game] = seq
            if not self._stopping:
                self._play(game)

        self.journal.append(append_of(game, seq, done))

    async def moves(self, count: int) -> None:
        """Until ``count`` more moves are stored."""
        aim = self.stored + count
        await until(lambda: self.stored >= aim or bool(self.wrong))

    async def check(self, pool: Pool) -> None:
        """Exactly what was answered is in the database."""
        assert self.wrong == []
        for game, last in self._last.items():
            log = await stored_log(pool, game)
            assert [(seq, event) for seq, event, _ in log] == [(seq, moved(seq)) for seq in range(1, last + 1)]


@pytest.fixture
async def players(server: EmbeddedPostgres) -> AsyncIterator[Players]:
    async with opened_pool(server) as pool:
        games = await make_games(pool, GAMES)
    players = Players(server.url, games)
    await players.start()
    yield players
    await players.journal.close(deadline_s=0)


async def test_kill_9_of_postgresql_under_load(server: EmbeddedPostgres, players: Players) -> None:
    for kills in range(1, 5):
        await players.moves(5 * GAMES)
        os.kill(server.pid, signal.SIGKILL)
        await until(lambda kills=kills: server.restarts == kills)
    await players.moves(5 * GAMES)
    await players.stop()
    async with opened_pool(server) as pool:
        await players.check(pool)


async def test_kill_9_of_a_backend_under_load(server: EmbeddedPostgres, players: Players) -> None:
    """PostgreSQL then throws out everybody and recovers by itself."""
    for _ in range(2):
        await players.moves(5 * GAMES)
        backends = [child for child in psutil.Process(server.pid).children() if child.name() == "postgres"]
        os.kill(backends[-1].pid, signal.SIGKILL)
    await players.moves(5 * GAMES)
    await players.stop()
    assert server.restarts == 0
    async with opened_pool(server) as pool:
        await players.check(pool)


@pytest.mark.parametrize("patience_s", [60.0, 0.05], ids=["waited for", "given up and tried again"])
async def test_a_stopped_postgresql_is_a_stall(
    server: EmbeddedPostgres, players: Players, monkeypatch: pytest.MonkeyPatch, patience_s: float
) -> None:
    monkeypatch.setattr("realtime.journal.WRITE_TIMEOUT_S", patience_s)
    monkeypatch.setattr(database, "CONNECT_TIMEOUT_S", 0.1)
    await players.moves(5 * GAMES)
    postmaster = psutil.Process(server.pid)
    processes = [postmaster, *postmaster.children(recursive=True)]
    for process in processes:
        process.suspend()
    try:
        before = players.stored
        await until(lambda: players.journal.oldest_wait_ms() > 400)
        assert players.stored <= before + GAMES  # at most the batch whose answer was on its way
        assert players.journal.depth == GAMES
    finally:
        for process in reversed(processes):
            process.resume()
    await players.moves(5 * GAMES)
    await players.stop()
    async with opened_pool(server) as pool:
        await players.check(pool)
