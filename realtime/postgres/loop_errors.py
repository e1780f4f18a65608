"""Handler for errors that the event loop reports of tasks nobody awaits."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    import asyncio

_GIVEN_UP = "PoolConnectionHolder.release"
"""asyncpg releases a connection in a task of its own. The requester may have timed out, so only the loop learns that
the connection is dead; the pool has dropped it."""

log = logging.getLogger(__name__)


def report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log a database failure in one line without a traceback, and pass on everything else. An exception handler for the
    loop."""
    coroutine = getattr(context.get("future"), "get_coro", lambda: None)()
    error = context.get("exception")
    if isinstance(error, FAILURES) and getattr(coroutine, "__qualname__", None) == _GIVEN_UP:
        log.info("a connection to the database was dropped: %r", error)
    else:
        loop.default_exception_handler(context)
