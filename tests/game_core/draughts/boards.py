"""Rules of every variant, diagrams and random games, for tests of draughts."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from game_core.draughts.laws import backwards
from game_core.draughts.men import Men
from game_core.draughts.moves import has_capture
from game_core.draughts.position import Position
from game_core.draughts.rules import Draughts
from game_core.draughts.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.color import Color
    from game_core.draughts.board import Board

DATA = Path(__file__).parents[2] / "data"

PLAIN = {laws.name: Draughts(laws) for laws in VARIANTS}
LOSING = {f"losing-{laws.name}": Draughts(backwards(laws)) for laws in VARIANTS}
ALL = PLAIN | LOSING


def drawn(rules: Draughts, diagram: str, turn: Color = "w") -> Position:
    """Return the position of a diagram, with Black's side at the top: ``w`` and ``b`` men, ``W`` and ``B`` kings, ``.``
    an empty square.

    Squares that are not used are ``_``, or left out together with all blanks.
    """
    marks = re.sub(r"[\s_]", "", diagram)
    bits = rules.board.field.bits
    assert len(marks) == len(bits), f"{len(marks)} of {len(bits)} squares"
    standing = {mark: sum(bit for bit, at in zip(bits, marks, strict=True) if at == mark) for mark in "wWbB"}
    men = Men(standing["w"] | standing["W"], standing["b"] | standing["B"], standing["W"] | standing["B"], turn)
    return Position.first(rules.board, men)


def play(rules: Draughts, position: Position, *moves: str) -> Position:
    for move in moves:
        position = rules.play(position, move).position
    return position


def random_game(rules: Draughts, seed: int, plies: int) -> Iterator[tuple[Position, str]]:
    """Yield the positions of a random game, each with its move."""
    chance = Random(seed)
    position: Any = rules.start(None)
    for _ in range(plies):
        if rules.outcome(position) is not None:
            return
        move = chance.choice(list(rules.legal_moves(position)))
        yield position, move
        position = rules.play(position, move).position


def wander(rules: Draughts, position: Position, plies: int, *, black_on: int = -1) -> list[Position]:
    """Return the positions after quiet king moves: none repeats, nothing can be captured, and Black stays on some
    squares."""
    walk = [position]
    seen = {position.men}
    tries = [iter(position.legal.values())]
    while len(walk) <= plies:
        here = walk[-1]
        for move in tries[-1]:
            after = rules.board.after(here.men, move)
            wanted = move.start & here.men.kings and after not in seen and not after.black & ~black_on
            if wanted and not has_capture(rules.board, after):
                walk.append(rules.play(here, move.text).position)
                seen.add(after)
                tries.append(iter(walk[-1].legal.values()))
                break
        else:
            walk.pop()
            tries.pop()
    return walk[1:]


def crowded(board: Board, seed: int) -> Men:
    """Return few pieces of White among many, with many possible captures."""
    chance = Random(seed)
    inner = [bit for bit in board.field.bits if all(board.field.step(bit, shift) for shift in board.field.shifts)]
    foes = chance.sample(inner, min(len(inner) - 2, chance.randint(board.most // 3, board.most)))
    own = chance.sample([bit for bit in board.field.bits if bit not in foes], 3)
    kings = own[: 1 + seed % 3] + [bit for bit in own if bit & board.crown["w"]]
    return Men(sum(own), sum(foes), sum(set(kings + chance.sample(foes, len(foes) // 2))), "w")


@st.composite
def standings(draw: st.DrawFn, rules: Draughts) -> Men:
    """Draw any men that may stand on a board, in any arrangement."""
    board = rules.board
    squares = draw(st.lists(st.sampled_from(board.field.bits), min_size=2, max_size=2 * board.most, unique=True))
    split = draw(st.integers(max(1, len(squares) - board.most), min(board.most, len(squares) - 1)))
    white, black = sum(squares[:split]), sum(squares[split:])
    kings = sum(draw(st.lists(st.sampled_from(squares), unique=True)))
    kings |= white & board.crown["w"] | black & board.crown["b"]
    return Men(white, black, kings, draw(st.sampled_from(("w", "b"))))
