"""Tournaments between neighbouring levels of the robots, and of levels against an engine of known strength.

    python -m bench.robots --variant international [--games N] [--levels 1-8] [--engine PATH] [--seed N]
    python -m bench.robots --variant standard --anchor PATH --elo 1500 [--levels 3-5]

Games begin with a few random moves; each beginning is played twice, with sides changed. Printed are wins, draws and
losses of the higher level, and the difference in Elo points with a 95 % interval. The logistic formula is that of
A. E. Elo, *The Rating of Chessplayers* (1978); the interval is that of the mean of pairs of games, which are not
independent. ``--anchor`` plays against a UCI engine with ``UCI_LimitStrength`` and ``UCI_Elo``.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import statistics
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Protocol

import chess.engine

from game_core.registry import registered, rules_for
from robots.engines.available import find_engines
from robots.engines.chess.uci import board_of
from robots.jobs import Job
from robots.levels import HIGHEST
from robots.pool.engine_pool import EnginePool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.rules import Rules

OPENING_PLIES = 6
"""Random half-moves at the beginning of a game."""

MOST_PLIES = 400
"""Half-moves after which a game counts as a draw."""

ANCHOR_NODES = 20_000
"""Of a move of the anchor: its limited levels take their move from a depth that is reached long before."""


class BenchPlayer(Protocol):
    """Who makes the moves of a side."""

    async def move(self, variant: tuple[str, str], game_id: str, moves: Sequence[str]) -> str:
        """Return a move in wire notation."""


class LevelPlayer:
    """A level of the robots."""

    def __init__(self, pool: EnginePool, level: int) -> None:
        self._pool, self._level = pool, level

    async def move(self, variant: tuple[str, str], game_id: str, moves: Sequence[str]) -> str:
        deadline = asyncio.get_running_loop().time() + 3600
        game, name = variant
        job = Job(game_id=game_id, game=game, variant=name, moves=tuple(moves), level=self._level, deadline=deadline)
        return (await self._pool.answer(job)).move


class AnchorPlayer:
    """A UCI engine that limits itself to a strength in Elo points."""

    def __init__(self, protocol: chess.engine.UciProtocol) -> None:
        self._protocol = protocol

    @classmethod
    async def start(cls, path: Path, elo: int) -> AnchorPlayer:
        _, protocol = await chess.engine.popen_uci(str(path))
        await protocol.configure({"UCI_LimitStrength": True, "UCI_Elo": elo})
        return cls(protocol)

    async def move(self, variant: tuple[str, str], game_id: str, moves: Sequence[str]) -> str:
        job = Job(game_id=game_id, game=variant[0], variant=variant[1], moves=tuple(moves), deadline=0)
        played = await self._protocol.play(board_of(job), chess.engine.Limit(nodes=ANCHOR_NODES), game=game_id)
        assert played.move is not None
        return played.move.uci()

    async def close(self) -> None:
        await self._protocol.quit()


class LevelMatch(NamedTuple):
    """Results of a match."""

    pairs: list[tuple[float, float]]
    """Points of the first player in the two games of each beginning."""
    plies: int
    seconds: float

    @property
    def points(self) -> list[float]:
        return [point for pair in self.pairs for point in pair]

    def elo(self) -> tuple[float, float]:
        """Return the lead of the first player in Elo points, and half the width of its 95 % interval."""
        means = [sum(pair) / 2 for pair in self.pairs]
        mean = statistics.mean(means)
        # Half a game more, drawn: without it the lead after only wins would be infinite.
        bounded = (mean * len(means) + 0.25) / (len(means) + 0.5)
        deviation = statistics.stdev(means) if len(means) > 1 else 0.5
        slope = 400 / math.log(10) / (bounded * (1 - bounded))
        return elo_of(bounded), 1.96 * slope * max(deviation, 0.5 / len(means)) / math.sqrt(len(means))


def elo_of(share: float) -> float:
    """Return the difference in Elo points at which the expected share of points is ``share``, between 0 and 1."""
    return -400 * math.log10(1 / share - 1)


def draw_opening(rules: Rules, chance: Random) -> list[str]:
    """Return random moves from the start that do not end the game."""
    while True:
        position, moves = rules.start(None), []
        for _ in range(OPENING_PLIES):
            played = rules.play(position, chance.choice(list(rules.legal_moves(position))))
            position = played.position
            moves.append(played.move)
            if rules.outcome(position) is not None:
                break
        else:
            return moves


async def play_game(
    rules: Rules, white: BenchPlayer, black: BenchPlayer, opening: Sequence[str], game_id: str
) -> tuple[float, int]:
    """Return White's points and the number of half-moves."""
    position, moves = rules.start(None), list(opening)
    for move in opening:
        position = rules.play(position, move).position
    while len(moves) < MOST_PLIES:
        outcome = rules.outcome(position)
        if outcome is not None:
            return (0.5 if outcome.winner is None else float(outcome.winner == "w")), len(moves)
        if rules.claimable(position) is not None:
            break
        player = white if rules.turn(position) == "w" else black
        played = rules.play(position, await player.move((rules.game, rules.variant), game_id, moves))
        position = played.position
        moves.append(played.move)
    return 0.5, len(moves)


async def play_match(rules: Rules, first: BenchPlayer, second: BenchPlayer, games: int, seed: int) -> LevelMatch:
    """Play ``games`` games, rounded up to an even number."""
    began = time.monotonic()
    chance = Random(seed)  # noqa: S311  the same games again
    pairs, plies = [], 0
    for number in range((games + 1) // 2):
        opening = draw_opening(rules, chance)
        won, length = await play_game(rules, first, second, opening, f"{seed}-{number}-a")
        lost, other_length = await play_game(rules, second, first, opening, f"{seed}-{number}-b")
        pairs.append((won, 1 - lost))
        plies += length + other_length
    return LevelMatch(pairs, plies, time.monotonic() - began)


def row(name: str, match: LevelMatch) -> str:
    """Return a line of the table."""
    points = match.points
    elo, error = match.elo()
    wins, draws, losses = points.count(1.0), points.count(0.5), points.count(0.0)
    return (
        f"| {name} | {len(points)} | +{wins} ={draws} -{losses} | {elo:+.0f} ± {error:.0f} "
        f"| {match.plies / len(points):.0f} | {match.seconds:.0f} |\n"
    )


async def run(wanted: argparse.Namespace) -> None:
    """Play the tournament and print its table."""
    game = next(family for family, name in registered() if name == wanted.variant)
    rules = rules_for(game, wanted.variant)
    pool = await EnginePool.start(find_engines(wanted.engine, wanted.hub_engine), slots=1)
    lowest, _, highest = wanted.levels.partition("-")
    levels = range(int(lowest), int(highest or lowest) + 1)
    sys.stdout.write("\n".join(pool.engines.lines()) + "\n\n")
    sys.stdout.write(f"| {wanted.variant} | games | | Elo | plies | s |\n| --- | --- | --- | --- | --- | --- |\n")
    try:
        if wanted.anchor is not None:
            anchor = await AnchorPlayer.start(wanted.anchor, wanted.elo)
            for level in levels:
                match = await play_match(rules, LevelPlayer(pool, level), anchor, wanted.games, wanted.seed)
                sys.stdout.write(row(f"{level} to {wanted.elo}", match))
                sys.stdout.flush()
            await anchor.close()
            return
        for lower in levels[:-1]:
            players = LevelPlayer(pool, lower + 1), LevelPlayer(pool, lower)
            match = await play_match(rules, *players, wanted.games, wanted.seed)
            sys.stdout.write(row(f"{lower + 1} to {lower}", match))
            sys.stdout.flush()
    finally:
        await pool.close()


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
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
