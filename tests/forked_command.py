"""The command ``zeitnot`` in a process forked from one that has imported everything already.

Importing the server takes more than half a second of CPU, and the tests start hundreds. Each pytest process has one
fork server (``multiprocessing``), started with the first command.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
from typing import TYPE_CHECKING

from realtime.commands.cli import main

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from multiprocessing.connection import Connection
    from pathlib import Path
    from typing import TextIO

_forking = multiprocessing.get_context("forkserver")
_forking.set_forkserver_preload(["realtime.app", "tests.forked_command"])


class ForkedCommand:
    """A running ``zeitnot``, with the part of `subprocess.Popen` that tests use.

    Attributes:
        pid: process id.
        stdout: its output; the caller closes it.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        directory: Path,
        environment: Mapping[str, str],
        log: Path,
        prepare: str = "",
    ) -> None:
        """``log``: file to which its stderr is appended; ``prepare``: Python that its process runs first."""
        read, write = _forking.Pipe(duplex=False)
        with read, write:
            given = (tuple(arguments), str(directory), dict(environment), str(log), prepare, write)
            self._process = _forking.Process(target=_run, args=given)
            self._process.start()
            self.stdout: TextIO = os.fdopen(os.dup(read.fileno()))
        assert self._process.pid is not None
        self.pid = self._process.pid

    def send_signal(self, number: int) -> None:
        """Send a signal; do nothing if the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the process; do nothing if it has ended."""
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        """Return the exit status; None while the process runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit status; the negative signal number if a signal ended the process.

        Raises:
            subprocess.TimeoutExpired: it has not ended after ``timeout`` seconds.
        """
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired("zeitnot", timeout or 0.0)
        return status


def _run(
    arguments: Sequence[str], directory: str, environment: Mapping[str, str], log: str, prepare: str, out: Connection
) -> None:
    """Run the command in the forked process."""
    with open(log, "ab") as errors:
        os.dup2(errors.fileno(), 2)
    with out:
        os.dup2(out.fileno(), 1)
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    exec(prepare, {})
    main(arguments)
