"""Moves of scripted players: legal in any game, with a one-move look-ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.errors import BadPosition
from game_core.registry import rules_for

if TYPE_CHECKING:
    from random import Random

    from game_core.rules import Played

LOOKED_AT = 12
"""Legal moves that are tried."""


def choose_move(game: str, variant: str, position: str, chance: Random) -> str | None:
    """Choose a move in ``position``: one that wins at once if found, else mostly a capture, and one that loses at once
    only if no other was found. None without a legal move."""
    rules = rules_for(game, variant)
    try:
        here = rules.start(position)
    except BadPosition:
        return None  # the game is over
    legal = list(rules.legal_moves(here))
    if not legal:
        return None
    by = rules.turn(here)
    looked_at: list[Played] = []
    losing: list[Played] = []
    for move in chance.sample(legal, min(LOOKED_AT, len(legal))):
        played = rules.play(here, move)
        outcome = rules.outcome(played.position)
        if outcome is not None and outcome.winner == by:
            return played.move
        (looked_at if outcome is None or outcome.winner is None else losing).append(played)
    looked_at = looked_at or losing
    taking = [played.move for played in looked_at if "x" in played.notation]
    if taking and chance.random() < TAKES:
        return taking[0]
    return looked_at[0].move


TAKES = 0.7
"""How often a possible capture is preferred."""
