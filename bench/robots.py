"""Tournaments between neighbouring levels of the robots, and of levels against an engine of known strength.

    python -m bench.robots --variant international [--games N] [--levels 1-8] [--jobs N] [--save FILE]
    python -m bench.robots --variant standard --anchor PATH --elo 1500 [--levels 3-5]

Games begin with a few random moves; each beginning is played twice, with sides changed. Printed are wins, draws and
losses of the higher level, and the difference in Elo points with a 95 % interval. The results do not depend on the
speed of the machine, nor on what else it does. ``--anchor`` plays against a UCI engine with ``UCI_LimitStrength`` and
``UCI_Elo``, which seeds its own chance by the time: its games differ from run to run.

``--save`` keeps the results in a file after each pair of games. Only what is missing is played: a run that was
interrupted goes on, more ``--games`` are added to those before, and levels with other numbers are measured anew. The
file knows nothing of changes to the search itself.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from bench.tournament.match import play_match
from bench.tournament.players import AnchorEntrant, LevelEntrant
from bench.tournament.saved import SavedMatches, head, row
from game_core.registry import registered, rules_for
from robots.engines.available import find_engines
from robots.jobs import RobotError
from robots.levels import HIGHEST

if TYPE_CHECKING:
    from bench.tournament.players import Entrant


async def run(wanted: argparse.Namespace) -> None:
    """Play the tournament and print its table. Raises ``RobotError``, some in a group."""
    game = next(family for family, name in registered() if name == wanted.variant)
    rules = rules_for(game, wanted.variant)
    engines = find_engines(wanted.engine, wanted.hub_engine)
    await engines.probe()
    sys.stdout.write("\n".join(engines.lines()) + "\n\n" + head(wanted.variant))
    lowest, _, highest = wanted.levels.partition("-")
    levels = [
        LevelEntrant(engines, (game, wanted.variant), number)
        for number in range(int(lowest), int(highest or lowest) + 1)
    ]
    meetings: list[tuple[Entrant, Entrant]]
    if wanted.anchor is not None:
        anchor = await AnchorEntrant.find(wanted.anchor, wanted.elo)
        meetings = [(level, anchor) for level in levels]
    else:
        meetings = [(higher, lower) for lower, higher in pairwise(levels)]
    saved = SavedMatches(wanted.save)
    for first, second in meetings:
        match = saved.match(wanted.variant, wanted.seed, first.side, second.side)
        await play_match(rules, first, second, match, wanted.games, wanted.jobs, saved.save)
        sys.stdout.write(row(match))
        sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="international", choices=[name for _, name in registered()])
    parser.add_argument("--games", type=int, default=20, help="for each pair of levels (default: 20)")
    parser.add_argument("--levels", default=f"1-{HIGHEST}", help="from-to (default: all)")
    parser.add_argument("--engine", type=Path, help="a UCI engine; default: as zeitnot robots finds it")
    parser.add_argument("--hub-engine", type=Path, help="a Hub engine for the upper levels of international draughts")
    parser.add_argument("--anchor", type=Path, help="play against this UCI engine instead")
    parser.add_argument("--elo", type=int, default=1500, help="its UCI_Elo")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time, a core for each (default: 1)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the results here, and go on from them")
    try:
        asyncio.run(run(parser.parse_args()))
    except* RobotError as errors:
        sys.exit("\n".join(str(error) for error in errors.exceptions))


if __name__ == "__main__":
    main()
