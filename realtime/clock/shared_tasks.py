"""Work that several callers wait for, done once for all of them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Hashable

T = TypeVar("T")


class SharedTasks(Generic[T]):
    """The tasks under way, by key."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[T]] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._tasks

    def begin(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]], name: str) -> asyncio.Task[T]:
        """Return the task of ``key``, started now unless it is under way. An error nobody waits for is dropped."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(work(), name=name)
            task.add_done_callback(partial(self._done, key))
        return task

    async def run(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]], name: str) -> T:
        """Return what the task of ``key`` returns. It goes on if the caller is cancelled. Raises its errors."""
        task = self.begin(key, work, name)
        try:
            return await asyncio.shield(task)
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
        if not task.cancelled():
            task.exception()  # marks it as retrieved; those who still wait raise it
