"""The star's holes and their neighbours."""

from __future__ import annotations

import pytest

from game_core.chinese_checkers.board import ALL, HOLES, HOPS, INDEX, NEIGHBOURS, ROWS, holes_named, rows, turned
from tests.game_core.chinese_checkers import slow
from tests.game_core.chinese_checkers.scene import as_set


def test_board_has_121_holes_with_distinct_names() -> None:
    assert len(HOLES) == len(set(HOLES)) == sum(ROWS) == 121
    assert set(HOLES) == set(slow.AT)
    assert (HOLES[0], HOLES[60], HOLES[120]) == ("a1", "i5", "q1")
    assert bin(ALL).count("1") == 121


@pytest.mark.parametrize("name", HOLES)
def test_neighbours_and_hops_of_each_hole(name: str) -> None:
    near, beyond = slow.seen_from(name, 1), slow.seen_from(name, 2)
    assert NEIGHBOURS[INDEX[name]] == as_set({hole for hole in near if hole is not None})
    hops = {
        (1 << INDEX[over] | 1 << INDEX[land], 1 << INDEX[over], INDEX[land])
        for over, land in zip(near, beyond, strict=True)
        if over is not None and land is not None
    }
    assert set(HOPS[INDEX[name]]) == hops
    assert len(HOPS[INDEX[name]]) == len(hops)


def test_half_turn_maps_each_hole_to_its_opposite() -> None:
    for hole in range(121):
        assert turned(1 << hole) == 1 << 120 - hole
        a, b, c = slow.AT[HOLES[hole]]
        assert slow.AT[HOLES[120 - hole]] == (-a, -b, -c)
    assert turned(turned(12345)) == 12345
    assert turned(0) == 0


def test_rows_and_holes_are_found_by_name() -> None:
    assert rows("ab") == 0b111
    assert holes_named("a1", "q1") == 1 | 1 << 120
    assert rows("abcdefghijklmnopq") == ALL
