"""How much an address may ask by HTTP: a game that has to be rebuilt keeps the loop for as long as a hundred moves."""

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
"""What asks the database or a table. Assets and pages without data cost next to nothing."""

FREE = ("/api/v1/guest",)
"""What has a limit of its own."""


class RequestLimit:
    """Refuses with 429 what comes faster than a message of a socket may, beyond twice the burst of one: a page asks
    for a few things at once, and a club sits behind one address.
    """

    def __init__(self, app: ASGIApp, limits: Limits, now_s: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self._paces = TokenBuckets(2 * limits.burst, limits.rate)
        self._now_s = now_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(COSTLY) and scope["path"] not in FREE:
            client = scope.get("client")
            network = "local" if client is None else client_network(client[0])
            if not self._paces.take(network, int(self._now_s() * 1000)):
                response = failure(429, "rate_limited", "too many requests; slow down", {"Retry-After": "1"})
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)
