"""Cost of the rules of draughts for each move and variant.

    python -m bench.draughts [--games N] [--repeat N]

Plays N games of random moves in each variant. (Random play has more kings and longer captures than human play.) For
every position it computes the legal moves, plays one, and computes its notation and the outcome after it. The result is
in microseconds a move, best of several rounds. A separate column adds the FEN that goes into the journal.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random
from typing import Any

from game_core.draughts.laws import backwards
from game_core.draughts.rules import Draughts
from game_core.draughts.speedups import USED
from game_core.draughts.variants import VARIANTS

MOST_PLIES = 150
"""Length limit of a game; few games are longer."""

Games = list[list[str]]


def random_games(rules: Draughts, count: int) -> Games:
    """Return the moves of ``count`` games, the same at each call."""
    chance = Random(8)  # noqa: S311 - games, no secrets
    games = []
    for _ in range(count):
        position: Any = rules.start(None)
        moves: list[str] = []
        while rules.outcome(position) is None and len(moves) < MOST_PLIES:
            moves.append(chance.choice(list(rules.legal_moves(position))))
            position = rules.play(position, moves[-1]).position
        games.append(moves)
    return games


def play_through(rules: Draughts, games: Games, *, fen: bool) -> float:
    """Return the seconds for all of ``games``."""
    began = time.process_time()
    for moves in games:
        position: Any = rules.start(None)
        for move in moves:
            rules.legal_moves(position)
            position = rules.play(position, move).position
            rules.outcome(position)
            if fen:
                rules.fen(position)
    return time.process_time() - began


def measure_us(rules: Draughts, games: Games, repeat: int, *, fen: bool = False) -> float:
    """Return the microseconds a move, the best of ``repeat`` rounds."""
    best = min(play_through(rules, games, fen=fen) for _ in range(repeat))
    return best / sum(map(len, games)) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="of each variant (default: 50)")
    parser.add_argument("--repeat", type=int, default=5, help="rounds, of which the best counts (default: 5)")
    wanted = parser.parse_args()
    sys.stdout.write(f"{USED}\n")
    sys.stdout.write(f"{'us a move':24}{'moves':>8}{'mean':>8}{'with FEN':>10}\n")
    for laws in (*VARIANTS, *map(backwards, VARIANTS)):
        rules = Draughts(laws)
        games = random_games(rules, wanted.games)
        bare = measure_us(rules, games, wanted.repeat)
        whole = measure_us(rules, games, wanted.repeat, fen=True)
        sys.stdout.write(f"{laws.name:24}{sum(map(len, games)):8}{bare:8.1f}{whole:10.1f}\n")


if __name__ == "__main__":
    main()
