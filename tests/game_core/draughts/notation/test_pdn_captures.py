"""Captures in PDN with their full path (standard, "PDN 3.0 Restrictions", 8 and 9)."""

from __future__ import annotations

import lzma
from typing import TYPE_CHECKING

import pytest

from game_core.draughts.notation.pdn_types import GAME_TYPES, square_names
from tests.game_core.draughts.boards import DATA, PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.rules import Leaps


def written_out(variant: str) -> Iterator[tuple[str, Leaps]]:
    """Captures of the stored positions that are told with all squares, each from its start on."""
    rules = PLAIN[variant]
    for line in lzma.decompress((DATA / "draughts" / f"{variant}.txt.xz").read_bytes()).decode().splitlines():
        position = rules.start(line.split()[0])
        for move in rules.legal_moves(position):
            start, *path = move.split("x")
            if len(path) > 1:
                yield start, next(ways for ways in rules.leaps(position, move) if list(ways.path) == path)


def direction(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return (other[0] > one[0]) - (other[0] < one[0]), (other[1] > one[1]) - (other[1] < one[1])


@pytest.mark.parametrize(("variant", "number"), [("international", 106), ("brazilian", 28), ("russian", 77)])
def test_squares_of_a_path_are_turns_or_directly_behind_a_capture(variant: str, number: int) -> None:
    places = {name: place for place, name in square_names(GAME_TYPES[variant]).items()}
    found = list(written_out(variant))
    assert len(found) == number
    for start, ways in found:
        squares = [places[name] for name in (start, *ways.path)]
        for taken, before, here, after in zip(ways.taken, squares, squares[1:], squares[2:], strict=False):
            way = direction(before, here)
            if direction(here, after) == way:
                assert (places[taken][0] + way[0], places[taken][1] + way[1]) == here, (start, ways)
