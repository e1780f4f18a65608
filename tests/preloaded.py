"""The command ``zeitnot`` in a process that is forked from one which has imported everything already.

Importing the server takes more than half a second of CPU, and the tests start hundreds. Each process of pytest has one
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
_forking.set_forkserver_preload(["realtime.app", "tests.preloaded"])


class Preloaded:
    """A running ``zeitnot``, with as much of `subprocess.Popen` as tests use.

    Attributes:
        pid: number of its process.
        stdout: what it prints; whoever started it closes it.
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
        """``log``: file that its stderr is appended to; ``prepare``: Python that is run in its process first."""
        read, write = _forking.Pipe(duplex=False)
        with read, write:
            given = (tuple(arguments), str(directory), dict(environment), str(log), prepare, write)
            self._process = _forking.Process(target=_run, args=given)
            self._process.start()
            self.stdout: TextIO = os.fdopen(os.dup(read.fileno()))
        assert self._process.pid is not None
        self.pid = self._process.pid

    def send_signal(self, number: int) -> None:
        """Nothing happens if it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Nothing happens if it has ended."""
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        """Its exit status, None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, the negative number of the signal that ended it.

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
    """What the forked process does."""
    with open(log, "ab") as errors:
        os.dup2(errors.fileno(), 2)
    with out:
        os.dup2(out.fileno(), 1)
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    exec(prepare, {})
    main(arguments)
