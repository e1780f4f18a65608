"""Fixtures for tests of backups: an empty database, and a backup to restore into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from realtime.commands.backup import back_up
from realtime.commands.restore import opened, restore
from realtime.commands.settings import read_settings
from realtime.postgres.database import connect
from tests.empty_tables import clear
from tests.realtime.stored_games import make_games

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from realtime.commands.settings import Settings
    from realtime.postgres.database import Connection, Pool
    from tests.conftest import Server


@pytest.fixture
def target(postgres: Server) -> Iterator[str]:
    """The address of an empty database."""
    name = postgres.create(template="template1")
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture
async def inside(target: str) -> AsyncIterator[Connection]:
    """A connection to that database."""
    connection = await connect(target, name="test")
    yield connection
    await connection.close()


@pytest.fixture
async def backup(database_url: str, pool: Pool, tmp_path: Path) -> Path:
    """A backup of a database with a live game, a finished game, and the node that owns both."""
    await clear(pool, "node", "game")
    await make_games(pool, 1)
    await make_games(pool, 1, status="over")
    await pool.execute("INSERT INTO node (id, expires_at) VALUES ('node-a', now() + interval '1 hour')")
    await back_up(asked(database_url), print, file=str(tmp_path / "x.dump"), force=False)
    return tmp_path / "x.dump"


def asked(url: str, **more: str) -> Settings:
    return read_settings({"database": url, **more}, {})


async def restored(url: str, backup: Path, *, replace: bool = False) -> list[str]:
    """Restore a backup; return the output of the command."""
    said: list[str] = []
    with opened(str(backup)) as source:
        assert await restore(asked(url), said.append, source, replace=replace) == 0
    return said
