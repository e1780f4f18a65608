"""Background work that nobody waits for, as named tasks that are cancelled when the server stops."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from game_core.errors import Refusal
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Coroutine

log = logging.getLogger(__name__)


class BackgroundTasks:
    """The tasks under way."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[Any, Any, object], name: str) -> None:
        """Start ``work``. Errors are logged."""
        task = asyncio.create_task(_guarded(work, name), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _guarded(work: Coroutine[Any, Any, object], name: str) -> None:
    try:
        await work
    except (Refusal, *FAILURES) as error:
        log.warning("%s: the follow-up failed: %s", name, error)
    except Exception:  # the top of a task
        log.exception("%s failed", name)
