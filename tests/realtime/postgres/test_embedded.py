"""Embedded PostgreSQL: one owner, restarted when it dies, stopped with its owner."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

import psutil
import pytest

from realtime.postgres import database, embedded
from realtime.postgres.embedded import EmbeddedPostgres, opened_beside
from realtime.postgres.postmaster import Postmaster
from realtime.protocol.errors import AlreadyRunning, EmbeddedError
from tests.realtime.postgres_harness import alive, answers, barred, leave_behind, linux, made, parent, query
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["barred", "made", "parent"]  # fixtures of the tests below


# A life


async def test_new_database_is_durable_and_private(parent: Path) -> None:
    async with EmbeddedPostgres(parent / "deep" / "data") as postgres:
        shown = {
            name: await query(postgres.url, f"SHOW {name}")
            for name in ("fsync", "synchronous_commit", "data_checksums", "listen_addresses", "jit", "server_encoding")
        }
        assert shown == {
            "fsync": "on",
            "synchronous_commit": "on",
            "data_checksums": "on",
            "listen_addresses": "",
            "jit": "off",
            "server_encoding": "UTF8",
        }
        assert str(await query(postgres.url, "SHOW server_version")).startswith("18.")
        assert await query(postgres.url, "SELECT current_database()") == "zeitnot"
        process = psutil.Process(postgres.pid)
        assert process.net_connections("inet") == []
        assert process.uids().effective != 0
        assert os.stat(postgres.url.partition("host=")[2]).st_mode & 0o077 == 0
        children = [child.pid for child in process.children(recursive=True)]
    assert not any(alive(pid) for pid in (postgres.pid, *children))


async def test_data_survives_restart_of_server(made: Path) -> None:
    async with EmbeddedPostgres(made) as postgres:
        assert await query(postgres.url, "SELECT n FROM kept") == 1


async def test_postgres_has_its_own_session(made: Path) -> None:
    async with EmbeddedPostgres(made) as postgres:
        assert os.getsid(postgres.pid) == postgres.pid != os.getsid(0)


async def test_interrupted_initdb_is_restarted(parent: Path) -> None:
    half = parent / "data" / "cluster.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    async with EmbeddedPostgres(parent / "data") as postgres:
        assert await answers(postgres.url)
    assert not half.exists()


# One owner


async def test_second_server_on_same_directory_is_refused(made: Path) -> None:
    async with EmbeddedPostgres(made) as postgres:
        with pytest.raises(AlreadyRunning, match=rf"in use by another server \(process {os.getpid()}\): stop it"):
            await EmbeddedPostgres(made).__aenter__()
        assert await answers(postgres.url)


async def test_command_uses_running_server_or_starts_one(made: Path, parent: Path) -> None:
    async with EmbeddedPostgres(made) as postgres, opened_beside(made) as url:
        assert url == postgres.url
    async with opened_beside(made) as url:
        assert await answers(url)
    assert not await answers(url)
    async with opened_beside(made, url="postgresql://elsewhere") as url:
        assert url == "postgresql://elsewhere"
    with pytest.raises(EmbeddedError, match=r"there is no database in .* yet"):
        async with opened_beside(parent / "nothing"):
            pass
    assert not (parent / "nothing").exists()


async def test_orphaned_postgres_is_adopted(made: Path) -> None:
    pid = leave_behind(made)
    assert alive(pid)
    async with EmbeddedPostgres(made) as postgres:
        assert postgres.pid == pid
        assert await query(postgres.url, "SELECT n FROM kept") == 1
    assert not alive(pid)


async def test_recovering_orphaned_postgres_is_waited_for(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it were stopped, it would have to restart the recovery."""
    pid = leave_behind(made)
    looks, is_ready = iter(range(50)), Postmaster.is_ready
    monkeypatch.setattr(
        Postmaster, "is_ready", lambda server, cluster: next(looks, None) is None and is_ready(server, cluster)
    )
    async with EmbeddedPostgres(made) as postgres:
        assert postgres.pid == pid


async def test_adopted_postgres_is_restarted_after_a_kill(made: Path) -> None:
    pid = leave_behind(made)
    async with EmbeddedPostgres(made) as postgres:
        os.kill(pid, signal.SIGKILL)
        await until(lambda: postgres.restarts == 1)
        await until(lambda: answers(postgres.url))
        assert postgres.pid != pid


async def test_orphaned_postgres_with_other_settings_is_replaced(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = leave_behind(made)
    monkeypatch.setitem(embedded.SETTINGS, "shared_buffers", "32MB")
    async with EmbeddedPostgres(made) as postgres:
        assert postgres.pid != pid
        assert not alive(pid)
        assert await query(postgres.url, "SHOW shared_buffers") == "32MB"


async def test_orphaned_postgres_without_socket_is_replaced(made: Path) -> None:
    pid = leave_behind(made)
    (made / "run" / ".s.PGSQL.5432").unlink()
    async with EmbeddedPostgres(made) as postgres:
        assert postgres.pid != pid
        assert await answers(postgres.url)


async def test_suspended_orphaned_postgres_is_continued(made: Path) -> None:
    pid = leave_behind(made)
    os.kill(pid, signal.SIGSTOP)
    async with EmbeddedPostgres(made) as postgres:
        assert postgres.pid == pid
        assert await answers(postgres.url)


# Death


async def test_killed_postgres_returns_at_the_same_address(made: Path) -> None:
    async with EmbeddedPostgres(made) as postgres:
        for count in (1, 2):
            pid = postgres.pid
            os.kill(pid, signal.SIGKILL)
            await until(lambda count=count: postgres.restarts == count)
            await until(lambda: answers(postgres.url))
            assert postgres.pid != pid


async def test_killed_postgres_returns_after_its_backends_end(made: Path) -> None:
    """A suspended backend does not notice the postmaster's death: shared memory stays in use until it ends."""
    async with EmbeddedPostgres(made) as postgres:
        connection = await database.connect(postgres.url, name="test")
        backend = connection.get_server_pid()
        os.kill(backend, signal.SIGSTOP)
        os.kill(postgres.pid, signal.SIGKILL)
        await until(lambda: "is still in use" in (made / "postgres.log").read_text())
        os.kill(backend, signal.SIGKILL)
        connection.terminate()
        await until(lambda: answers(postgres.url))
        await until(lambda: postgres.restarts == 1)


@pytest.fixture(params=["sleep 60", "true"], ids=["another program", "a process nobody has reaped"])
def other_pid(request: pytest.FixtureRequest) -> Iterator[int]:
    with subprocess.Popen(request.param.split()) as other:
        if request.param == "true":
            os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
        yield other.pid
        other.kill()


async def test_reused_process_id_of_dead_server_is_recognized(made: Path, other_pid: int) -> None:
    pid = leave_behind(made)
    os.kill(pid, signal.SIGKILL)
    await Postmaster(pid).ended()
    lock = made / "cluster" / "postmaster.pid"
    lock.write_text(lock.read_text().replace(str(pid), str(other_pid), 1))
    async with EmbeddedPostgres(made) as postgres:
        assert await answers(postgres.url)


@linux
async def test_zombie_process_counts_as_ended(other_pid: int) -> None:
    server = Postmaster(other_pid)
    if psutil.Process(other_pid).status() == psutil.STATUS_ZOMBIE:
        assert not server.running
        assert await server.ended()
    else:
        assert server.running
        assert not await server.ended(timeout_s=0.01)


async def test_failed_restart_is_retried(
    made: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(embedded, "HEAL_PAUSE_S", 0.01)
    version = made / "cluster" / "PG_VERSION"
    async with EmbeddedPostgres(made) as postgres:
        version.write_text("17\n")
        os.kill(postgres.pid, signal.SIGKILL)
        await until(lambda: "not compatible with this version" in caplog.text)
        version.write_text("18\n")
        await until(lambda: answers(postgres.url))


async def test_cluster_of_another_version_is_refused(made: Path) -> None:
    version = made / "cluster" / "PG_VERSION"
    version.write_text("17\n")
    try:
        with pytest.raises(
            EmbeddedError, match=r"made by PostgreSQL 17, and the programs in .* are of 18: name those of 17"
        ):
            await EmbeddedPostgres(made).__aenter__()
    finally:
        version.write_text("18\n")


async def test_stop_escalates_until_the_process_has_ended() -> None:
    deaf = "trap '' INT QUIT; echo ready; while :; do sleep 1; done"
    reading, writing = os.pipe()
    server = Postmaster.spawn(
        ["/bin/sh", "-c", deaf], output=writing, environment={"PATH": "/bin"}, account=None, inherit=()
    )
    os.close(writing)
    assert os.read(reading, 6) == b"ready\n"
    os.close(reading)
    await server.stop(fast_s=0.02, immediate_s=0.02)
    assert not server.running
    server.send(signal.SIGTERM)
