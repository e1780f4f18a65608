"""Chinese checkers boards drawn with letters, and positions and games for tests.

A drawing has the seventeen rows of the star from Black's tip down: ``w`` and ``b`` are pieces, ``.`` empty holes, other
signs are empty holes that a test refers to. Blanks have no meaning.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from game_core.chinese_checkers.board import HOLES, INDEX
from game_core.chinese_checkers.fifteen import FIFTEEN
from game_core.chinese_checkers.position import Position
from game_core.chinese_checkers.side import Side
from game_core.chinese_checkers.ten import TEN
from tests.game_core.chinese_checkers import slow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.chinese_checkers.star import Star
    from game_core.color import Color


BOTH = (FIFTEEN, TEN)


def drawn(picture: str, signs: str) -> set[str]:
    """Return the names of the holes where ``picture`` has one of ``signs``."""
    rows = ["".join(line.split()) for line in picture.strip().splitlines()]
    assert [len(row) for row in rows] == [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]
    return {
        f"{letter}{number}"
        for letter, row in zip("qponmlkjihgfedcba", rows, strict=True)
        for number, sign in enumerate(row, 1)
        if sign in signs
    }


def as_set(names: set[str]) -> int:
    return sum(1 << INDEX[name] for name in names)


def position_of(picture: str, turn: Color = "w", rules: Star = FIFTEEN) -> Position:
    """Return the position of a drawing, with any number of pieces."""
    sides = (Side.white(rules.home), Side.black(rules.home))
    return Position(sides, (as_set(drawn(picture, "w")), as_set(drawn(picture, "b"))), turn)


def play(rules: Star, position: Position, *moves: str) -> Position:
    for move in moves:
        position = rules.play(position, move).position
    return position


def _from(tip: slow.Hole) -> dict[str, int]:
    return {name: max(abs(x - y) for x, y in zip(hole, tip, strict=True)) for name, hole in slow.AT.items()}


_FROM_TIP: dict[Color, dict[str, int]] = {"w": _from(slow.AT["q1"]), "b": _from(slow.AT["a1"])}
"""Distance of each hole from the target tip of a colour, in steps."""


def random_game(rules: Star, seed: int, plies: int, *, haste: float = 0.7) -> Iterator[Position]:
    """Yield the positions of a game in which players move towards their goal with probability ``haste``, else
    anywhere."""
    choice = random.Random(seed)
    position = rules.start(None)
    for _ in range(plies):
        yield position
        if position.outcome is not None:
            return
        moves = sorted(position.legal_moves())
        if choice.random() < haste:
            far = _FROM_TIP[position.turn]
            ends = [move.split("-") for move in moves]
            gains = [far[origin] ** 2 - far[end] ** 2 + 8 * choice.random() for origin, end in ends]
            move = moves[gains.index(max(gains))]
        else:
            move = choice.choice(moves)
        position = rules.play(position, move).position


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw the variant's number of pieces anywhere, close to each other or not."""
    rules = draw(st.sampled_from(BOTH))
    number = rules.home.bit_count()
    room = draw(st.integers(2 * number, len(HOLES)))
    first = draw(st.integers(0, len(HOLES) - room))
    holes = draw(st.permutations(range(first, first + room)))
    white, black = (sum(1 << hole for hole in some) for some in (holes[:number], holes[number : 2 * number]))
    sides = (Side.white(rules.home), Side.black(rules.home))
    return Position(sides, (white, black), draw(st.sampled_from(("w", "b"))))
