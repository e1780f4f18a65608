"""The eight levels: how far a robot looks, and how it draws its move from what it found.

A search returns the best moves with their scores. The move is drawn by softmax: its chance is proportional to
``exp(score / temperature)``, the Boltzmann distribution (R. D. Luce, *Individual Choice Behavior*, 1959, has the choice
rule). The draw is seeded by game and ply, so the same game gets the same moves again.

Scores are hundredths of a pawn or man from the side to move, on the star hundredths of a row. A certain win is a score
beyond ``WIN``.
"""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HIGHEST = 8
"""Levels are numbered from 1."""

SEES_MATE_FROM = 4
"""The first level that never misses a win in one move."""

WIN = 20_000
"""Scores of at least this much are certain wins: ``WIN + MOST_PLIES`` less the half-moves until the end."""

WINS_AT_ONCE_FROM = 5
"""The first level that plays the shortest of several certain wins."""

MOST_PLIES = 1_000

SCORE_CAP = 1_500
"""Scores are cut off here before a move is drawn, so that a certain win far away attracts a low level no more than a
large advantage."""


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """The strength of one level in one family of games."""

    nodes: int
    """Positions to examine for one move."""
    depth: int
    """Most half-moves to look ahead, captures beyond not counted."""
    breadth: int
    """Most moves to draw from: MultiPV of UCI."""
    temperature: float
    """Hundredths of a pawn by which a move must be worse to be chosen ``e`` times less often. 0: always the best."""

    def with_nodes(self, nodes: int) -> Level:
        """Return the level with another number of nodes."""
        return msgspec.structs.replace(self, nodes=nodes)


class Candidate(msgspec.Struct, frozen=True):
    """A move that may be played."""

    move: str
    """Wire notation."""
    score: int
    """For the side to move."""

    @property
    def ends_in(self) -> int | None:
        """Half-moves until a certain end, this one included: negative for a loss; None: none is certain."""
        if self.score >= WIN:
            return WIN + MOST_PLIES - self.score
        return -(WIN + MOST_PLIES + self.score) if self.score <= -WIN else None


def _levels(*rows: tuple[int, int, int, float]) -> tuple[Level, ...]:
    return tuple(
        Level(nodes=nodes, depth=depth, breadth=breadth, temperature=temperature)
        for nodes, depth, breadth, temperature in rows
    )


LEVELS: Mapping[str, tuple[Level, ...]] = {
    "chess": _levels(
        (500, 1, 20, 165.0),
        (700, 2, 12, 100.0),
        (1_200, 3, 10, 50.0),
        (1_600, 4, 8, 40.0),
        (3_500, 6, 5, 21.0),
        (10_000, 9, 4, 12.0),
        (22_000, 14, 2, 8.0),
        (40_000, 40, 1, 0.0),
    ),
    "draughts": _levels(
        (20, 1, 12, 80.0),
        (40, 1, 10, 40.0),
        (80, 2, 8, 25.0),
        (200, 3, 6, 15.0),
        (500, 5, 5, 8.0),
        (1_300, 8, 4, 4.0),
        (3_500, 14, 3, 2.0),
        (10_000, 60, 2, 1.0),
    ),
    "chinese-checkers": _levels(
        (100, 1, 20, 160.0),
        (150, 1, 16, 100.0),
        (300, 2, 12, 75.0),
        (600, 2, 8, 40.0),
        (1_200, 2, 6, 20.0),
        (2_500, 3, 4, 8.0),
        (5_000, 4, 3, 4.0),
        (10_000, 6, 2, 1.0),
    ),
}
"""By family, level 1 first."""


def level_of(game: str, number: int) -> Level:
    """Return level ``number`` (1 to ``HIGHEST``) of the family ``game``. Raises ``ValueError`` for another number."""
    if not 1 <= number <= HIGHEST:
        raise ValueError(f"levels are 1 to {HIGHEST}, not {number}")
    return LEVELS[game][number - 1]


def draw_move(candidates: Sequence[Candidate], number: int, level: Level, *, game_id: str, ply: int) -> Candidate:
    """Return the move that a level plays.

    Args:
        candidates: at least one, the best first.
        number, level: of the level.
        game_id, ply: seed of the draw; ``ply`` counts the half-moves already played.
    """
    best = candidates[0]
    is_won = best.ends_in == 1 if number < WINS_AT_ONCE_FROM else best.score >= WIN
    if level.temperature <= 0 or (number >= SEES_MATE_FROM and is_won):
        return best
    drawn = candidates[: level.breadth]
    top = _capped(best.score)
    weights = [math.exp((_capped(one.score) - top) / level.temperature) for one in drawn]
    chance = Random(f"{game_id}:{ply}")  # noqa: S311  reproducible, and no secret
    return chance.choices(drawn, weights)[0]


def _capped(score: int) -> int:
    return max(-SCORE_CAP, min(SCORE_CAP, score))
