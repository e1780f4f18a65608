"""A UCI engine that knows no chess: ``fake_engine.py [MODE [FILE]]``.

It returns the first legal moves of the position with falling scores. MODE:

plain     no options but Hash and MultiPV
variants  also UCI_Variant and UCI_Chess960
dies      ends at the first search; FILE then exists, and later processes behave
hangs     the same, but does not answer
silent    never says uciok
nonsense  answers searches with a move that is not legal
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import chess
from chess.variant import AntichessBoard

MODE = sys.argv[1] if len(sys.argv) > 1 else "plain"
FILE = Path(sys.argv[2]) if len(sys.argv) > 2 else None


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def position_of(words: list[str], variant: str, *, is_960: bool) -> chess.Board:
    make: Any = AntichessBoard if variant == "antichess" else chess.Board
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    board: chess.Board = make() if words[1] == "startpos" else make(" ".join(words[2:8]))
    board.chess960 = is_960
    for move in moves:
        board.push_uci(move)
    return board


def misbehave() -> None:
    if FILE is None or FILE.exists():
        return
    FILE.touch()
    if MODE == "dies":
        sys.exit(1)
    if MODE == "hangs":
        time.sleep(600)


def go(board: chess.Board, lines: int) -> None:
    misbehave()
    if MODE == "nonsense":
        say("info depth 1 multipv 1 score cp 10 nodes 1 pv a1a1")
        say("bestmove a1h8")
        return
    moves = sorted(move.uci() for move in board.legal_moves)
    for number, move in enumerate(moves[:lines], 1):
        say(f"info depth 3 multipv {number} score cp {40 - 10 * number} nodes {100 * number} pv {move}")
    say(f"bestmove {moves[0]}")


def main() -> None:
    lines, variant, is_960, board = 1, "chess", False, chess.Board()
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["uci"]:
                say("id name Fake 1.0")
                say("option name Hash type spin default 16 min 1 max 1024")
                say("option name MultiPV type spin default 1 min 1 max 500")
                if MODE == "variants":
                    say("option name UCI_Chess960 type check default false")
                    say("option name UCI_Variant type combo default chess var chess var antichess var atomic")
                if MODE != "silent":
                    say("uciok")
            case ["isready"]:
                say("readyok")
            case ["setoption"]:
                if "MultiPV" in words:
                    lines = int(words[-1])
                if "UCI_Variant" in words:
                    variant = words[-1]
                if "UCI_Chess960" in words:
                    is_960 = words[-1] == "true"
            case ["position"]:
                board = position_of(words, variant, is_960=is_960)
            case ["go"]:
                go(board, lines)
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
