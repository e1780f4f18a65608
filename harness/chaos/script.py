"""Scripts of games: random, legal, and the same for the same seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.registry import rules_for

if TYPE_CHECKING:
    import random

CHESS = ("chess", "standard")


class Script(msgspec.Struct, frozen=True):
    """A game to be played."""

    moves: tuple[str, ...]
    is_decided: bool
    """Whether the last move ends the game; otherwise the side to move then resigns."""
    kind: tuple[str, str] = CHESS
    """Game and variant."""
    first: int = 0
    """The side that begins: 0 White, 1 Black."""
    start: str | None = None
    """The start position, if the variant has several."""


def random_game(chance: random.Random, plies: int, kind: tuple[str, str] = CHESS) -> Script:
    """Return at most ``plies`` moves of a random game of this ``kind``; fewer if it ends before."""
    rules = rules_for(*kind)
    start = rules.draw_start(chance.randrange(rules.starts)) if rules.starts > 1 else None
    position = rules.start(start)
    first = "wb".index(rules.turn(position))
    moves: list[str] = []
    while len(moves) < plies and rules.outcome(position) is None:
        played = rules.play(position, chance.choice(sorted(rules.legal_moves(position))))
        position = played.position
        moves.append(played.move)
    return Script(tuple(moves), rules.outcome(position) is not None, kind, first, start)
