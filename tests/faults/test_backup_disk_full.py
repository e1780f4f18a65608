"""A full disk during a backup: a clear error, no partial file, earlier backups intact."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.faults.small_disk import SmallDisk, small_disk
from tests.server_process import COMMAND, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.server_process import ServerProcess


pytestmark = pytest.mark.slow("a disk of its own")


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    with (
        tempfile.TemporaryDirectory(prefix="zeitnot-test-") as directory,
        small_disk(Path(directory) / "backups") as disk,
    ):
        yield disk


async def test_full_disk_fails_a_backup_cleanly(server: ServerProcess, disk: SmallDisk) -> None:
    inside = Path("/", *disk.outside.parts[4:])

    async def back_up(name: str, *more: str) -> tuple[int, str]:
        command = (*disk.enter, sys.executable, "-c", COMMAND, "backup", str(inside / name), "--data", str(server.data))
        done = await asyncio.to_thread(
            subprocess.run, [*command, *more], cwd=ROOT, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stderr

    assert (await back_up("old.dump"))[0] == 0
    before = await asyncio.to_thread((disk.outside / "old.dump").read_bytes)
    disk.fill()
    target = f"zeitnot: backs up the embedded PostgreSQL in {server.data}\n"
    refusal = f"{target}zeitnot: there is no room for the backup in {inside}: nothing was written\n"
    assert await back_up("new.dump") == (2, refusal)
    assert await back_up("old.dump", "--force") == (2, refusal)
    assert sorted(os.listdir(disk.outside)) == ["ballast", "old.dump"]
    assert await asyncio.to_thread((disk.outside / "old.dump").read_bytes) == before
    disk.free()
    assert (await back_up("new.dump"))[0] == 0
