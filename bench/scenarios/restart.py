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


async def run(stage: BenchRun) -> list[Figure]:
    """Return the seconds to each point."""
    scale = stage.scale
    rounds = []
    for _ in range(scale.rounds):
        with (
            tempfile.TemporaryDirectory(prefix="zeitnot-bench-", ignore_cleanup_errors=True) as directory,
            on_any(stage.cores),
        ):
            rounds.append(await restart.measure(Path(directory), scale.restarted, scale.restarted_plies))
        stage.say("restart: " + ", ".join(f"{point} {seconds:.2f} s" for point, seconds in rounds[-1].items()))
    return [
        Figure(
            scenario="restart",
            case=f"{scale.restarted:,} live games of {scale.restarted_plies} plies",
            what=f"{point} s",
            rounds=tuple(found[point] for found in rounds),
            budget=BUDGETS.get(point, "") if scale.restarted >= BUDGET_FROM else "",
        )
        for point in rounds[0]
    ]
