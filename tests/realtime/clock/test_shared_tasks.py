"""Shared tasks: one task for all callers with the same key."""

from __future__ import annotations

import asyncio
import gc
from contextvars import ContextVar
from typing import Any

import pytest

from realtime.clock.shared_tasks import SharedTasks


class Work:
    """Work that ends when it is let go."""

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.started = 0
        self.error: Exception | None = None

    async def __call__(self) -> int:
        self.started += 1
        await self.go_on.wait()
        if self.error is not None:
            raise self.error
        return self.started


async def test_all_callers_get_the_result_of_one_task() -> None:
    tasks, work = SharedTasks[int](), Work()
    callers = [asyncio.create_task(tasks.run("key", work, "work")) for _ in range(3)]
    await asyncio.sleep(0)
    assert "key" in tasks
    work.go_on.set()
    assert await asyncio.gather(*callers) == [1, 1, 1]
    assert "key" not in tasks
    assert await tasks.run("key", work, "work") == 2


async def test_work_continues_when_a_caller_is_cancelled() -> None:
    tasks, work = SharedTasks[int](), Work()
    callers = [asyncio.create_task(tasks.run("key", work, "work")) for _ in range(2)]
    await asyncio.sleep(0)
    callers[0].cancel()
    await asyncio.sleep(0)
    work.go_on.set()
    assert await callers[1] == 1


async def test_error_is_raised_to_every_caller() -> None:
    tasks, work = SharedTasks[int](), Work()
    work.error = OSError("away")
    callers = [asyncio.create_task(tasks.run("key", work, "work")) for _ in range(2)]
    await asyncio.sleep(0)
    work.go_on.set()
    assert [type(outcome) for outcome in await asyncio.gather(*callers, return_exceptions=True)] == [OSError, OSError]


async def test_unawaited_error_is_not_reported_as_unretrieved() -> None:
    tasks, work = SharedTasks[int](), Work()
    work.error = TimeoutError()
    reports: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context))
    caller = asyncio.create_task(tasks.run("key", work, "work"))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    del caller
    work.go_on.set()
    await tasks.close()
    await asyncio.sleep(0)
    gc.collect()
    assert reports == []


async def test_error_is_reported_with_its_key() -> None:
    errors: list[tuple[Any, str]] = []
    tasks, work = SharedTasks[int](lambda key, error: errors.append((key, str(error)))), Work()
    work.error = ValueError("corrupt")
    work.go_on.set()
    with pytest.raises(ValueError, match="corrupt"):
        await tasks.run("key", work, "work")
    assert errors == [("key", "corrupt")]


async def test_work_has_the_context_of_its_first_caller() -> None:
    asker: ContextVar[str] = ContextVar("asker")
    tasks = SharedTasks[str]()

    async def work() -> str:
        return asker.get()

    asker.set("anna")
    first = asyncio.create_task(tasks.run("key", work, "work"))
    asker.set("bert")
    second = asyncio.create_task(tasks.run("key", work, "work"))
    assert [await first, await second] == ["anna", "anna"]


@pytest.mark.parametrize("cancels", [False, True])
async def test_close_waits_or_cancels(cancels: bool) -> None:
    tasks, work = SharedTasks[int](), Work()
    task = tasks.begin("key", work, "work")
    await asyncio.sleep(0)
    if not cancels:
        work.go_on.set()
    await tasks.close(cancels=cancels)
    assert task.cancelled() is cancels
