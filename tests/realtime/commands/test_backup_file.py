"""Backup file: it gets its name when it is complete."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from realtime.commands.backup_file import unfinished
from realtime.protocol.errors import BackupError


async def write(path: Path, text: str, *, replace: bool = False) -> None:
    with unfinished(path, replace=replace) as file:
        os.write(file.descriptor, text.encode())
        await file.flush()
        await file.finish()


def names(directory: Path) -> list[str]:
    return sorted(file.name for file in directory.iterdir())


async def test_finished_backup_is_renamed_and_private(tmp_path: Path) -> None:
    path = tmp_path / "x.dump"
    with unfinished(path, replace=False) as file:
        os.write(file.descriptor, b"half")
        (beside,) = names(tmp_path)
        assert beside.startswith(".x.dump.")
        assert beside.endswith(".part")
        await file.finish()
    assert names(tmp_path) == ["x.dump"]
    assert path.read_text() == "half"
    assert path.stat().st_mode & 0o777 == 0o600


async def test_unfinished_backup_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.dump").write_text("old")
    with unfinished(tmp_path / "x.dump", replace=True) as file:
        os.write(file.descriptor, b"half")
    assert names(tmp_path) == ["x.dump"]
    assert (tmp_path / "x.dump").read_text() == "old"


async def test_existing_file_is_overwritten_only_with_force(tmp_path: Path) -> None:
    path = tmp_path / "x.dump"
    await write(path, "first")
    with pytest.raises(BackupError, match=r"x\.dump already exists: .* --force"):
        await write(path, "second")
    assert path.read_text() == "first"
    await write(path, "third", replace=True)
    assert path.read_text() == "third"
    assert names(tmp_path) == ["x.dump"]


@pytest.mark.parametrize("has_links", [True, False])
async def test_file_created_during_backup_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    if not has_links:
        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "x.dump"
    with unfinished(path, replace=False) as file:
        path.write_text("somebody else's")
        with pytest.raises(BackupError, match="already exists"):
            await file.finish()
    assert path.read_text() == "somebody else's"
    path.unlink()
    await write(path, "ours")
    assert (names(tmp_path), path.read_text()) == (["x.dump"], "ours")


async def test_symbolic_link_is_kept_and_its_target_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "x.dump").symlink_to(tmp_path / "there" / "y.dump")
    await write(tmp_path / "x.dump", "new")
    assert (tmp_path / "x.dump").is_symlink()
    assert (tmp_path / "there" / "y.dump").read_text() == "new"


async def test_path_that_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(BackupError, match=r"is not a regular file; use - for standard output"):
            await write(path, "new", replace=True)
    with pytest.raises(FileNotFoundError):
        await write(tmp_path / "no such" / "x.dump", "new")
    assert names(tmp_path) == ["pipe"]


def test_full_disk_is_reported(tmp_path: Path) -> None:
    def write_to_full() -> None:
        with unfinished(tmp_path / "x.dump", replace=False), Path("/dev/full").open("wb", buffering=0) as full:
            full.write(b"x")

    with pytest.raises(BackupError, match=f"there is no room for the backup in {tmp_path}: nothing was written"):
        write_to_full()
    assert names(tmp_path) == []
