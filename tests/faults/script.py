"""Games to be played from a script: random, legal, and the same for the same seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.registry import rules_for

if TYPE_CHECKING:
    import random


class Script(msgspec.Struct, frozen=True):
    """What is to be played."""

    moves: tuple[str, ...]
    is_decided: bool
    """The last move ends the game; otherwise who is to move then resigns."""


def random_game(chance: random.Random, plies: int) -> Script:
    """At most ``plies`` moves of standard chess; fewer if the game is over by itself before."""
    rules = rules_for("chess", "standard")
    position = rules.start(None)
    moves: list[str] = []
    while len(moves) < plies and rules.outcome(position) is None:
        played = rules.play(position, chance.choice(sorted(rules.legal_moves(position))))
        position = played.position
        moves.append(played.move)
    return Script(tuple(moves), rules.outcome(position) is not None)
