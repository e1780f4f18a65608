"""The collector's pauses are measured, and what stays is looked at no more."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from realtime.garbage import COLLECTIONS, Garbage
from realtime.metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def garbage(metrics: Metrics) -> Iterator[Garbage]:
    before = gc.get_threshold()
    garbage = Garbage(metrics.collections)
    yield garbage
    garbage.close()
    gc.set_threshold(*before)
    gc.unfreeze()


def counted(metrics: Metrics, generation: int) -> float:
    return metrics.collections[generation].buckets()[-1][1]


def test_each_collection_is_counted_by_its_generation(metrics: Metrics, garbage: Garbage) -> None:
    garbage.begin()
    assert gc.get_threshold() == COLLECTIONS
    before = [counted(metrics, generation) for generation in range(3)]
    gc.collect(0)
    gc.collect(2)
    after = [counted(metrics, generation) for generation in range(3)]
    assert (after[0] - before[0], after[1] - before[1], after[2] - before[2]) == (1, 0, 1)
    assert metrics.collections[2].total > 0


def test_what_has_come_to_stay_is_looked_at_no_more(garbage: Garbage) -> None:
    garbage.begin()
    games = [[number] for number in range(1000)]
    frozen = gc.get_freeze_count()
    garbage.keep()
    assert gc.get_freeze_count() >= frozen + len(games)


def test_after_the_end_nothing_is_counted(metrics: Metrics, garbage: Garbage) -> None:
    garbage.begin()
    garbage.close()
    garbage.close()
    before = counted(metrics, 2)
    gc.collect()
    assert counted(metrics, 2) == before
