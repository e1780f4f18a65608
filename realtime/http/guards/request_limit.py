"""The rate limit of HTTP requests per address, because loading one game blocks the event loop for as long as a hundred
moves."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from realtime.http.guards.failures import failure
from realtime.net.handshake import client_network
from realtime.net.rate_limits import TokenBuckets

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

    from realtime.protocol.limits import Limits

COSTLY = ("/api/", "/game/", "/challenge/", "/embed/", "/oembed")
"""Path prefixes of requests that use the database. Assets and pages without data are cheap and not limited."""

FREE = ("/api/v1/guest",)
"""Paths with limits of their own."""


class RequestLimit:
    """Middleware that answers 429 above the rate limit of socket messages, with twice their burst.

    A page sends several requests at once, and all members of a club may share one address.
    """

    def __init__(self, app: ASGIApp, limits: Limits, now_s: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self._rate_limiter = TokenBuckets(2 * limits.burst, limits.rate)
        self._now_s = now_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(COSTLY) and scope["path"] not in FREE:
            client = scope.get("client")
            network = "local" if client is None else client_network(client[0])
            if not self._rate_limiter.take(network, int(self._now_s() * 1000)):
                response = failure(429, "rate_limited", "too many requests; slow down", {"Retry-After": "1"})
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)
