"""restart: time from a ``kill -9`` to serving, to the first move, and to having all live games in memory.

The server and PostgreSQL, which survives the kill, may run on either core. See ``bench.restart``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench import restart
from bench.figure import Figure
from bench.machine import on_any

if TYPE_CHECKING:
    from bench.bench_run import BenchRun

BUDGETS = {"serving": "≤ 5 s"}
BUDGET_FROM = 1_000


async def run(bench: BenchRun) -> list[Figure]:
    """Return the seconds to each point."""
    sizes = bench.sizes
    rounds = []
    for _ in range(sizes.rounds):
        with (
            tempfile.TemporaryDirectory(prefix="zeitnot-bench-", ignore_cleanup_errors=True) as directory,
            on_any(bench.cores),
        ):
            rounds.append(await restart.measure(Path(directory), sizes.restarted, sizes.restarted_plies))
        bench.write("restart: " + ", ".join(f"{point} {seconds:.2f} s" for point, seconds in rounds[-1].items()))
    return [
        Figure(
            scenario="restart",
            case=f"{sizes.restarted:,} live games of {sizes.restarted_plies} plies",
            what=f"{point} s",
            rounds=tuple(found[point] for found in rounds),
            budget=BUDGETS.get(point, "") if sizes.restarted >= BUDGET_FROM else "",
        )
        for point in rounds[0]
    ]
