"""Games to be played from a script: random, legal, and the same for the same seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.registry import rules_for

if TYPE_CHECKING:
    import random

CHESS = ("chess", "standard")


class Script(msgspec.Struct, frozen=True):
    """What is to be played."""

    moves: tuple[str, ...]
    is_decided: bool
    """The last move ends the game; otherwise who is to move then resigns."""
    kind: tuple[str, str] = CHESS
    """Game and variant."""
    first: int = 0
    """Who begins: 0 White, 1 Black."""
    start: str | None = None
    """The position where its kind has several."""


def random_game(chance: random.Random, plies: int, kind: tuple[str, str] = CHESS) -> Script:
    """At most ``plies`` moves of a game of this ``kind``; fewer if it is over by itself before."""
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
