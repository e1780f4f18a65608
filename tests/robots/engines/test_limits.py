"""Engine processes are nice and have limited memory."""

from __future__ import annotations

import asyncio
import os
import sys

import psutil
import pytest

from robots.engines.engine import MEMORY_MB, NICENESS
from robots.engines.line_process import LineProcess
from tests.realtime.until import until

REPORT = "import os, resource as r; print(os.nice(0), r.getrlimit(r.RLIMIT_DATA)[0], r.getrlimit(r.RLIMIT_CORE)[0])"

GREEDY = "print(len(bytearray(2 << 30)))"


async def test_processes_are_nice_and_limited() -> None:
    process = await LineProcess.start((sys.executable, "-c", REPORT))
    nice, memory, core = (await process.read_line()).split()
    assert int(nice) == min(19, os.nice(0) + NICENESS)
    assert int(memory) == MEMORY_MB << 20
    assert int(core) == 0
    await process.close()


PARENT = """
import asyncio, sys
from robots.engines.line_process import LineProcess
async def main():
    process = await LineProcess.start((sys.executable, "-c", "import time; print('here', flush=True); time.sleep(600)"))
    await process.read_line()
    print(process.pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's part is Linux's")
async def test_an_engine_that_hangs_ends_with_its_parent() -> None:
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", PARENT, stdout=asyncio.subprocess.PIPE)
    assert parent.stdout is not None
    engine = psutil.Process(int(await parent.stdout.readline()))
    parent.kill()
    await parent.wait()
    await until(lambda: not engine.is_running() or engine.status() == psutil.STATUS_ZOMBIE)


async def test_a_process_that_wants_more_memory_fails() -> None:
    process = await LineProcess.start((sys.executable, "-c", f"try: {GREEDY}\nexcept MemoryError: print('none')"))
    assert await process.read_line() == b"none"
    await process.close()
