"""Sliced work: a bounded part in each turn of the loop."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from realtime.clock import sliced_work
from realtime.clock.sliced_work import SlicedWork
from tests.realtime.until import until


@pytest.fixture(autouse=True)
def _two_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sliced_work, "AT_ONCE", 2)


async def test_loop_runs_other_callbacks_between_slices() -> None:
    done: list[int] = []
    seen: list[int] = []

    def look() -> None:
        seen.append(len(done))
        if not some.is_over:
            asyncio.get_running_loop().call_soon(look)

    some = SlicedWork(range(5), done.append)
    assert done == [0, 1]
    look()
    await until(lambda: some.is_over)
    assert done == [0, 1, 2, 3, 4]
    assert seen == [2, 4, 5]


async def test_hurried_work_is_done_once() -> None:
    done: list[int] = []
    some = SlicedWork(range(6), done.append)
    some.hurry(5)
    some.hurry(0)
    assert done == [0, 1, 5]
    await until(lambda: some.is_over)
    assert done == [0, 1, 5, 2, 3, 4]
    some.hurry(3)
    assert len(done) == 6


async def test_closed_work_does_nothing() -> None:
    done: list[int] = []
    some = SlicedWork(range(6), done.append)
    some.close()
    assert some.is_over
    for _ in range(5):
        await asyncio.sleep(0)
    assert done == [0, 1]


async def test_failing_item_does_not_stop_the_others() -> None:
    done: list[int] = []
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))

    def do(thing: int) -> None:
        if thing == 3:
            raise ValueError(thing)
        done.append(thing)

    some = SlicedWork(range(6), do)
    await until(lambda: some.is_over)
    assert done == [0, 1, 2, 4, 5]
    assert [str(context["exception"]) for context in told] == ["3"]
