"""Random draughts positions and their legal moves, generated with third-party libraries.

Both libraries are imported as ``draughts``, so each needs its own environment, used for nothing else:

    python -m venv first && first/bin/pip install py-draughts==1.10.1
    first/bin/python tests/game_core/draughts/make_vectors.py tests/data/draughts international brazilian russian
    python -m venv second && second/bin/pip install pydraughts==0.6.7
    second/bin/python tests/game_core/draughts/make_vectors.py tests/data/draughts english italian

A line is a position and its moves: ``W:W28,K40:B19,K5 28x14:19 40-45``. A move is its start and its end, after a colon
the captured squares, and ``+`` if a man is promoted. Two ways to capture the same pieces are one move.
"""

from __future__ import annotations

import importlib
import lzma
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEED = 1934

GAMES, PLACED = 600, 2400
"""Numbers of positions from games, and of positions with pieces at random."""

MOST_MOVES = 60
"""Positions with more moves are left out: they add size but no information."""


class Place(NamedTuple):
    """A position: squares by their numbers."""

    white: frozenset[int]
    black: frozenset[int]
    kings: frozenset[int]
    turn: str

    @property
    def own(self) -> frozenset[int]:
        return self.white if self.turn == "w" else self.black


class Step(NamedTuple):
    """A move."""

    start: int
    end: int
    taken: tuple[int, ...]
    """Ordered by square number."""
    crowned: bool


class Game(NamedTuple):
    """A variant, and the library that generates its moves."""

    squares: int
    """Number of squares in use."""
    row: int
    """Number of these in each row."""
    men: int
    """Men of each side at the start."""
    first: str
    letters: bool
    """Whether squares are called ``c3`` rather than by numbers."""
    moves: Callable[[Place], list[Step]]


def of_py_draughts(name: str) -> Callable[[Place], list[Step]]:
    """py-draughts: positions as four sets of bits."""
    library = importlib.import_module(f"draughts.boards.{name}")
    importlib.import_module("loguru").logger.disable("draughts")
    color = importlib.import_module("draughts.models").Color
    colors = {"w": color.WHITE, "b": color.BLACK}

    def bits(squares: frozenset[int]) -> int:
        return sum(1 << square - 1 for square in squares)

    def moves(place: Place) -> list[Step]:
        board = library.Board(turn=colors[place.turn])
        board.white_men, board.white_kings = bits(place.white - place.kings), bits(place.white & place.kings)
        board.black_men, board.black_kings = bits(place.black - place.kings), bits(place.black & place.kings)
        steps = []
        for move in board.legal_moves:
            start, end = move.square_list[0] + 1, move.square_list[-1] + 1
            board.push(move)
            became = board.white_kings | board.black_kings
            board.pop()
            crowned = start not in place.kings and bool(became >> end - 1 & 1)
            steps.append(Step(start, end, tuple(sorted(square + 1 for square in move.captured_list)), crowned))
        return steps

    return moves


def of_pydraughts(name: str, crown_rows: tuple[frozenset[int], frozenset[int]]) -> Callable[[Place], list[Step]]:
    """pydraughts: positions as FEN, squares by the variant's numbers. A man that ends on the last row is a king."""
    library: Any = importlib.import_module("draughts")

    def moves(place: Place) -> list[Step]:
        board = library.Board(name, fen_of(place, str))
        steps = []
        for leaps, taken in zip(*board._legal_moves_board(), strict=True):
            start, end = leaps[0][0], leaps[-1][1]
            crowned = start not in place.kings and end in crown_rows[place.turn == "b"]
            steps.append(Step(start, end, tuple(sorted(square for square in taken if square is not None)), crowned))
        return steps

    return moves


def game_called(name: str) -> Game:
    """Return the variant ``name``."""
    if name == "international":
        return Game(50, 5, 20, "w", False, of_py_draughts("standard"))
    if name in ("russian", "brazilian"):
        return Game(32, 4, 12, "w", True, of_py_draughts(name))
    crown_rows = frozenset(range(1, 5)), frozenset(range(29, 33))
    return Game(32, 4, 12, "b" if name == "english" else "w", False, of_pydraughts(name, crown_rows))


def fen_of(place: Place, called: Callable[[int], str]) -> str:
    """Return the position, square by square."""
    sides = (
        ",".join(("K" if square in place.kings else "") + called(square) for square in sorted(side))
        for side in (place.white, place.black)
    )
    return "{}:W{}:B{}".format(place.turn.upper(), *sides)


def letters_of(square: int) -> str:
    """Return the name of a square by its number on a board of eight rows, where number 1 is b8."""
    row, column = divmod(square - 1, 4)
    return f"{'abcdefgh'[2 * column + (row + 1) % 2]}{8 - row}"


def played(place: Place, step: Step) -> Place:
    """Return the position after ``step``."""
    mover = place.own - {step.start} | {step.end}
    other = (place.black if place.turn == "w" else place.white) - {*step.taken}
    kings = place.kings - {*step.taken} - {step.start}
    if step.crowned or step.start in place.kings:
        kings |= {step.end}
    return Place(mover, other, kings, "b") if place.turn == "w" else Place(other, mover, kings, "w")


def of_games(game: Game, chance: random.Random) -> Iterator[Place]:
    """Yield positions of random games that start without some of the men, so that kings come early."""
    while True:
        all_squares = range(1, game.squares + 1)
        kept = chance.randint(game.men // 3, game.men)
        place = Place(
            frozenset(chance.sample(all_squares[-game.men :], kept)),
            frozenset(chance.sample(all_squares[: game.men], kept)),
            frozenset(),
            game.first,
        )
        for _ in range(150):
            steps = sorted(set(game.moves(place)))
            if not steps:
                break
            if chance.random() < 0.2:
                yield place
            place = played(place, chance.choice(steps))


def of_chance(game: Game, chance: random.Random) -> Iterator[Place]:
    """Yield positions with pieces at random, often many kings; no man stands on its promotion row."""
    all_squares = range(1, game.squares + 1)
    last_row = {"w": frozenset(all_squares[: game.row]), "b": frozenset(all_squares[-game.row :])}
    while True:
        white, black = (min(game.men, 1 + int(chance.expovariate(0.18))) for _ in "wb")
        squares = chance.sample(all_squares, min(white + black, game.squares - 2))
        sides = frozenset(squares[:white]), frozenset(squares[white:])
        like = chance.choice((0.1, 0.3, 0.6, 0.9))
        kings = frozenset(square for square in squares if chance.random() < like)
        kings |= sides[0] & last_row["w"] | sides[1] & last_row["b"]
        if sides[1]:
            yield Place(*sides, kings, chance.choice("wb"))


def worth(steps: list[Step]) -> float:
    """Return how likely a position is to be kept: programs err in long captures and choices among captures."""
    if not 0 < len(steps) <= MOST_MOVES:
        return 0.0
    longest = max(len(step.taken) for step in steps)
    return 0.04 if longest == 0 else 0.25 if longest == 1 and len(steps) == 1 else 1.0


def line_of(game: Game, place: Place, steps: list[Step]) -> str:
    called = letters_of if game.letters else str

    def text_of(step: Step) -> str:
        sign = "x" if step.taken else "-"
        taken = ":" + ",".join(map(called, step.taken)) if step.taken else ""
        return f"{called(step.start)}{sign}{called(step.end)}{taken}{'+' if step.crowned else ''}"

    return " ".join([fen_of(place, called), *sorted(map(text_of, steps))])


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for name in sys.argv[2:]:
        game, chance = game_called(name), random.Random(SEED)
        lines: set[str] = set()
        for source, number in ((of_games, GAMES), (of_chance, PLACED)):
            wanted = len(lines) + number
            for place in source(game, chance):
                steps = sorted(set(game.moves(place)))
                if chance.random() < worth(steps):
                    lines.add(line_of(game, place, steps))
                if len(lines) == wanted:
                    break
        text = "".join(f"{line}\n" for line in sorted(lines))
        file = folder / f"{name}.txt.xz"
        file.write_bytes(lzma.compress(text.encode(), preset=9))
        sys.stdout.write(f"{name}: {len(lines)} positions, {text.count('x')} captures, {file.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
