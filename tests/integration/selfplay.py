"""Random games of every variant except chess variants, the same in each run, with long moves in them."""

from __future__ import annotations

import functools
import itertools
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.leaps import leaps_wire
from game_core.registry import registered, rules_for
from game_core.rules import Outcome, Played

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.rules import Position

KINDS = tuple(kind for kind in registered() if kind[0] != "chess")
"""All other variants: chess has its own tests."""

MOST_PLIES = 120
"""Length limit of a game that is to end by itself; games without captures last longer."""


class Game(msgspec.Struct, frozen=True):
    """A played game.

    Attributes:
        played: the result of each move.
        outcome: how it ended; None: it is not over.
    """

    game: str
    variant: str
    played: tuple[Played, ...]
    outcome: Outcome | None

    @property
    def terms(self) -> dict[str, Any]:
        """Return the fields for ``challenge``."""
        return {"game": self.game, "variant": self.variant}

    @property
    def moves(self) -> tuple[str, ...]:
        """Return the moves in wire notation."""
        return tuple(played.move for played in self.played)

    @property
    def leaps(self) -> list[dict[str, Any] | None]:
        """Return the paths of the pieces as the wire has them."""
        return [told(played) for played in self.played]


def told(played: Played) -> dict[str, Any] | None:
    """Return the path of a piece as the wire has it."""
    if played.leaps is None:
        return None
    return {name: list(squares) for name, squares in leaps_wire(played.leaps).items()}  # type: ignore[call-overload]


@functools.cache
def self_played(game: str, variant: str, most: int = MOST_PLIES) -> Game:
    """Return a game in which a piece makes several leaps in one move, and that ends by itself within ``most``
    half-moves.

    Random play does not end games without captures: these have that length.
    """
    rules = rules_for(game, variant)
    for seed in itertools.count():
        played = tuple(_by_chance(game, variant, Random(seed), most))
        outcome = rules.outcome(played[-1].position)
        is_taking = any(one.leaps is not None and one.leaps.taken for one in played)
        if any(_leaps(one) >= 2 for one in played) and (outcome is not None or not is_taking):
            return Game(game, variant, played, outcome)
    raise AssertionError("seeds do not end")


def _leaps(played: Played) -> int:
    return 0 if played.leaps is None else len(played.leaps.path)


def _by_chance(game: str, variant: str, chance: Random, most: int) -> Iterator[Played]:
    rules = rules_for(game, variant)
    position: Position = rules.start(None)
    for _ in range(most):
        if rules.outcome(position) is not None:
            return
        played = rules.play(position, chance.choice(rules.legal_moves(position)))
        position = played.position
        yield played


def drawn(variant: str, fen: str, reason: str, profile: str = "online") -> tuple[Played, ...]:
    """Return random moves of draughts from ``fen`` by which the game is drawn for ``reason``."""
    rules = rules_for("draughts", variant, profile)
    for seed in itertools.count():
        chance, position = Random(seed), rules.start(fen)
        played: list[Played] = []
        while rules.outcome(position) is None:
            played.append(rules.play(position, chance.choice(rules.legal_moves(position))))
            position = played[-1].position
        outcome = rules.outcome(position)
        if outcome is not None and outcome.reason == reason:
            return tuple(played)
    raise AssertionError("seeds do not end")
