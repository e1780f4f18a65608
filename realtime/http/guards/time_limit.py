"""No request waits for ever: while the database hangs, all of the pool's connections may be waited for already."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from realtime.fanout.session import REQUEST_S
from realtime.http.guards.failures import RETRY_AFTER_S, failure

if TYPE_CHECKING:
    from collections.abc import Container

    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class TimeLimit:
    """Answers 503 to what takes longer than a request on a socket may. An answer that has begun takes its time, and so
    does a long body.

    Args:
        long_bodies: methods and paths of those.
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
            await failure(503, "unavailable", "the database does not answer; try again", headers)(scope, receive, send)
