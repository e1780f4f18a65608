"""The time limit of requests. During a database outage they might otherwise wait for a connection for ever."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from realtime.fanout.session import REQUEST_S
from realtime.http.guards.failures import RETRY_AFTER_S, failure

if TYPE_CHECKING:
    from collections.abc import Container

    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class TimeLimit:
    """Middleware that answers 503 after the time limit of socket requests. Responses that have begun and long bodies
    are exempt.

    Args:
        long_bodies: methods and paths of requests with long bodies.
    """

    def __init__(self, app: ASGIApp, long_bodies: Container[tuple[str, str]] = (), limit_s: float = REQUEST_S) -> None:
        self.app = app
        self._long_bodies = long_bodies
        self._limit_s = limit_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_long = scope["type"] == "http" and (scope["method"], scope["path"]) in self._long_bodies
        limit = asyncio.timeout(None if is_long else self._limit_s)

        async def begun(message: Message) -> None:
            limit.reschedule(None)
            await send(message)

        try:
            async with limit:
                await self.app(scope, receive, begun)
        except TimeoutError:
            if not limit.expired():
                raise
            headers = {"Retry-After": str(RETRY_AFTER_S)}
            await failure(503, "unavailable", "the database is not responding; try again", headers)(
                scope, receive, send
            )
