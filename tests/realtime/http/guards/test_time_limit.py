"""Time limit of requests; slow answers are not cut off."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import httpx

from realtime.http.guards.time_limit import TimeLimit
from tests.realtime.http.conftest import BASE, error_of

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

LIMIT_S = 0.02


async def asked(app: TimeLimit) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as client:
        return await client.get("/")


async def test_timed_out_answer_has_a_retry_time() -> None:
    async def hangs(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.Event().wait()

    response = await asked(TimeLimit(hangs, limit_s=LIMIT_S))
    assert error_of(response) == (503, "unavailable")
    assert response.headers["retry-after"] == "1"


async def test_started_answer_is_not_cut_off() -> None:
    async def streams(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(3 * LIMIT_S)  # a line as slow as that
        await send({"type": "http.response.body", "body": b"all of it"})

    response = await asked(TimeLimit(streams, limit_s=LIMIT_S))
    assert (response.status_code, response.content) == (200, b"all of it")


async def test_upload_route_has_no_time_limit() -> None:
    async def reads(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(3 * LIMIT_S)  # a text as long as that
        await send({"type": "http.response.start", "status": 201, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    app = TimeLimit(reads, {("POST", "/long")}, LIMIT_S)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as client:
        assert (await client.post("/long")).status_code == 201
        assert error_of(await client.get("/long")) == (503, "unavailable")
