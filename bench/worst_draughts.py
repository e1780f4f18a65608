"""Search by hill climbing for the draughts positions whose legal moves take longest. The result is not a proved bound.

    python -m bench.worst_draughts [--seconds N] [--variant NAME] [--seed N] [--python]

A climb starts at a random crowded position or at the result of an earlier search. It adds, removes or moves a few
pieces and keeps a position that takes at least as long. The output for each variant: milliseconds of CPU time for all
legal moves with their notation (best of three), the same without compiled code, the number of moves, and the position.
With ``--python`` the search does not use compiled code either. The exit status is 1 if any position takes more than 50
ms.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random
from typing import NamedTuple

from game_core.draughts.board import Board
from game_core.draughts.men import Men
from game_core.draughts.moves import find_moves
from game_core.draughts.notation.fen import format_fen, parse_fen
from game_core.draughts.speedups import SPEEDUPS, USED, Speedups
from game_core.draughts.variants import VARIANTS

MOST_MS = 50

PATIENCE = 250
"""Changes in a row without a worse position, after which a new climb starts."""

KNOWN = {
    "international": (
        "W:WK1,K5,K15,K25,K45,K46,K50:B6,11-14,21-24,31,33,34,41-44",
        "W:WK5,K6,K15,K45,K46,K48,K50:B4,7,9,10,12,13,20,22-24,27,31,33,34,36,38,40,41,K47",
    ),
    "frisian": (
        "W:WK1,K5,K6,K40,K43,K45:B3,7-10,12,14,18,20,21,23,25-28,30,34,38,41,K49",
        "W:WK1,K3,K4,K6,K45,K46:B8,11,12,14,17,19,21,23,25,26,28,29,31,32,34,37,40,41,43,K49",
        "W:WK35,K36,K41,K45,K46:B3,7,10-13,15,16,18,20,22,27,29,31-34,38,40,K49",
    ),
    "turkish": (
        "W:WKa8,Kb8,Kh8,Kh7,Kh6,Kh5,Kh4,Kh3,Kh2,Ka1,Kh1:Be8,d7,c6,e6,b5,d5,f5,a4,c4,e4,g4,b3,d3,c2,f2,Ke1",
        "W:WKa8,Kb8,Kh8,Kh7,Kh6,Kh5,Kh4,Kh3,Kh2,Kh1:Bf8,c7,e7,b6,d6,g6,c5,f5,a4,e4,c3,b2,d2,g2,Kc1,Kf1",
        "W:WKa8,Kh8,Ka7,Kh3,Kh2,Ka1,Kh1:Be8,d7,g7,b6,f6,c5,e5,h5,a4,d4,g4,c3,f3,b2,e2,Kd1",
        "W:WKe8,Kf8,Kg8,Kh8,Kc3:Bb8,a7,c7,d7,c6,c5,c4,b3,e3,f3,h3,c2,g2,Kc1,Kf1",
        "W:WKa8,Kh8,Ka7,Kh7,Kh6,Kh5,Kh4,Kh3,Kh2,Ka1,Kh1:Be8,d7,f7,c6,g6,b5,f5,a4,c4,e4,b3,d3,g3,c2,f2,Ke1",
        "W:WKa8,Kb8,Kh8,Kh7,Kh6,Kh5,Kh4,Kh3,Kh2,Ka1:Be8,d7,c6,e6,b5,d5,f5,a4,c4,e4,g4,b3,d3,c2,f2,Ke1",
        "W:WKa8,Kh8,Ka7,Kh7,Ka6,Kh6,Kh5,Kh4,Kh3,Kh2,Kh1:Be8,d7,c6,g6,b5,f5,c4,e4,g4,b3,d3,a2,c2,f2,Kb1,Ke1",
        "W:WKh8,Kh7,Kh6,Kh5,Kh4,Kh3,Kf2,Ka1,Kh1:Bc8,f8,e7,b6,d6,g6,a5,f5,e4,c3,f3,b2,d2,g2,Kc1,Kf1",
        "W:WKa8,Kh8,Kh7,Kh6,Ka1,Kh1:Bd8,b7,f7,c6,e6,a5,d5,g5,c4,e4,b3,f3,h3,d2,g2,Kd1",
        "W:WKa8,Kg8,Kh8,Ka2,Ka1,Kh1:Bc8,e7,c6,f6,a5,b5,d5,e5,g5,h5,c4,f4,d3,g3,f2,Ke1",
        "W:WKa8,Ka7,Kh2:Be8,b7,g7,d6,h6,g5,b4,c4,e4,h4,d3,f3,a2,d2,f2,Kc1",
    ),
}
"""The results of earlier searches."""


class Found(NamedTuple):
    seconds: float
    moves: int
    men: Men


def measure(board: Board, men: Men, speedups: Speedups | None, rounds: int = 1) -> Found:
    best = float("inf")
    moves = 0
    for _ in range(rounds):
        began = time.process_time()
        moves = len(find_moves(board, men, speedups))
        best = min(best, time.process_time() - began)
    return Found(best, moves, men)


def draw_men(board: Board, chance: Random) -> Men:
    """Return a random position with kings of White among many pieces of Black."""
    own = chance.randint(1, min(16, board.most))
    squares = chance.sample(board.field.bits, own + chance.randint(board.most // 2, board.most))
    white, black = sum(squares[:own]), sum(squares[own:])
    return Men(white, black, white | black & board.crown["b"], "w")


def change(board: Board, men: Men, chance: Random) -> Men:
    """Return ``men`` with one to three pieces added, removed or moved."""
    white, black = men.white, men.black
    for _ in range(chance.choice((1, 1, 2, 3))):
        side = chance.choice((white, black, black))
        free = chance.choice([bit for bit in board.field.bits if not bit & (white | black)])
        gone = chance.choice([bit for bit in board.field.bits if bit & side])
        new = side
        what = chance.random()
        if what < 0.5:
            new = side ^ gone | free
        elif what < 0.8 and side.bit_count() < board.most:
            new = side | free
        elif side & (side - 1):
            new = side ^ gone
        if side == white:
            white = new
        else:
            black = new
    return Men(white, black, white | black & board.crown["b"], "w")


def climb(board: Board, start: Men, chance: Random, until: float, speedups: Speedups | None) -> Found:
    best = measure(board, start, speedups)
    stale = 0
    while stale < PATIENCE and time.monotonic() < until:
        found = measure(board, change(board, best.men, chance), speedups)
        stale += 1
        if found.seconds >= best.seconds:
            if found.seconds > best.seconds * 1.02:
                stale = 0
            best = found
    return measure(board, best.men, speedups, 3)


def search(board: Board, chance: Random, seconds: float, speedups: Speedups | None) -> Found:
    until = time.monotonic() + seconds
    starts = [parse_fen(board, fen) for fen in KNOWN.get(board.laws.name, ())]
    worst = max((measure(board, men, speedups, 3) for men in starts), default=measure(board, board.start, speedups))
    while time.monotonic() < until:
        start = starts.pop() if starts else draw_men(board, chance)
        worst = max(worst, climb(board, start, chance, until, speedups))
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20, help="for each variant (default: 20)")
    parser.add_argument("--variant", help="only this one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--python", action="store_true", help="as if nothing were compiled")
    wanted = parser.parse_args()
    speedups = None if wanted.python else SPEEDUPS
    sys.stdout.write(f"{USED}{' (not used: --python)' if wanted.python else ''}\n")
    slow = False
    for laws in VARIANTS:
        if wanted.variant in (None, laws.name):
            board = Board(laws)
            found = search(board, Random(wanted.seed), wanted.seconds, speedups)  # noqa: S311  positions
            slow = slow or found.seconds * 1000 > MOST_MS
            python = measure(board, found.men, None, 3)
            sys.stdout.write(
                f"{laws.name:16}{found.seconds * 1000:8.1f} ms, Python{python.seconds * 1000:8.1f} ms"
                f"{found.moves:6} moves  {format_fen(board, found.men)}\n"
            )
            sys.stdout.flush()
    sys.exit(slow)


if __name__ == "__main__":
    main()
