"""A running PostgreSQL server process, started by us or left behind by an earlier run.

Its state is in ``postmaster.pid``: line 1 the process id, line 8 the status.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from realtime.postgres.account import SystemAccount

_POLL_S = 0.01
"""Poll interval of the status during a start, which takes about 20 ms."""

_NO_PIDFD_POLL_S = 0.05
"""Poll interval of a process where the kernel cannot report its end (macOS)."""


class Postmaster:
    """The server's main process; its children end with it.

    Attributes:
        pid: its process id.
    """

    def __init__(self, pid: int, child: subprocess.Popen[bytes] | None = None) -> None:
        self.pid = pid
        self._child = child  # None when it was adopted: then it is init's to reap

    @classmethod
    def spawn(
        cls,
        command: Sequence[str],
        *,
        output: int,
        environment: Mapping[str, str],
        account: SystemAccount | None,
        inherit: Sequence[int],
    ) -> Postmaster:
        """Start ``command`` in a session of its own, so that a terminal's Ctrl-C does not reach it.

        ``output`` is the descriptor of its output; ``inherit`` are other descriptors it gets.
        """
        child = subprocess.Popen(  # noqa: S603  our own command line, no shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environment,
            cwd="/",
            user=None if account is None else account.uid,
            group=None if account is None else account.gid,
            extra_groups=None if account is None else [],
            pass_fds=inherit,
            start_new_session=True,
        )
        return cls(child.pid, child)

    @classmethod
    def adopt(cls, cluster: Path) -> Postmaster | None:
        """Return the server that already runs on the files in ``cluster``, if there is one."""
        pid = _pid(_lines(cluster))
        if not pid or not _works_in(pid, cluster):
            return None
        server = cls(pid)
        server.send(signal.SIGCONT)
        return server

    @staticmethod
    def forget_reused_pid(cluster: Path) -> None:
        """Correct a lock file whose process id has been reused.

        PostgreSQL would take any program with that number for a server, and also a zombie. Process ids are reused
        quickly, especially in containers. The file is not removed, because it also says which shared memory must be
        free. Our own id in it tells PostgreSQL, whose parent we are, that the server is gone.
        """
        lines = _lines(cluster)
        pid = _pid(lines)
        if pid not in (0, os.getpid()) and not _works_in(pid, cluster):
            with (cluster / "postmaster.pid").open("r+") as file:
                file.write("\n".join([str(os.getpid()), *lines[1:]]) + "\n")
                file.truncate()

    def is_ready(self, cluster: Path) -> bool:
        """Return whether it accepts connections."""
        lines = _lines(cluster)
        return len(lines) > 7 and lines[0] == str(self.pid) and lines[7].strip() == "ready"

    @property
    def running(self) -> bool:
        """Return whether the process is running (not one that has ended and is not reaped)."""
        if self._child is not None:
            return self._child.poll() is None
        if sys.platform == "linux":
            try:
                status = Path(f"/proc/{self.pid}/stat").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                return False
            return status.rpartition(b") ")[2][:1] not in b"ZX"
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    async def ready(self, cluster: Path, *, timeout_s: float) -> bool:
        """Wait until it accepts connections; False if it ended or took too long."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        while not self.is_ready(cluster):
            if not self.running or loop.time() > deadline:
                return False
            await asyncio.sleep(_POLL_S)
        return True

    async def ended(self, timeout_s: float | None = None) -> bool:
        """Wait until the process is gone; False if it is still there after ``timeout_s``."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._wait()
        return not self.running

    async def _wait(self) -> None:
        if sys.platform != "linux":
            while self.running:  # noqa: ASYNC110  no event tells of another process there
                await asyncio.sleep(_NO_PIDFD_POLL_S)
            return
        try:
            handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return
        loop = asyncio.get_running_loop()
        gone = asyncio.Event()
        loop.add_reader(handle, gone.set)
        try:
            await gone.wait()
        finally:
            loop.remove_reader(handle)
            os.close(handle)

    def send(self, number: signal.Signals) -> None:
        """Send a signal, if the process is there."""
        if self.running:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def stop(self, *, fast_s: float, immediate_s: float) -> None:
        """Stop the server: fast (clients are disconnected, everything is written); after ``fast_s`` immediately (with
        recovery at the next start; committed data is kept); after ``immediate_s`` more, or when this call is cancelled,
        by SIGKILL."""
        try:
            self.send(signal.SIGCONT)  # a stopped process would not handle the others
            self.send(signal.SIGINT)
            if await self.ended(fast_s):
                return
            self.send(signal.SIGQUIT)
            if await self.ended(immediate_s):
                return
        finally:
            self.send(signal.SIGKILL)
            if self._child is not None:
                self._child.wait()
        await self.ended()


def _lines(cluster: Path) -> list[str]:
    try:
        return (cluster / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return []


def _pid(lines: list[str]) -> int:
    # PostgreSQL's single-user mode writes its id as a negative number; there is nothing to adopt then.
    return int(lines[0]) if lines and lines[0].strip().isdigit() else 0


def _works_in(pid: int, cluster: Path) -> bool:
    """Return whether ``pid`` is a server on ``cluster``."""
    if sys.platform == "linux":
        try:
            return os.path.samestat(Path(f"/proc/{pid}/cwd").stat(), cluster.stat())
        except OSError:
            return False
    shown = subprocess.run(  # noqa: S603  a number is no option
        ["/bin/ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return str(cluster) in shown.stdout
