"""Cost of the rules for a move, stage by stage, beside the cost of python-chess's own methods.

    python -m bench.rules_cost [--repeat N]

Plays all moves of the six games in tests/data/kasparov-deep-blue-1997.pgn. The result is in microseconds a move, best
of N rounds.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import chess.pgn

from game_core.chess.legality import Step, find_step, has_legal_move
from game_core.chess.placement import format_placement, move_placement, spread_placement
from game_core.chess.position import Position
from game_core.chess.san import format_san
from game_core.chess.standard import Standard
from game_core.chess.winnable import is_dead

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES = Path(__file__).parents[1] / "tests" / "data" / "kasparov-deep-blue-1997.pgn"


RULES = Standard()


class MoveCase(NamedTuple):
    """A move of a game and the input of each stage."""

    position: Position
    board: chess.Board
    """The board with its whole stack, from which the library counts repetitions."""
    move: chess.Move
    wire: str
    step: Step
    squares: bytes
    after: Position
    board_after: chess.Board


def load_games() -> list[list[chess.Move]]:
    games = []
    with GAMES.open() as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games.append(list(game.mainline_moves()))
    return games


def load_cases(games: list[list[chess.Move]]) -> list[MoveCase]:
    cases = []
    for moves in games:
        board = chess.Board()
        position = Position.first(RULES, board.copy())
        for move in moves:
            step = find_step(position.board, move.uci(), RULES, check=position.check)
            after = position.play(move.uci()).position
            board_after = board.copy()
            board_after.push(move)
            squares = spread_placement(board.board_fen())
            cases.append(MoveCase(position, board, move, move.uci(), step, squares, after, board_after))
            position, board = after, board_after
    return cases


def push_on_copy(case: MoveCase) -> None:
    board = case.position.board.copy(stack=False)
    board.push(case.move)
    board.clear_stack()


def write_fen(case: MoveCase) -> str:
    squares = move_placement(case.squares, case.step, white=case.board.turn)
    return f"{format_placement(squares)} {case.after.fen}"


Stage = tuple[str, "Callable[[MoveCase], object]", "Callable[[MoveCase], object]"]

STAGES: list[Stage] = [
    (
        "parse and legality",
        lambda case: find_step(case.position.board, case.wire, RULES, check=case.position.check),
        lambda case: case.board.parse_uci(case.wire),
    ),
    ("copy and push", push_on_copy, push_on_copy),
    (
        "SAN",
        lambda case: format_san(case.position.board, case.step, RULES, check=case.position.check),
        lambda case: case.board.san(case.move),
    ),
    ("FEN", write_fen, lambda case: case.board_after.fen()),
    ("check", lambda case: case.after.board.is_check(), lambda case: case.board_after.is_check()),
    (
        "any legal move",
        lambda case: has_legal_move(case.after.board, check=case.after.check),
        lambda case: any(case.board_after.generate_legal_moves()),
    ),
    ("dead position", lambda case: is_dead(case.after.board), lambda case: case.board_after.is_insufficient_material()),
    ("worth a search", lambda case: RULES.may_be_dead(case.after), lambda case: None),
    ("repetition", lambda case: case.after.repeats, lambda case: case.board_after.is_repetition(5)),
]
"""Name, our function, the library's. The check for a dead position runs here at every move, in a game only after
irreversible moves. The library has no check whether a position is worth a search."""


def measure_us(cases: list[MoveCase], stage: Callable[[MoveCase], object], repeat: int) -> float:
    best = float("inf")
    for _ in range(repeat):
        began = time.perf_counter()
        for case in cases:
            stage(case)
        best = min(best, time.perf_counter() - began)
    return best / len(cases) * 1e6


def play_ours(games: list[list[str]]) -> None:
    rules = RULES
    for moves in games:
        position = rules.start(None)
        for move in moves:
            position = rules.play(position, move).position
            rules.outcome(position)
            rules.may_be_dead(position)
            rules.fen(position)


def play_library(games: list[list[str]]) -> None:
    for moves in games:
        board = chess.Board()
        for text in moves:
            move = board.parse_uci(text)
            board.san(move)
            board.push(move)
            board.fen()
            board.is_check()
            board.outcome()


def measure_games_us(play: Callable[[list[list[str]]], None], games: list[list[str]], repeat: int) -> float:
    best = float("inf")
    for _ in range(repeat):
        began = time.perf_counter()
        play(games)
        best = min(best, time.perf_counter() - began)
    return best / sum(map(len, games)) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=7, help="rounds, of which the best counts (default: 7)")
    repeat = parser.parse_args().repeat
    games = load_games()
    cases = load_cases(games)
    rows = [(name, measure_us(cases, ours, repeat), measure_us(cases, theirs, repeat)) for name, ours, theirs in STAGES]
    wire = [[move.uci() for move in moves] for moves in games]
    rows.append(
        (
            "play, FEN and outcome",
            measure_games_us(play_ours, wire, repeat),
            measure_games_us(play_library, wire, repeat),
        )
    )
    sys.stdout.write(f"{len(cases)} moves of {len(games)} games; us a move\n{'stage':24}{'ours':>8}{'library':>10}\n")
    for name, ours, theirs in rows:
        sys.stdout.write(f"{name:24}{ours:8.1f}{theirs:10.1f}\n")


if __name__ == "__main__":
    main()
