"""What the event loop reports of tasks that nobody waits for any more."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    import asyncio

_GIVEN_UP = "PoolConnectionHolder.release"
"""asyncpg gives a connection back in a task of its own. Who waited for it may have run out of time, and that the
connection is dead nobody but the loop learns then; the pool has dropped it."""

log = logging.getLogger(__name__)


def report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An exception handler for the loop: what is a failure of the database, and no fault, gets a line and no trace."""
    coroutine = getattr(context.get("future"), "get_coro", lambda: None)()
    error = context.get("exception")
    if isinstance(error, FAILURES) and getattr(coroutine, "__qualname__", None) == _GIVEN_UP:
        log.info("a connection to the database was given up: %r", error)
    else:
        loop.default_exception_handler(context)
