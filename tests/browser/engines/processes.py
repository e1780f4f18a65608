"""Programs that a browser test starts, with what they write."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import socket
import subprocess
import tempfile
from typing import TYPE_CHECKING, Self

import psutil

if TYPE_CHECKING:
    from collections.abc import Mapping

START_S = 60.0
"""Timeout for a start, on a busy machine."""

STOP_S = 15.0

POLL_S = 0.02

LOG_BYTES = 1 << 20

END_CHARACTERS = 2000


class Program:
    """A process, from its start to its end. Use as ``with``."""

    def __init__(self, *command: str, environment: Mapping[str, str] | None = None) -> None:
        """``environment``: instead of the test's own."""
        self._command = command
        self._environment = environment
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process: subprocess.Popen[bytes]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._log,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()

    async def says(self, pattern: str) -> str:
        """Wait until it writes ``pattern`` to stderr; return the first group."""
        async with asyncio.timeout(START_S):
            while (found := re.search(pattern, self._written(), re.MULTILINE)) is None:
                await self._wait()
        return found[1]

    async def serves(self, port: int) -> None:
        """Wait until it accepts connections on ``port``."""
        async with asyncio.timeout(START_S):
            while not _listens(port):
                await self._wait()

    def state(self) -> str:
        """Return its processes, each with status, CPU time and memory, and the end of what it wrote to stderr."""
        program = psutil.Process(self._process.pid)
        lines = []
        for process in (program, *program.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess):
                used_s, size_mb = sum(process.cpu_times()[:2]), process.memory_info().rss >> 20
                lines.append(f"{process.name()} {process.status()}, {used_s:.1f} s of CPU time, {size_mb} MB")
        return "\n".join([*lines, self._written()[-END_CHARACTERS:]])

    async def _wait(self) -> None:
        assert self._process.poll() is None, f"{self._command[0]} stopped: {self._written()}"
        await asyncio.sleep(POLL_S)

    def _written(self) -> str:
        # Not by ``read``: the process writes at the same position in the file.
        return os.pread(self._log.fileno(), LOG_BYTES, 0).decode(errors="replace")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
