"""Scripts of the players: real games, as moves of the wire."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import chess.pgn

if TYPE_CHECKING:
    from collections.abc import Sequence

GAMES = Path(__file__).parents[2] / "tests" / "data" / "kasparov-deep-blue-1997.pgn"

FULL_PLIES = 80
"""Forty moves of each side, as in the performance budgets; the shortest game kept has this length."""

OPENING_PLIES = 2
"""Played when a game is agreed on, so that it is not aborted while thousands of others are being set up."""

MEASURED_PLIES = FULL_PLIES - OPENING_PLIES


def scripts(path: Path = GAMES) -> Sequence[tuple[str, ...]]:
    """Return the games of at least ``FULL_PLIES`` half-moves in UCI, cut to that length. None of them is over by
    then."""
    found = []
    with path.open() as file:
        while (game := chess.pgn.read_game(file)) is not None:
            moves = tuple(move.uci() for move in game.mainline_moves())
            if len(moves) >= FULL_PLIES:
                found.append(moves[:FULL_PLIES])
    if not found:
        raise ValueError(f"no game of {FULL_PLIES} half-moves in {path}")
    return found
