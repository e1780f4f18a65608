"""PostgreSQL's programs: selection and lifetime."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
from typing import TYPE_CHECKING

import psutil
import pytest

from realtime.postgres import tools
from realtime.postgres.binaries import find_binaries
from realtime.postgres.tools import NICENESS, PROGRAMS, Tools, end, find_tools
from realtime.protocol.errors import BackupError, EmbeddedError
from tests.processes import descendants
from tests.realtime.until import until

if TYPE_CHECKING:
    from pathlib import Path


def install(directory: Path, version: str, *programs: str) -> Path:
    """Programs that say that they are of ``version``."""
    directory.mkdir()
    for program in programs:
        file = directory / program
        file.write_text(f'#!/bin/sh\necho "{program} (PostgreSQL) {version}"\n')
        file.chmod(0o755)
    return directory


async def found(directory: Path | None, at_least: int) -> Tools:
    return await find_tools(directory, at_least=at_least, environment=os.environ)


async def test_bundled_tools_are_used_unless_server_is_newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    newer = install(tmp_path / "newer", "19beta1 (Debian 19~beta1-1)", *PROGRAMS)
    monkeypatch.setenv("PATH", str(newer), prepend=":")
    wheel = await found(None, 14)
    assert wheel.directory == find_binaries().directory
    assert wheel.major >= 18
    assert (await found(None, 19)).directory == newer


async def test_configured_tools_are_used_or_refused(tmp_path: Path) -> None:
    named = install(tmp_path / "named", "16.4", *PROGRAMS)
    assert (await found(named, 16)).major == 16
    with pytest.raises(
        BackupError,
        match=re.escape(f"of PostgreSQL 17 or later, as the server is, are needed; {named} has those of 16. ")
        + r"Install them \(Debian, Ubuntu: postgresql-client-17\), or name their directory with --postgres-bin",
    ):
        await found(named, 17)
    half = install(tmp_path / "half", "19.0", "pg_dump")
    with pytest.raises(BackupError, match="has no pg_restore and no psql"):
        await found(half, 17)


async def test_missing_tools_explain_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_wheel() -> None:
        raise EmbeddedError("no wheel for this system")

    monkeypatch.setattr(tools, "find_binaries", no_wheel)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match=r"are needed; none were found\. Install them"):
        await find_tools(None, at_least=None, environment=os.environ)


async def test_failing_tool_reports_the_reason(tmp_path: Path) -> None:
    script = tmp_path / "pg_dump"
    script.write_text('#!/bin/sh\nif [ "$1" = die ]; then kill -9 $$; fi\necho "no such $1" >&2; exit 3\n')
    script.chmod(0o755)
    tools = Tools(tmp_path, 18, os.environ)
    with pytest.raises(BackupError, match=r"^pg_dump failed: no such thing$"):
        await tools.run("pg_dump", "thing")
    with pytest.raises(BackupError, match="ended by SIGKILL"):
        await tools.run("pg_dump", "die")
    script.chmod(0o600)
    with pytest.raises(BackupError, match="cannot be run"):
        await tools.run("pg_restore")


async def test_ending_a_tool_leaves_its_status_to_asyncio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``Popen.poll`` may collect it first; then asyncio reports 255 for whatever it was."""

    def poll(process: subprocess.Popen[bytes]) -> int | None:
        raise AssertionError("the status was collected")

    script = tmp_path / "psql"
    script.write_text("#!/bin/sh\nexec sleep 1000\n")
    script.chmod(0o755)
    process = await Tools(tmp_path, 18, os.environ).start("psql")
    monkeypatch.setattr(subprocess.Popen, "poll", poll)
    await end(process)
    assert process.returncode == -signal.SIGTERM


async def test_tool_has_low_priority_and_ends_on_cancellation(tmp_path: Path) -> None:
    """This includes a tool that ignores SIGTERM."""
    script = tmp_path / "pg_dump"
    script.write_text("#!/bin/sh\ntrap '' TERM\nexec sleep 1000\n")
    script.chmod(0o755)
    tools = Tools(tmp_path, 18, os.environ)
    process = await tools.start("pg_dump", stdout=asyncio.subprocess.DEVNULL)
    await until(lambda: psutil.Process(process.pid).nice() == NICENESS)
    ending = asyncio.create_task(end(process))
    await asyncio.sleep(0)
    ending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ending
    assert process.returncode is not None
    running = asyncio.create_task(tools.run("pg_dump", stdout=asyncio.subprocess.DEVNULL))

    def sleepers() -> list[psutil.Process]:
        return descendants(os.getpid(), lambda child: child.name() == "sleep")

    await until(lambda: len(sleepers()) == 1)
    (child,) = sleepers()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not psutil.pid_exists(child.pid)
