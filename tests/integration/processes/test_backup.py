"""Backup and restore by an operator: beside a running server, and into another directory."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import signal
import subprocess
import termios
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from realtime.postgres.database import connect
from realtime.postgres.embedded import opened_beside
from tests.integration.commands import command, zeitnot
from tests.integration.match import Match, begin
from tests.integration.running_simul import GAME, fetch, listen, running
from tests.realtime.until import until
from tests.server_process import CHEAP_HASHES, ROOT, ServerProcess
from tests.wire_client import Client, guest, login, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

EMBEDDED = True

PREPARE = CHEAP_HASHES


async def started(*arguments: object, stdout: int | None = None) -> asyncio.subprocess.Process:
    """A command that goes on, whose standard error is kept."""
    return await asyncio.create_subprocess_exec(
        *command(*arguments), cwd=ROOT, stdout=stdout, stderr=asyncio.subprocess.PIPE
    )


@pytest.fixture
def other(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that is not started, and has no directory yet."""
    server = ServerProcess(tmp_path / "other", prepare=PREPARE)
    yield server
    server.stop()


@pytest.fixture
async def database(server: ServerProcess) -> AsyncIterator[str]:
    async with opened_beside(server.data) as url:
        yield url


async def sat_down(white: Client, black: Client, **terms: Any) -> Match:
    g = await begin(white, black, **terms)
    for player in (white, black):
        await player.sub(g, ticks=False)
    return Match(g, white, black)


async def test_restore_recovers_everything(
    url: str, server: ServerProcess, other: ServerProcess, tmp_path: Path, bystanders: Match
) -> None:
    token, user = await asyncio.to_thread(member, url)
    async with Client(url, token) as white, Client(url, (await asyncio.to_thread(member, url))[0]) as black:
        ended = await sat_down(white, black, rated=True)
        await ended.play("e2e4", "e7e5", "g1f3", "b8c6")
        await black.request("resign", g=ended.g)
        live = await sat_down(white, black, rated=True)
        await live.play("d2d4", "d7d5")
    async with running(url) as running_simul:
        await running_simul.move(1, 0)
        await running_simul.move(1, 1)

        played_before = len(bystanders.played)
        status, said, _ = await zeitnot("backup", tmp_path / "x.dump", "--data", server.data)
        played_after = len(bystanders.played)
        assert (status, said.partition(" MB, ")[2]) == (0, f"migrations up to {await newest(server):04}\n")
        assert os.listdir(tmp_path) == ["x.dump"]
        assert (tmp_path / "x.dump").stat().st_mode & 0o777 == 0o600

        status, said, _ = await zeitnot("restore", tmp_path / "x.dump", "--data", other.data)
        assert status == 0, said
        assert "games, 4 of them unfinished, and" in said
        there = await asyncio.to_thread(other.start)

        stored = len((await asyncio.to_thread(fetch, there, f"games/{bystanders.g}"))["moves"])
        assert played_before <= stored <= played_after + 1, "one instant while they played"

        assert (await asyncio.to_thread(login, there, user["name"]))[1]["id"] == user["id"]
        profile = await asyncio.to_thread(fetch, there, f"users/{user['name']}")
        assert profile["ratings"]["blitz"]["games"] == 1
        assert (await asyncio.to_thread(fetch, there, f"games/{ended.g}"))["result"] == "1-0"

        async with Client(there, white.token) as again, Client(there, black.token) as opponent:
            shown = [await player.sub(live.g, ticks=False) for player in (again, opponent)]
            assert [one["moves"] for one in shown] == [live.played] * 2
            goes_on = Match(live.g, again, opponent)
            goes_on.played = list(live.played)
            await goes_on.play("c2c4", "e7e6")
            await again.request("resign", g=live.g)
        profile = await asyncio.to_thread(fetch, there, f"users/{user['name']}")
        assert profile["ratings"]["blitz"]["games"] == 2

        async with (
            Client(there, running_simul.host.token) as host,
            Client(there, running_simul.players[0].token) as player,
        ):
            await listen(host, running_simul.id)
            for socket in (host, player):
                await socket.sub(running_simul.boards[1], ticks=False)
            await host.request("move", g=running_simul.boards[1], move=GAME[2], ply=2)
            await player.request("move", g=running_simul.boards[1], move=GAME[3], ply=3)

        # What went on here after the backup is not there, and goes on here.
        await running_simul.move(2, 0)
        assert (await asyncio.to_thread(fetch, there, f"games/{running_simul.boards[2]}"))["moves"] == []


async def newest(server: ServerProcess) -> int:
    async with opened_beside(server.data) as url:
        connection = await connect(url, name="test")
        try:
            number: int = await connection.fetchval("SELECT max(number) FROM schema_migration")
        finally:
            await connection.close()
    return number


@pytest.mark.slow("backups of whole directories")
async def test_data_directory_is_restored_by_standard_input(tmp_path: Path, other: ServerProcess) -> None:
    """Backup to standard output and restore from standard input without a server, which starts afterwards."""
    url = await asyncio.to_thread(other.start)
    token, _ = await asyncio.to_thread(guest, url)
    await asyncio.to_thread(other.stop)
    with (tmp_path / "x.dump").open("wb") as file:
        done = await asyncio.to_thread(
            subprocess.run, command("backup", "-", "--data", other.data), cwd=ROOT, stdout=file, check=False
        )
    assert done.returncode == 0
    url = await asyncio.to_thread(other.start)
    later, _ = await asyncio.to_thread(guest, url)
    status, _, said = await zeitnot("restore", tmp_path / "x.dump", "--replace", "--yes", "--data", other.data)
    assert (status, "is in use by another server" in said) == (2, True)
    await asyncio.to_thread(other.stop)
    status, _, said = await zeitnot("restore", tmp_path / "x.dump", "--data", other.data)
    assert (status, "not empty" in said) == (2, True)
    with (tmp_path / "x.dump").open("rb") as file:
        done = await asyncio.to_thread(
            subprocess.run,
            command("restore", "-", "--replace", "--yes", "--data", other.data),
            cwd=ROOT,
            stdin=file,
            capture_output=True,
            check=False,
        )
    assert (done.returncode, b"standard input is restored: 0 games" in done.stdout) == (0, True), done.stderr
    url = await asyncio.to_thread(other.start)
    async with Client(url, token) as client:
        assert client.welcome["user"] is not None
    with pytest.raises(Exception, match="401"):
        await Client(url, later).__aenter__()


async def test_restore_refuses_a_running_server(
    server: ServerProcess, database: str, tmp_path: Path, bystanders: Match
) -> None:
    status, _, _ = await zeitnot("backup", tmp_path / "x.dump", "--database", database)
    assert status == 0
    status, _, said = await zeitnot("restore", tmp_path / "x.dump", "--replace", "--yes", "--data", server.data)
    assert (status, f"in use by another server (process {server.pid})" in said) == (2, True), said
    status, _, said = await zeitnot("restore", tmp_path / "x.dump", "--replace", "--yes", "--database", database)
    assert (status, "servers are alive on this database: node-" in said) == (2, True), said


async def test_backup_does_not_overwrite_a_file(server: ServerProcess, tmp_path: Path) -> None:
    (tmp_path / "x.dump").write_text("precious")
    status, _, said = await zeitnot("backup", tmp_path / "x.dump", "--data", server.data)
    assert (status, "--force" in said) == (2, True)
    assert (tmp_path / "x.dump").read_text() == "precious"
    status, _, _ = await zeitnot("backup", tmp_path / "x.dump", "--force", "--data", server.data)
    assert status == 0
    assert (tmp_path / "x.dump").stat().st_size > 10_000
    status, _, said = await zeitnot("backup", tmp_path / "no such" / "x.dump", "--data", server.data)
    assert (status, "No such file or directory" in said) == (1, True)
    status, _, said = await zeitnot("backup", tmp_path / "y.dump", "--data", tmp_path / "nothing")
    assert (status, "there is no database in" in said) == (2, True)
    assert os.listdir(tmp_path) == ["x.dump"]


async def test_backup_directory_keeps_the_newest_files(server: ServerProcess, tmp_path: Path) -> None:
    for name in ("zeitnot-2025-01-01T000000Z.dump", "zeitnot-2025-01-02T000000Z.dump", "zeitnot.dump", "a.dump"):
        (tmp_path / name).write_text("old")
    status, said, _ = await zeitnot("backup", tmp_path, "--keep", "2", "--data", server.data)
    assert status == 0
    found = sorted(os.listdir(tmp_path))
    assert found[:2] == ["a.dump", "zeitnot-2025-01-02T000000Z.dump"]
    assert re.fullmatch(r"zeitnot-20\d\d-\d\d-\d\dT\d{6}Z\.dump", found[2])
    assert found[3:] == ["zeitnot.dump"]
    assert f"{tmp_path / found[2]}: " in said
    status, _, said = await zeitnot("backup", tmp_path / "x.dump", "--keep", "2", "--data", server.data)
    assert (status, "is not a directory" in said) == (2, True)
    status, _, said = await zeitnot("backup", tmp_path, "--keep", "-1", "--data", server.data)
    assert (status, "expected a number of backups" in said) == (2, True)


async def test_metrics_show_the_time_of_the_last_backup(server: ServerProcess, database: str, tmp_path: Path) -> None:
    connection = await connect(database, name="test")
    try:
        await connection.execute("DELETE FROM backup")
        before = await connection.fetchval("SELECT now()")
        assert (await zeitnot("backup", tmp_path / "x.dump", "--data", server.data))[0] == 0
        assert await connection.fetchval("SELECT at FROM backup") > before
        status, _, _ = await zeitnot("backup", tmp_path / "x.dump", "--data", server.data)
        assert status == 2
        assert await connection.fetchval("SELECT count(*) FROM backup") == 1
    finally:
        await connection.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_interrupted_backup_leaves_no_file(
    server: ServerProcess, database: str, tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "x.dump").write_text("of yesterday")
    holder, watcher = await connect(database, name="test"), await connect(database, name="test")
    dumping = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pg_dump'"
    async with holder.transaction():
        await holder.execute("LOCK TABLE kept_name IN ACCESS EXCLUSIVE MODE")
        process = await started("backup", tmp_path / "x.dump", "--force", "--data", server.data)
        await until(lambda: watcher.fetchval(f"{dumping} AND wait_event_type = 'Lock'"))
        (child,) = (child for child in psutil.Process(process.pid).children() if child.name() == "pg_dump")
        assert len(os.listdir(tmp_path)) == 2, "it is being written"
        process.send_signal(number)
        _, said = await process.communicate()
        assert (process.returncode, said.splitlines()[-1]) == (130, b"zeitnot: interrupted")
        assert not psutil.pid_exists(child.pid)

    async def is_over() -> bool:
        return not await watcher.fetchval(dumping)

    await until(is_over)  # who waits for a lock hears only afterwards that nobody wants it any more
    for connection in (holder, watcher):
        await connection.close()
    assert os.listdir(tmp_path) == ["x.dump"]
    assert (tmp_path / "x.dump").read_text() == "of yesterday"


async def test_restore_waiting_for_input_can_be_interrupted(tmp_path: Path) -> None:
    reads, writes = os.pipe()
    process = await asyncio.create_subprocess_exec(
        *command("restore", "-", "--data", tmp_path / "new"), cwd=ROOT, stdin=reads, stderr=asyncio.subprocess.PIPE
    )
    os.close(reads)
    os.write(writes, b"PGDMP")
    # It is asleep in the pipe once it has taken what is in it.
    await until(lambda: fcntl.ioctl(writes, termios.FIONREAD, bytes(4)) == bytes(4))
    process.send_signal(signal.SIGTERM)
    _, said = await process.communicate()
    os.close(writes)
    assert (process.returncode, said.splitlines()[-1]) == (130, b"zeitnot: interrupted")
    assert not (tmp_path / "new").exists()


async def test_broken_pipe_is_reported(server: ServerProcess) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    process = await started("backup", "-", "--data", server.data, stdout=writes)
    os.close(writes)
    _, said = await process.communicate()
    assert (process.returncode, b"has closed it" in said) == (2, True), said


async def test_backup_refuses_a_terminal(server: ServerProcess) -> None:
    outer, terminal = os.openpty()
    process = await started("backup", "-", "--data", server.data, stdout=terminal)
    _, said = await process.communicate()
    os.close(terminal)
    os.close(outer)
    assert (process.returncode, b"a backup is binary" in said) == (2, True)
