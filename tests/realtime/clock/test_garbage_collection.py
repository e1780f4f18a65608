"""Garbage collection: run while nobody plays or when it must; survivors are frozen, pauses measured."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from realtime.clock import garbage_collection as module
from realtime.clock.garbage_collection import QUIET_TICKS, GarbageCollection
from realtime.ops.metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import Iterator

WORTH, MOST = 500, 2_000
"""In place of the module's, so that a test need not make a million objects."""


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def garbage(metrics: Metrics, monkeypatch: pytest.MonkeyPatch) -> Iterator[GarbageCollection]:
    monkeypatch.setattr(module, "WORTH", WORTH)
    monkeypatch.setattr(module, "MOST", MOST)
    garbage = GarbageCollection(metrics.collections)
    garbage.begin()
    yield garbage
    garbage.close()
    gc.unfreeze()


class Ring:
    """Refers to itself, so that only the collector can free it; twice what it would be without."""

    def __init__(self) -> None:
        self.me = self


def leave(rings: int) -> None:
    for _ in range(rings):
        Ring()


def collections(metrics: Metrics) -> float:
    return metrics.collections.buckets()[-1][1]


def quiet(garbage: GarbageCollection, *, moves: int = 0) -> None:
    """So many seconds without a move that the next one is a quiet moment."""
    for _ in range(QUIET_TICKS - 1):
        garbage.tick(moves)


def test_automatic_collection_is_disabled(metrics: Metrics, garbage: GarbageCollection) -> None:
    before = collections(metrics)
    leave(20_000)
    assert not gc.isenabled()
    assert collections(metrics) == before
    assert garbage.grown >= 20_000


def test_no_collection_runs_during_play(metrics: Metrics, garbage: GarbageCollection) -> None:
    leave(WORTH)
    before = collections(metrics)
    for moves in range(1, 3 * QUIET_TICKS):
        garbage.tick(moves)
    assert collections(metrics) == before


def test_collection_runs_after_quiet_period(metrics: Metrics, garbage: GarbageCollection) -> None:
    found, before = garbage.found, collections(metrics)
    leave(WORTH)
    quiet(garbage)
    assert collections(metrics) == before
    garbage.tick(0)
    assert collections(metrics) == before + 1
    assert garbage.found - found >= WORTH
    assert garbage.grown < WORTH


def test_move_restarts_quiet_period(metrics: Metrics, garbage: GarbageCollection) -> None:
    before = collections(metrics)
    leave(WORTH)
    quiet(garbage)
    garbage.tick(1)
    quiet(garbage, moves=1)
    assert collections(metrics) == before
    garbage.tick(1)
    assert collections(metrics) == before + 1


def test_quiet_period_without_garbage_runs_no_collection(metrics: Metrics, garbage: GarbageCollection) -> None:
    before = collections(metrics)
    for _ in range(3 * QUIET_TICKS):
        garbage.tick(0)
    assert collections(metrics) == before


def test_uncollected_cycles_are_bounded_during_play(metrics: Metrics, garbage: GarbageCollection) -> None:
    """Between two ticks 500 cycles are added: never more than MOST and those of one tick exist."""
    found, before, most = garbage.found, collections(metrics), 0
    for moves in range(1, 41):
        leave(500)
        most = max(most, garbage.grown)
        garbage.tick(moves)
    assert most < MOST + 2_000
    assert collections(metrics) - before >= 40 * 500 / (MOST + 2_000)
    assert garbage.found - found >= 40 * 500 - MOST


def test_survivors_of_a_collection_are_frozen(garbage: GarbageCollection) -> None:
    games = [[number] for number in range(MOST)]
    frozen = gc.get_freeze_count()
    garbage.tick(1)
    assert gc.get_freeze_count() >= frozen + len(games)
    assert garbage.grown < WORTH


def test_frozen_garbage_is_collected(garbage: GarbageCollection) -> None:
    rings = [Ring() for _ in range(MOST)]
    garbage.tick(1)
    found = garbage.found
    rings.clear()
    leave(MOST)
    garbage.tick(2)
    assert garbage.found - found >= 2 * MOST


def test_kept_objects_do_not_count_as_garbage(metrics: Metrics, garbage: GarbageCollection) -> None:
    before = collections(metrics)
    games = [[number] for number in range(MOST)]
    frozen = gc.get_freeze_count()
    garbage.keep()
    assert gc.get_freeze_count() >= frozen + len(games)
    garbage.tick(1)
    assert collections(metrics) == before


def test_every_collection_is_measured(metrics: Metrics, garbage: GarbageCollection) -> None:
    assert collections(metrics) == 1, "that of the beginning"
    gc.collect()
    assert collections(metrics) == 2
    assert metrics.collections.total > 0


def test_close_enables_automatic_collection_and_ends_counting(metrics: Metrics, garbage: GarbageCollection) -> None:
    garbage.close()
    garbage.close()
    before = collections(metrics)
    gc.collect()
    assert gc.isenabled()
    assert collections(metrics) == before
