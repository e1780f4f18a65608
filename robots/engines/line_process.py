"""A child process that is spoken to line by line."""

from __future__ import annotations

import asyncio
import contextlib
from asyncio.subprocess import DEVNULL, PIPE
from typing import TYPE_CHECKING

from robots.engines.engine import LINE_BYTES, limited
from robots.jobs import EngineFailed

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Mapping, Sequence
    from pathlib import Path

QUIT_S = 1.0
"""How long a process may take to end after its input has ended."""


class LineProcess:
    """A running process. Whoever gets ``EngineFailed`` from it closes it."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._stdin, self._stdout = process, process.stdin, process.stdout

    @classmethod
    async def start(
        cls, command: Sequence[str], *, env: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> LineProcess:
        """Start ``command``, nice and with limited memory. Raises ``EngineFailed``."""
        try:
            # In a session of its own: an interrupt at the terminal is the robots' business, not the engine's.
            process = await asyncio.create_subprocess_exec(
                *limited(command),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                env=env,
                cwd=folder,
                limit=LINE_BYTES,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineFailed(f"{command[0]} cannot be started: {error}") from error
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    def write(self, line: bytes) -> None:
        """Send a line, given without its end. A dead process is noticed by ``read_line``."""
        self._stdin.write(line + b"\n")

    async def read_line(self) -> bytes:
        """Return the next line, without its end. Raises ``EngineFailed`` if there is none."""
        try:
            line = await self._stdout.readline()
        except ValueError as error:
            raise EngineFailed(f"the engine wrote a line of more than {LINE_BYTES} bytes") from error
        if not line.endswith(b"\n"):
            raise EngineFailed("the engine process has ended")
        return line.rstrip()

    async def close(self) -> None:
        """End the process: by the end of its input, then by force."""
        self._stdin.close()
        try:
            async with asyncio.timeout(QUIT_S):
                await self._process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        with contextlib.suppress(ConnectionError):
            await self._stdin.wait_closed()
