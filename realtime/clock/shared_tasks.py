"""Work that several callers wait for, done once for all of them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Hashable

T = TypeVar("T")


class SharedTasks(Generic[T]):
    """The tasks under way, by key.

    Args:
        on_error: called with the key and the error of a failed task, even if no caller waits for it.
    """

    def __init__(self, on_error: Callable[[Hashable, BaseException], None] | None = None) -> None:
        self._on_error = on_error
        self._tasks: dict[Hashable, asyncio.Task[T]] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._tasks

    def begin(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]], name: str) -> asyncio.Task[T]:
        """Return the task of ``key``, started now unless it is under way."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(work(), name=name)
            task.add_done_callback(partial(self._done, key))
        return task

    async def run(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]], name: str) -> T:
        """Return what the task of ``key`` returns. It goes on if the caller is cancelled. Raises its errors."""
        task = self.begin(key, work, name)
        try:
            await asyncio.wait((task,))
            return task.result()
        finally:
            del task  # its error's traceback refers to this frame: a cycle that only the collector could free

    async def close(self, *, cancels: bool = False) -> None:
        """Wait for all tasks; with ``cancels``, cancel them first."""
        if cancels:
            for task in self._tasks.values():
                task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _done(self, key: Hashable, task: asyncio.Task[T]) -> None:
        del self._tasks[key]
        error = None if task.cancelled() else task.exception()  # retrieved; those who still wait raise it
        if error is not None and self._on_error is not None:
            self._on_error(key, error)
