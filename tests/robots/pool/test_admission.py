"""Whether one more game can be had, and how many nodes a late move gets."""

from __future__ import annotations

import pytest

from robots.jobs import Workload
from robots.levels import level_of
from robots.pool import admission
from robots.pool.admission import LEAST_NODES, MOST_GAMES, MoveCosts, fits, reduced


def game(clock_s: float | None, level: int = 4) -> Workload:
    return Workload(game="draughts", variant="english", level=level, clock_s=clock_s)


def costs(seconds: float) -> MoveCosts:
    """Every move takes so long."""
    found = MoveCosts()
    for level in range(1, 9):
        for _ in range(200):
            found.measured("draughts", "english", level, seconds)
    return found


@pytest.mark.parametrize(
    ("clocks", "slots", "expected"),
    [
        ([60.0] * 6, 1, True),  # six seconds of work, a tenth of a minute
        ([60.0] * 7, 1, False),
        ([60.0] * 12, 2, True),
        ([60.0] * 13, 2, False),
        ([10.0] + [300.0] * 29, 1, True),  # the longer games come after
        ([10.0] + [300.0] * 30, 1, False),
        ([9.0], 1, False),  # a move of its own takes too long
        ([None] * 30, 1, True),
        ([None] * 31, 1, False),
        ([86_400.0] * 31, 1, False),
    ],
)
def test_no_clock_loses_more_than_a_tenth_to_the_queue(
    clocks: list[float | None], slots: int, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "MOST_BUSY", 1_000.0)
    assert fits([game(clock) for clock in clocks], costs(1.0), slots) == expected


@pytest.mark.parametrize(
    ("games", "slots", "expected"),
    [(7, 1, True), (8, 1, False), (14, 2, True), (15, 2, False)],  # a move each 10 s, of 1 s
)
def test_engines_keep_up_with_the_moves_of_all_games(games: int, slots: int, expected: bool) -> None:
    assert fits([game(600.0)] * games, costs(1.0), slots) == expected


def test_games_are_bounded_whatever_they_cost() -> None:
    cheap = costs(0.0)
    assert fits([game(None)] * MOST_GAMES, cheap, 1)
    assert not fits([game(None)] * (MOST_GAMES + 1), cheap, 1)


def test_costs_start_as_estimates_and_follow_measurements() -> None:
    found = MoveCosts()
    first = found.of("draughts", "english", 8)
    assert first > found.of("draughts", "english", 1)
    for _ in range(100):
        found.measured("draughts", "english", 8, 3.0)
    assert found.of("draughts", "english", 8) == pytest.approx(3.0)
    assert found.of("draughts", "russian", 8) == first


def test_a_late_move_gets_fewer_nodes() -> None:
    level = level_of("draughts", 8)
    assert reduced(level, expected_s=1.0, left_s=2.0) is None
    fewer = reduced(level, expected_s=1.0, left_s=0.5)
    assert fewer is not None
    assert fewer.nodes == level.nodes // 4
    assert fewer.temperature == level.temperature
    last = reduced(level, expected_s=1.0, left_s=-3.0)
    assert last is not None
    assert last.nodes == LEAST_NODES
    assert reduced(level_of("draughts", 1), expected_s=1.0, left_s=0.0) is None  # has no more than the least
