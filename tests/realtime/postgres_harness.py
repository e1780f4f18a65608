"""Helpers for tests of the embedded PostgreSQL: directories with and without a cluster."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from realtime.postgres import database
from realtime.postgres.embedded import EmbeddedPostgres

if TYPE_CHECKING:
    from collections.abc import Iterator

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root changes accounts")
linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")


@pytest.fixture(scope="module")
def made() -> Iterator[Path]:
    """A data directory with a cluster, so that a test need not wait for initdb."""
    with tempfile.TemporaryDirectory(prefix="zeitnot-test-", ignore_cleanup_errors=True) as directory:
        path = Path(directory)
        path.chmod(0o755)

        async def make() -> None:
            async with EmbeddedPostgres(path / "data") as postgres:
                await query(postgres.url, "CREATE TABLE kept AS SELECT 1 AS n")

        asyncio.run(make())
        yield path / "data"


@pytest.fixture
def parent() -> Iterator[Path]:
    """An empty directory with a short name that every user can reach."""
    with tempfile.TemporaryDirectory(prefix="zeitnot-test-") as directory:
        Path(directory).chmod(0o755)
        yield Path(directory)


@pytest.fixture
def barred(parent: Path) -> Path:
    """An empty directory that only its owner can reach."""
    parent.chmod(0o700)
    return parent


async def query(url: str, sql: str) -> object:
    connection = await database.connect(url, name="test")
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def answers(url: str) -> bool:
    try:
        return await query(url, "SELECT 1") == 1
    except database.FAILURES:
        return False


def alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


SUPERVISOR = """
import asyncio, sys
from realtime.postgres.embedded import EmbeddedPostgres
async def main():
    async with EmbeddedPostgres(sys.argv[1]) as postgres:
        print(postgres.pid, flush=True)
        await asyncio.sleep(60)
asyncio.run(main())
"""


def leave_behind(data_dir: Path) -> int:
    """Start a server and kill its supervisor with -9; return the server's process id."""
    with subprocess.Popen([sys.executable, "-c", SUPERVISOR, data_dir], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.kill()
    return pid
