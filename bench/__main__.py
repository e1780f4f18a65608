"""``python -m bench [SCENARIO …]``: run scenarios and print their figures."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bench.bench_run import TINY, BenchSizes, set_up
from bench.report import BenchReport
from bench.scenarios import (
    fanout,
    joinstorm,
    latency,
    lobby,
    memory,
    mixed,
    moves,
    neighbours,
    relay,
    restart,
    simul,
    ticks,
    workers,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bench.bench_run import BenchRun
    from bench.figure import Figure

SCENARIOS: dict[str, Callable[[BenchRun], Awaitable[list[Figure]]]] = {
    "relay": relay.run,
    "moves": moves.run,
    "latency": latency.run,
    "workers": workers.run,
    "fan-out": fanout.run,
    "neighbours": neighbours.run,
    "join-storm": joinstorm.run,
    "ticks": ticks.run,
    "lobby": lobby.run,
    "simul": simul.run,
    "memory": memory.run,
    "restart": restart.run,
    "mixed": mixed.run,
}


SIZES = (
    "games",
    "workers",
    "spectators",
    "crowds",
    "clocks",
    "watchers",
    "boards",
    "overview",
    "mixed",
    "rounds",
    "robots",
)
"""Fields of ``BenchSizes`` that the command line can set."""

MIXED_GAMES = 200


def parser() -> argparse.ArgumentParser:
    """Return the command-line parser."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure the server on this machine.")
    parser.add_argument(
        "scenarios", nargs="*", metavar="SCENARIO", help=f"{', '.join(SCENARIOS)} (default: all of them)"
    )

    def add(name: str, what: str) -> None:
        default = getattr(BenchSizes(), name)
        if isinstance(default, tuple):
            text = ",".join(map(str, default))
            parser.add_argument(f"--{name}", type=_numbers, metavar="N,…", help=f"{what} (default: {text})")
        else:
            parser.add_argument(f"--{name}", type=int, metavar="N", help=f"{what} (default: {default})")

    add("games", "live games of moves; one number is that of latency and workers too")
    add("workers", "server processes on one port, in the scenario of that name")
    add("spectators", "of fan-out")
    add("crowds", "spectators of neighbours, and who come in join-storm")
    add("clocks", "that run in ticks")
    add("watchers", "of lobby")
    add("boards", "of simul")
    add("overview", "spectators of simul")
    add("mixed", "games of mixed, step by step")
    add("rounds", "of each measurement")
    add("robots", "games against robots, beside latency")
    parser.add_argument(
        "--mix", action="store_true", help=f"moves also of games of every variant (--games: {MIXED_GAMES} by default)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--save", type=Path, metavar="FILE", help="put the figures there too, in place of older ones")
    parser.add_argument("--tiny", action="store_true", help="only see that everything runs")
    return parser


def main() -> None:
    """Run the command."""
    asked = parser().parse_args()
    unknown = [name for name in asked.scenarios if name not in SCENARIOS]
    if unknown:
        parser().error(f"there is no scenario {unknown[0]!r}; there are {', '.join(SCENARIOS)}")
    sizes = TINY if asked.tiny else BenchSizes()
    if asked.mix:
        sizes = msgspec.structs.replace(sizes, mix=True, games=sizes.games if asked.tiny else (MIXED_GAMES,))
    given = {name: getattr(asked, name) for name in SIZES if getattr(asked, name) is not None}
    sizes = msgspec.structs.replace(sizes, **given)
    report = asyncio.run(measure(asked.scenarios or list(SCENARIOS), sizes, asked.save))
    if asked.json:
        sys.stdout.write(report.as_json())
    else:
        sys.stdout.write(report.as_text())


async def measure(names: list[str], sizes: BenchSizes, save: Path | None = None) -> BenchReport:
    """Return the figures of the scenarios ``names``, in their order. Each is saved as soon as it is measured."""
    report = BenchReport()
    async with set_up(sizes) as bench:
        gc.collect()
        gc.freeze()
        for name in names:
            load = os.getloadavg()[0]
            report.add(await SCENARIOS[name](bench), load)
            if save is not None:
                report.save(save)
    return report


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part.replace("_", "")) for part in text.split(","))


if __name__ == "__main__":
    main()
