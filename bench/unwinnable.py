"""Mating chances against all published verdicts: wrong answers, the layer that gave each answer, and its time.

    make unwinnable
    python -m bench.unwinnable [--nodes N] [--every N]

The verdicts are those of tests/data/unwinnable.txt. Without --nodes the search has no bound and must decide every
position; a few take some 200,000 nodes. Times are CPU seconds. The cheap layer is measured first, over the six games of
tests/data/kasparov-deep-blue-1997.pgn. The exit status is 1 if an answer was wrong, or undecided without a bound.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import chess

from bench.rules_cost import load_games
from game_core.chess.verdict import Verdict, can_win
from game_core.chess.winnable import is_dead

DATA = Path(__file__).parents[1] / "tests" / "data" / "unwinnable.txt"

UNBOUNDED = sys.maxsize

SOON_S = 0.2
"""Longest acceptable time of a solver while two players wait for the result of a fallen flag."""

NODE_BOUNDS = (100, 300, 1000, 3000, 10_000)


class VerdictCase(NamedTuple):
    fen: str
    color: chess.Color
    is_winnable: bool
    verdict: Verdict
    took_s: float

    @property
    def is_wrong(self) -> bool:
        return self.verdict.answer == ("no" if self.is_winnable else "yes")


def evaluate(nodes: int, every: int) -> list[VerdictCase]:
    cases = []
    lines = [line for line in DATA.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    for line in lines[::every]:
        for color, mark in zip((chess.WHITE, chess.BLACK), line[:2], strict=True):
            board = chess.Board(line[3:])
            began = time.process_time()
            verdict = can_win(board, color, nodes)
            case = VerdictCase(line[3:], color, mark != "-", verdict, time.process_time() - began)
            cases.append(case)
            if case.is_wrong or verdict.answer == "undecided" or case.took_s > 5:
                what = "WRONG" if case.is_wrong else verdict.answer
                side = "White" if color else "Black"
                write(f"{what}: {side} in {line[3:]} ({verdict.nodes} nodes, {case.took_s:.1f} s)")
    return cases


def report(cases: list[VerdictCase]) -> None:
    decided = [case for case in cases if case.verdict.answer != "undecided"]
    wrong = sum(case.is_wrong for case in cases)
    write(f"{len(cases)} verdicts: {wrong} wrong, {len(cases) - len(decided)} undecided")
    for (layer, answer), count in sorted(Counter((case.verdict.layer, case.verdict.answer) for case in cases).items()):
        took_s = sorted(c.took_s for c in cases if (c.verdict.layer, c.verdict.answer) == (layer, answer))
        write(f"  {layer:9}{answer:10}{count:6}  median {took_s[count // 2] * 1e3:8.2f} ms, most {took_s[-1]:7.2f} s")
    soon = [case for case in decided if case.took_s <= SOON_S]
    layers = ", ".join(f"{layer} {count}" for layer, count in Counter(c.verdict.layer for c in soon).most_common())
    write(f"decided within {SOON_S * 1e3:.0f} ms: {len(soon)} ({len(soon) / len(cases):.1%}), by layer: {layers}")
    for bound in NODE_BOUNDS:
        within = sum(case.verdict.nodes <= bound for case in decided)
        write(f"decided within {bound:6} nodes: {within} ({within / len(cases):.1%})")


def measure_games() -> None:
    """Measure the cost of the cheap layer for a move in play, and of the search if it ran at every move."""
    boards = []
    for game in load_games():
        board = chess.Board()
        for move in game:
            board.push(move)
            boards.append(board.copy(stack=False))
    best_s = float("inf")
    for _ in range(7):
        began = time.process_time()
        for board in boards:
            is_dead(board)
        best_s = min(best_s, time.process_time() - began)
    write(f"{len(boards)} moves of six games: cheap layer {best_s / len(boards) * 1e6:.1f} us a move")
    sample = boards[::8]
    began = time.process_time()
    yes = [can_win(board, not board.turn, 10_000).answer for board in sample].count("yes")
    took_ms = (time.process_time() - began) / len(sample) * 1e3
    write(f"  every eighth searched for the side that moved: {yes} of {len(sample)} winnable, {took_ms:.1f} ms each")


def write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=UNBOUNDED, help="bound of the search (default: none)")
    parser.add_argument("--every", type=int, default=1, help="take every N-th position only (default: all)")
    arguments = parser.parse_args()
    measure_games()
    cases = evaluate(arguments.nodes, arguments.every)
    report(cases)
    undecided = any(case.verdict.answer == "undecided" for case in cases)
    return int(any(case.is_wrong for case in cases) or (undecided and arguments.nodes == UNBOUNDED))


if __name__ == "__main__":
    sys.exit(main())
