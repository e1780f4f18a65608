"""``zeitnot chaos --minutes M --seed S``."""

from __future__ import annotations

import asyncio
import random
import time
from typing import TYPE_CHECKING

from game_core.registry import registered
from harness.chaos.continuous_games import ContinuousGames
from harness.chaos.disturbances import Disturbances
from harness.chaos.errors import Violation
from harness.chaos.faults import FAULTS
from harness.chaos.local_cluster import LocalCluster
from harness.chaos.ratings import check_ratings
from harness.chaos.report import ChaosResult, format_report
from harness.chaos.requests import Requests
from harness.chaos.simuls import play_simuls

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from harness.chaos.options import ChaosOptions

QUIET_S = (1.0, 9.0)
"""Interval between faults: often long enough for checks that need a fault-free cluster."""

CALM_S = 5.0
"""Time before the first fault."""

END_S = 90.0
"""Time for running games to end after all faults are repaired."""

FOUND_WRONG = 5
"""Exit status."""


async def run_chaos(options: ChaosOptions, write: Callable[[str], None]) -> int:
    """Inject faults for a while and report. Return the exit status; 0 if nothing was lost.

    Raises:
        BadSetting: ``options`` is impossible.
    """
    options.check()
    options.create_directory()
    chance = random.Random(options.seed)
    started = time.monotonic()
    async with LocalCluster(
        nodes=options.nodes, chance=random.Random(chance.random()), directory=options.keep, prepare=options.prepare
    ) as cluster:
        write(f"{options.nodes} nodes behind {cluster.url}, seed {options.seed}")
        disturbances = Disturbances()
        continuous_games = ContinuousGames(
            cluster.url,
            cluster.database,
            slots=options.games,
            seed=chance.getrandbits(32),
            kinds=registered(),
            disturbances=disturbances,
        )
        requests = Requests(cluster.url, cluster.database, random.Random(chance.random()), disturbances)
        run = ChaosResult(
            options.seed, options.minutes, options.nodes, continuous_games.findings, requests=requests.done
        )
        playing = asyncio.create_task(continuous_games.run(), name="games")
        boards = asyncio.create_task(play_simuls(cluster, options, run, write), name="simuls")
        asking = asyncio.create_task(requests.run(), name="requests")
        breaking = asyncio.create_task(_break(cluster, options, chance, run, disturbances, write), name="faults")
        try:
            await asyncio.wait([playing, asking, breaking], return_when=asyncio.FIRST_COMPLETED)  # two run for ever
            continuous_games.stop()
            requests.stop()
            for task in (playing, asking):
                if task.done():
                    task.result()
            await breaking
            await cluster.heal()
            async with asyncio.timeout(END_S):
                await asyncio.gather(playing, boards, asking)
        except TimeoutError:
            run.findings.violations += continuous_games.unfinished() or [f"the run does not end within {END_S:.0f} s"]
        except Violation as error:
            run.findings.violations.append(str(error))
        finally:
            for task in (playing, boards, asking, breaking):
                task.cancel()
            await asyncio.gather(playing, boards, asking, breaking, return_exceptions=True)
            run.findings.violations += requests.violations
        if not run.findings.games:
            run.findings.violations.append("no game was played to its end: nothing was tried")
        await check_ratings(cluster.database, run)
        run.logged += [line for node in cluster.nodes for line in _unforeseen(node.log)]
    report = format_report(run)
    write(report)
    write(f"{time.monotonic() - started:.0f} s in all")
    if options.report is not None:
        options.report.write_text(report, encoding="utf-8")
    return 0 if run.is_clean else FOUND_WRONG


async def _break(
    cluster: LocalCluster,
    options: ChaosOptions,
    chance: random.Random,
    run: ChaosResult,
    disturbances: Disturbances,
    write: Callable[[str], None],
) -> None:
    began = time.monotonic()
    names = list(options.faults or FAULTS)
    await asyncio.sleep(CALM_S)
    bag: list[str] = []
    while time.monotonic() - began < options.minutes * 60:
        if not bag:  # each fault once before any is repeated
            bag = chance.sample(names, len(names))
        at = time.monotonic()
        disturbances.begin()
        what = await FAULTS[bag.pop()](cluster, random.Random(chance.random()))
        disturbances.end()
        run.faults.append((at - began, time.monotonic() - at, what))
        write(f"{at - began:5.0f} s: {what}; {run.findings.games} games, {len(run.findings.violations)} errors found")
        await asyncio.sleep(chance.uniform(*QUIET_S))


def _unforeseen(log: Path) -> list[str]:
    """Return what a node has logged with a traceback; expected faults are single lines."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return [
        f"{log.stem} logged a trace: {lines[number - 1] if number else ''}"
        for number, line in enumerate(lines)
        if line.startswith("Traceback")
    ]
