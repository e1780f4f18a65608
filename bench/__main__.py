"""``python -m bench [SCENARIO …]``: run scenarios and print their figures."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
from typing import TYPE_CHECKING

import msgspec

from bench.figure import table
from bench.machine import describe
from bench.scenarios import fanout, latency, lobby, memory, moves, relay, simul
from bench.stage import TINY, Scale, set_up

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bench.figure import Figure
    from bench.stage import Stage

SCENARIOS: dict[str, Callable[[Stage], Awaitable[list[Figure]]]] = {
    "relay": relay.run,
    "moves": moves.run,
    "latency": latency.run,
    "fan-out": fanout.run,
    "lobby": lobby.run,
    "simul": simul.run,
    "memory": memory.run,
}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure the server on this machine.")
    parser.add_argument(
        "scenarios", nargs="*", metavar="SCENARIO", help=f"{', '.join(SCENARIOS)} (default: all of them)"
    )
    parser.add_argument("--games", type=_numbers, metavar="N,…", help="live games of moves and latency (default: 200)")
    parser.add_argument("--spectators", type=_numbers, metavar="N,…", help="of fan-out (default: 100,1000,10000)")
    parser.add_argument("--watchers", type=_numbers, metavar="N,…", help="of lobby (default: 500,1000,2000)")
    parser.add_argument("--boards", type=_numbers, metavar="N,…", help="of simul (default: 1000)")
    parser.add_argument("--overview", type=int, metavar="N", help="spectators of simul (default: 1000)")
    parser.add_argument("--rounds", type=int, metavar="N", help="of each measurement (default: 3)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--tiny", action="store_true", help="only see that everything runs")
    return parser


def main() -> None:
    """Entry point."""
    asked = parser().parse_args()
    unknown = [name for name in asked.scenarios if name not in SCENARIOS]
    if unknown:
        parser().error(f"there is no scenario {unknown[0]!r}; there are {', '.join(SCENARIOS)}")
    scale = TINY if asked.tiny else Scale()
    names = ("games", "spectators", "watchers", "boards", "overview", "rounds")
    given = {name: getattr(asked, name) for name in names if getattr(asked, name) is not None}
    figures = asyncio.run(measure(asked.scenarios or list(SCENARIOS), msgspec.structs.replace(scale, **given)))
    if asked.json:
        report = {"machine": describe(), "figures": [figure.as_json() for figure in figures]}
        sys.stdout.write(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    else:
        machine = ", ".join(f"{name} {value}" for name, value in describe().items())
        sys.stdout.write(f"{machine}\n\n{table(figures)}\n")


async def measure(names: list[str], scale: Scale) -> list[Figure]:
    """The figures of the scenarios ``names``, in their order."""
    figures = []
    async with set_up(scale) as stage:
        gc.collect()
        gc.freeze()
        for name in names:
            figures += await SCENARIOS[name](stage)
    return figures


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part.replace("_", "")) for part in text.split(","))


if __name__ == "__main__":
    main()
