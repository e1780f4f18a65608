"""Simuls beside the games, one after the other, by the scripted players of ``zeitnot demo``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from harness.chaos.checker import read_truths
from harness.chaos.errors import Violation
from harness.demo.command import demonstrate
from harness.demo.errors import DemoFailed
from harness.demo.options import DemoOptions
from realtime.postgres.database import connect

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.chaos.local_cluster import LocalCluster
    from harness.chaos.options import ChaosOptions
    from harness.chaos.report import ChaosResult

MINUTES = 2.0
"""Longest duration of one simul."""


async def play_simuls(
    cluster: LocalCluster, options: ChaosOptions, run: ChaosResult, write: Callable[[str], None]
) -> None:
    """Play simuls as long as the run lasts. Errors are recorded in ``run``."""
    if not options.boards:
        return
    end = time.monotonic() + options.minutes * 60
    number = 0
    while end - time.monotonic() > MINUTES * 15:
        demo = DemoOptions(
            url=cluster.url,
            boards=options.boards,
            host_plays=True,
            mode="clock" if number % 2 == 0 else "round",
            seconds=int(min(MINUTES * 60, end - time.monotonic())),
            think_s=0.5,
        )
        number += 1
        try:
            await demonstrate(demo, lambda line: None, lambda line: None)
        except DemoFailed as error:
            run.findings.violations.append(f"a simul could not go on: {error}")
    await _check(cluster.database, run)
    write(f"{number} simuls, {run.boards} boards")


async def _check(database: str, run: ChaosResult) -> None:
    """Check the logs of all simuls and their boards."""
    connection = await connect(database, name="zeitnot chaos")
    try:
        torn = await connection.fetch(
            """
            SELECT simul.id, simul.last_n, count(n) AS events, max(n) AS last
            FROM simul LEFT JOIN simul_event ON simul_event.simul = simul.id
            GROUP BY simul.id HAVING count(n) <> simul.last_n OR coalesce(max(n), 0) <> simul.last_n
            """
        )
        boards = [row["id"] for row in await connection.fetch("SELECT id FROM game WHERE simul IS NOT NULL")]
    finally:
        await connection.close()
    run.findings.violations += [f"simul {row['id']}: {row['events']} events of {row['last_n']}" for row in torn]
    for game, truth in (await read_truths(database, boards)).items():
        if truth.seqs != list(range(1, truth.last_seq + 1)):
            run.findings.violations.append(f"board {game}: gaps or doubles in {truth.seqs}")
            continue
        try:
            truth.states()
        except Exception as error:
            raise Violation(f"board {game}: its log is not that of a game: {error!r}") from error
        run.boards += 1
