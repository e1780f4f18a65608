"""The server as a separate process: started on its own core, measured from outside, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import resource
import signal
import sys
import time
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

START_S = 120.0
STOP_S = 30.0
"""Far more than a start or stop needs; beside a busy test suite a start has taken twenty seconds."""
COLLECTED = "collected"
ANY_CORE = "any"

SERVER_LIMITS = "connections=20000,guests=20000,accounts=20000,rate=1000"
"""Limits as for a load test: the whole load comes from one address and is faster than people play."""


def be_observed(core: str) -> None:
    """Pin the server's process to ``core``, raise its file limit, and collect garbage on SIGUSR1."""
    if core != ANY_CORE:
        os.sched_setaffinity(0, {int(core)})
    raise_file_limit()
    signal.signal(signal.SIGUSR1, lambda *_: _collect())


def announce(line: str) -> None:
    """Print one line for the harness."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def raise_file_limit() -> None:
    """Raise the file limit to the highest that the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def use_idle_priority() -> None:
    """Run only when no other process wants the core."""
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)


def _collect() -> None:
    gc.collect()
    announce(COLLECTED)


def process_cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process so far, including kernel time, without its children."""
    if sys.platform == "linux":
        # The scheduler's clock of the process, in nanoseconds; /proc/PID/stat counts in hundredths of a second. The id
        # is MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED) of linux/posix-timers.h.
        return time.clock_gettime(~pid << 3 | 2)
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


class ServerProcess:
    """A running server.

    Attributes:
        url: ``http://HOST:PORT``.
    """

    def __init__(self, process: asyncio.subprocess.Process, url: str) -> None:
        self.url = url
        self.pid = process.pid
        self._process = process
        self._observed = psutil.Process(process.pid)

    def cpu_s(self) -> float:
        """Return the CPU seconds of the process so far, including kernel time, without its children."""
        return process_cpu_s(self.pid)

    async def resident_bytes(self) -> int:
        """Return the memory in use after a garbage collection."""
        assert self._process.stdout is not None, "it was started with a pipe"
        self._process.send_signal(signal.SIGUSR1)
        async with asyncio.timeout(START_S):
            while (await self._process.stdout.readline()).strip() != COLLECTED.encode():
                pass
        return int(self._observed.memory_info().rss)


@contextlib.asynccontextmanager
async def started(module: str, core: int | None, directory: Path, *options: str) -> AsyncIterator[ServerProcess]:
    """Run ``python -m module`` on ``core`` inside the block. Its log goes to ``directory``.

    Raises:
        RuntimeError: it did not start; has the end of its log.
    """
    log = directory / f"{module}.log"
    with log.open("ab") as errors:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            module,
            ANY_CORE if core is None else str(core),
            *options,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
        )
    assert process.stdout is not None, "it was started with a pipe"
    try:
        async with asyncio.timeout(START_S):
            url = (await process.stdout.readline()).decode().strip()
        if not url:
            raise RuntimeError(f"{module} did not start:\n{log.read_text()[-2000:]}")
        yield ServerProcess(process, url)
    finally:
        await _stop(process)


@contextlib.asynccontextmanager
async def zeitnot(core: int | None, directory: Path, database: str, *more: str) -> AsyncIterator[ServerProcess]:
    """Run the real server on the database at ``database``, with ``more`` options."""
    options = ("--port", "0", "--database", database, "--limit", SERVER_LIMITS, "--log-level", "warning", *more)
    async with started("bench.server.observed", core, directory, *options) as server:
        yield server


@contextlib.asynccontextmanager
async def bare(core: int | None, directory: Path) -> AsyncIterator[ServerProcess]:
    """Run the bare server."""
    async with started("bench.server.bare", core, directory) as server:
        yield server


async def _stop(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(STOP_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
