"""``zeitnot chaos --minutes M --seed S``."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from game_core.registry import registered
from harness.chaos.disturbances import Disturbances
from harness.chaos.errors import Violation
from harness.chaos.exhibition import play_exhibitions
from harness.chaos.faults import FAULTS
from harness.chaos.ratings import check_ratings
from harness.chaos.report import Run, told
from harness.chaos.requests import Requests
from harness.chaos.season import Season
from harness.chaos.town import Town
from realtime.protocol.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Callable

QUIET_S = (1.0, 9.0)
"""Between two faults: often long enough for what may be expected only while nothing is broken."""

CALM_S = 5.0
"""Before the first."""

END_S = 90.0
"""For the games that are under way to end once everything is mended."""

FOUND_WRONG = 5
"""Exit status."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for.

    Attributes:
        faults: names of the faults to draw from; none: all.
        games: at a time.
        boards: of the exhibition that is played beside them; 0: none.
        keep: where to leave logs and the database, an empty directory, or none yet; None: nowhere.
        prepare: Python that is run in each node first: what makes a node do something wrong, for tests of this.
    """

    minutes: float
    seed: int
    nodes: int = 3
    games: int = 16
    boards: int = 12
    faults: tuple[str, ...] = ()
    report: Path | None = None
    keep: Path | None = None
    prepare: str = ""

    def check(self) -> None:
        """Raises ``BadSetting`` for what cannot be."""
        if not 0 < self.minutes <= 24 * 60:
            raise BadSetting(f"--minutes: expected more than 0 and at most {24 * 60}, got {self.minutes:g}")
        for flag, value, most in (("--nodes", self.nodes, 16), ("--games", self.games, 200)):
            if not 1 <= value <= most:
                raise BadSetting(f"{flag}: expected 1 to {most}, got {value}")
        if not 0 <= self.boards <= 200:
            raise BadSetting(f"--boards: expected 0 to 200, got {self.boards}")
        for name in self.faults:
            if name not in FAULTS:
                raise BadSetting(f"--faults: expected some of {', '.join(FAULTS)}, got {name!r}")
        if self.report is not None and not self.report.parent.is_dir():
            raise BadSetting(f"--report: there is no directory {str(self.report.parent)!r}")

    def make_room(self) -> None:
        """Make the directory ``keep``. Raises ``BadSetting`` where that cannot be, or there is something in it."""
        if self.keep is None:
            return
        try:
            self.keep.mkdir(parents=True, exist_ok=True)
            is_empty = next(self.keep.iterdir(), None) is None
        except OSError as error:
            raise BadSetting(
                f"--keep: {str(self.keep)!r} is no directory that can be used: {error.strerror}"
            ) from error
        if not is_empty:
            raise BadSetting(
                f"--keep: expected an empty directory, or none yet: {str(self.keep)!r} has something in it"
            )


async def run_chaos(plan: Plan, write: Callable[[str], None]) -> int:
    """Break a cluster for a while and tell what came of it; 0 when nothing was lost.

    Raises:
        BadSetting: ``plan`` cannot be.
    """
    plan.check()
    plan.make_room()
    chance = random.Random(plan.seed)
    started = time.monotonic()
    async with Town(
        nodes=plan.nodes, chance=random.Random(chance.random()), directory=plan.keep, prepare=plan.prepare
    ) as town:
        write(f"{plan.nodes} nodes behind {town.url}, seed {plan.seed}")
        disturbances = Disturbances()
        season = Season(
            town.url,
            town.database,
            slots=plan.games,
            seed=chance.getrandbits(32),
            kinds=registered(),
            disturbances=disturbances,
        )
        requests = Requests(town.url, town.database, random.Random(chance.random()), disturbances)
        run = Run(plan.seed, plan.minutes, plan.nodes, season.findings, requests=requests.done)
        playing = asyncio.create_task(season.run(), name="games")
        boards = asyncio.create_task(play_exhibitions(town, plan, run, write), name="exhibitions")
        asking = asyncio.create_task(requests.run(), name="requests")
        breaking = asyncio.create_task(_break(town, plan, chance, run, disturbances, write), name="faults")
        try:
            await asyncio.wait([playing, asking, breaking], return_when=asyncio.FIRST_COMPLETED)  # two go on for ever
            season.stop()
            requests.stop()
            for task in (playing, asking):
                if task.done():
                    task.result()
            await breaking
            await town.heal()
            async with asyncio.timeout(END_S):
                await asyncio.gather(playing, boards, asking)
        except TimeoutError:
            run.findings.violations += season.unfinished() or [f"the run does not end within {END_S:.0f} s"]
        except Violation as error:
            run.findings.violations.append(str(error))
        finally:
            for task in (playing, boards, asking, breaking):
                task.cancel()
            await asyncio.gather(playing, boards, asking, breaking, return_exceptions=True)
            run.findings.violations += requests.violations
        if not run.findings.games:
            run.findings.violations.append("no game was played to its end: nothing was tried")
        await check_ratings(town.database, run)
        run.logged += [line for node in town.nodes for line in _unforeseen(node.log)]
    report = told(run)
    write(report)
    write(f"{time.monotonic() - started:.0f} s in all")
    if plan.report is not None:
        plan.report.write_text(report, encoding="utf-8")
    return 0 if run.is_sound else FOUND_WRONG


async def _break(
    town: Town,
    plan: Plan,
    chance: random.Random,
    run: Run,
    disturbances: Disturbances,
    write: Callable[[str], None],
) -> None:
    began = time.monotonic()
    names = list(plan.faults or FAULTS)
    await asyncio.sleep(CALM_S)
    bag: list[str] = []
    while time.monotonic() - began < plan.minutes * 60:
        if not bag:  # each once, before any comes again
            bag = chance.sample(names, len(names))
        at = time.monotonic()
        disturbances.begin()
        what = await FAULTS[bag.pop()](town, random.Random(chance.random()))
        disturbances.end()
        run.faults.append((at - began, time.monotonic() - at, what))
        write(f"{at - began:5.0f} s: {what}; {run.findings.games} games, {len(run.findings.violations)} found wrong")
        await asyncio.sleep(chance.uniform(*QUIET_S))


def _unforeseen(log: Path) -> list[str]:
    """What a node has logged with a trace: a fault that was foreseen is one line."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return [
        f"{log.stem} logged a trace: {lines[number - 1] if number else ''}"
        for number, line in enumerate(lines)
        if line.startswith("Traceback")
    ]
