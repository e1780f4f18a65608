"""A match of two players: each beginning twice, with sides changed."""

from __future__ import annotations

import asyncio
import math
import statistics
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import msgspec

from bench.tournament.players import MatchSide
from robots.jobs import Job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bench.tournament.players import BenchPlayer, Entrant
    from game_core.rules import Rules

OPENING_PLIES = 6
"""Random half-moves at the beginning of a game."""

MOST_PLIES = 400
"""Half-moves after which a game counts as a draw."""

LEAST_DEVIATION = 0.5
"""Of the points of a pair of games, divided by the number of pairs: a match of equal results is not exact."""


class PairOfGames(msgspec.Struct, frozen=True, array_like=True, order=True):
    """Two games from the same beginning."""

    number: int
    """Of the beginning, from 0."""
    won: float
    """Points of the first player with White."""
    lost: float
    """Points of the first player with Black."""
    plies: int
    """Half-moves of both games."""


class LevelMatch(msgspec.Struct, frozen=True):
    """A match as far as it was played."""

    variant: str
    seed: int
    first: MatchSide
    second: MatchSide
    pairs: list[PairOfGames]
    """In the order in which they ended."""

    def is_same(self, other: LevelMatch) -> bool:
        """Return whether the pairs of both are of one match."""
        return (self.variant, self.seed, self.first, self.second) == (
            other.variant, other.seed, other.first, other.second,
        )  # fmt: skip

    @property
    def points(self) -> list[float]:
        """Return the points of the first player, game by game."""
        return [point for pair in self.pairs for point in (pair.won, pair.lost)]

    def elo(self) -> tuple[float, float]:
        """Return the lead of the first player in Elo points, and half the width of its 95 % interval.

        The logistic formula is that of A. E. Elo, *The Rating of Chessplayers* (1978). The interval is that of the mean
        of pairs of games, which are not independent.
        """
        means = [(pair.won + pair.lost) / 2 for pair in self.pairs]
        # Half a game more, drawn: without it the lead after only wins would be infinite.
        share = (sum(means) + 0.25) / (len(means) + 0.5)
        deviation = statistics.stdev(means) if len(means) > 1 else LEAST_DEVIATION
        slope = 400 / math.log(10) / (share * (1 - share))
        error = 1.96 * slope * max(deviation, LEAST_DEVIATION / len(means)) / math.sqrt(len(means))
        return 400 * math.log10(share / (1 - share)), error


def openings(rules: Rules, seed: int) -> Iterator[list[str]]:
    """Yield beginnings without end: random moves from the start that do not end the game."""
    chance = Random(seed)  # noqa: S311  the same games again
    while True:
        position, moves = rules.start(None), list[str]()
        while len(moves) < OPENING_PLIES and rules.outcome(position) is None:
            played = rules.play(position, chance.choice(list(rules.legal_moves(position))))
            position = played.position
            moves.append(played.move)
        if rules.outcome(position) is None:
            yield moves


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
        job = Job(game_id=game_id, game=rules.game, variant=rules.variant, moves=tuple(moves), deadline=0)
        played = rules.play(position, await player.move(job))
        position = played.position
        moves.append(played.move)
    return 0.5, len(moves)


async def play_match(
    rules: Rules, first: Entrant, second: Entrant, match: LevelMatch, games: int, jobs: int, save: Callable[[], None]
) -> None:
    """Play what is missing of ``match`` up to ``games`` games, rounded up to an even number.

    Args:
        jobs: games that are played at the same time.
        save: called after every pair of games.

    Raises ``EngineFailed``, in a group.
    """
    known = {pair.number for pair in match.pairs}
    beginnings = enumerate(islice(openings(rules, match.seed), (games + 1) // 2))
    missing = [(number, opening) for number, opening in beginnings if number not in known]
    wanted = iter(missing)

    async def work() -> None:
        players: list[BenchPlayer] = []
        try:
            players = [await first.start(), await second.start()]
            one, other = players
            for number, opening in wanted:
                won, length = await play_game(rules, one, other, opening, f"{match.seed}-{number}-a")
                lost, other_length = await play_game(rules, other, one, opening, f"{match.seed}-{number}-b")
                match.pairs.append(PairOfGames(number, won, 1 - lost, length + other_length))
                save()
        finally:
            for player in players:
                await player.close()

    async with asyncio.TaskGroup() as group:
        for _ in range(min(jobs, len(missing))):
            group.create_task(work())
