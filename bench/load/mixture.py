"""Concurrent games of all variants of the server."""

from __future__ import annotations

import itertools
from random import Random
from typing import TYPE_CHECKING

import msgspec

from bench.load.match import Delays, Match
from bench.load.pairs import TC, Arena
from bench.load.script import OPENING_PLIES
from game_core.color import Color
from game_core.registry import registered, rules_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.load.pairs import Pair

PLIES = 54
"""Length of each game: random play of most draughts variants has few pieces left after that."""

EACH = 4
"""Scripts for each variant."""


class VariantScript(msgspec.Struct, frozen=True):
    """A script after which the game is not over.

    Attributes:
        start: the start position if the variant has several; otherwise None.
        first: the side that begins.
    """

    game: str
    variant: str
    start: str | None
    first: Color
    moves: tuple[str, ...]


def scripts(each: int = EACH, plies: int = PLIES) -> list[VariantScript]:
    """Return ``each`` games of random moves of every variant, in turn; the same in every run."""
    chance = Random(18)  # noqa: S311  moves of a measurement
    return [_script(game, variant, plies, chance) for _ in range(each) for game, variant in registered()]


def _script(game: str, variant: str, plies: int, chance: Random) -> VariantScript:
    rules = rules_for(game, variant)
    while True:
        start = rules.draw_start(chance.randrange(rules.starts))
        position = rules.start(start)
        first, moves = rules.turn(position), list[str]()
        while len(moves) < plies and rules.outcome(position) is None:
            played = rules.play(position, chance.choice(rules.legal_moves(position)))
            position = played.position
            moves.append(played.move)
        if rules.outcome(position) is None:
            return VariantScript(game, variant, start, first, tuple(moves))


class MixedArena(Arena):
    """Pairs of players who play one variant after the other. The first player of a pair has the side that begins."""

    measured_plies = PLIES - OPENING_PLIES

    def __init__(self, url: str, scripts: Sequence[VariantScript]) -> None:
        super().__init__(url, [script.moves for script in scripts])
        self._mixed = itertools.cycle(scripts)

    async def _agree(self, pair: Pair) -> Match:
        first, second = pair
        script = next(self._mixed)
        terms = {"game": script.game, "variant": script.variant, "fen": script.start}
        offer = await first.request("challenge", tc=TC, color=script.first, **terms)
        game = (await second.request("challenge.accept", challenge=offer["challenge"]))["g"]
        match = Match(next(self._numbers), game, pair, script.moves)
        for player in pair:
            await player.request("sub", topic=f"game:{game}")
        await match.play(OPENING_PLIES, Delays())
        return match
