"""Rate limit of HTTP requests for an address."""

from __future__ import annotations

import httpx
import pytest
from starlette.responses import PlainTextResponse

from realtime.http.guards.request_limit import RequestLimit
from realtime.protocol.limits import Limits

LIMITS = Limits(rate=2, burst=3)


class Asking:
    """An application behind the limit, and addresses that ask it."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self._app = RequestLimit(PlainTextResponse("served"), LIMITS, lambda: self.now_s)

    async def get(self, path: str, address: str = "192.0.2.1") -> httpx.Response:
        transport = httpx.ASGITransport(self._app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://zeitnot.test") as client:
            return await client.get(path)


async def test_costly_requests_are_limited_per_address() -> None:
    asking = Asking()
    for _ in range(2 * LIMITS.burst):
        assert (await asking.get("/api/v1/games/g1/pgn")).status_code == 200
    refused = await asking.get("/game/g1")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert refused.json()["error"]["code"] == "rate_limited"
    assert (await asking.get("/game/g1", "192.0.2.2")).status_code == 200
    asking.now_s += 1 / LIMITS.rate
    assert (await asking.get("/game/g1")).status_code == 200
    assert (await asking.get("/game/g1")).status_code == 429


@pytest.mark.parametrize("path", ["/", "/assets/a.js", "/healthz", "/metrics", "/api/v1/guest"])
async def test_cheap_requests_are_not_limited(path: str) -> None:
    asking = Asking()
    for _ in range(3 * LIMITS.burst):
        assert (await asking.get(path)).status_code == 200
