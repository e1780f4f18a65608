"""Engine processes are nice and have limited memory."""

from __future__ import annotations

import os
import sys

from robots.engines.engine import MEMORY_MB, NICENESS
from robots.engines.line_process import LineProcess

REPORT = "import os, resource as r; print(os.nice(0), r.getrlimit(r.RLIMIT_DATA)[0], r.getrlimit(r.RLIMIT_CORE)[0])"

GREEDY = "print(len(bytearray(2 << 30)))"


async def test_processes_are_nice_and_limited() -> None:
    process = await LineProcess.start((sys.executable, "-c", REPORT))
    nice, memory, core = (await process.read_line()).split()
    assert int(nice) == min(19, os.nice(0) + NICENESS)
    assert int(memory) == MEMORY_MB << 20
    assert int(core) == 0
    await process.close()


async def test_a_process_that_wants_more_memory_fails() -> None:
    process = await LineProcess.start((sys.executable, "-c", f"try: {GREEDY}\nexcept MemoryError: print('none')"))
    assert await process.read_line() == b"none"
    await process.close()
