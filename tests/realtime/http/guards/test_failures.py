"""Failures: common format, HTTP status, and a code of the protocol."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from lobby.errors import Conflict, NotFound, RateLimited, Unavailable
from realtime.http.bodies.body import MAX_BODY
from realtime.protocol.errors import Overloaded
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

    from tests.realtime.http.conftest import Web

GUEST = "/api/v1/guest"


@pytest.mark.parametrize("path", ["/nothing", "/api", "/api/v1/", "/api/v1/me/"])
async def test_unknown_path_is_not_found(program: httpx.AsyncClient, path: str) -> None:
    assert error_of(await program.get(path)) == (404, "not_found")
    assert error_of(await program.post(path)) == (404, "not_found")


async def test_wrong_method_names_the_allowed_one(program: httpx.AsyncClient) -> None:
    response = await program.get(GUEST)
    assert error_of(response) == (405, "bad_message")
    assert response.headers["allow"] == "POST"
    assert error_of(await program.delete("/api/v1/me")) == (405, "bad_message")


async def test_too_large_body_is_refused(program: httpx.AsyncClient) -> None:
    fits = json.dumps({"x": "y" * (MAX_BODY - 10)}).encode()
    assert len(fits) <= MAX_BODY
    assert (await program.post(GUEST, content=fits)).status_code == 201
    assert error_of(await program.post(GUEST, content=b" " * (MAX_BODY + 1))) == (413, "bad_message")


@pytest.mark.parametrize("length", ["99999999999999999999", "x", "-1", "8193"])
async def test_declared_length_is_checked_before_reading(program: httpx.AsyncClient, length: str) -> None:
    response = await program.post(GUEST, headers={"content-length": length})
    assert error_of(response) == (413, "bad_message")


async def test_body_without_length_is_counted(program: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 1000

    assert error_of(await program.post(GUEST, content=endless())) == (413, "bad_message")


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (NotFound("no"), (404, "not_found")),
        (RateLimited("no"), (429, "rate_limited")),
        (Conflict("no"), (409, "conflict")),
        (Unavailable("no"), (503, "unavailable")),
        (Overloaded("no"), (503, "unavailable")),
        (ConnectionRefusedError("no"), (503, "unavailable")),
        (TimeoutError("no"), (503, "unavailable")),
        (asyncpg.CannotConnectNowError("no"), (503, "unavailable")),
        (asyncpg.InterfaceError("pool is closing"), (503, "unavailable")),
        (asyncpg.UndefinedColumnError("a mistake of ours"), (500, "unavailable")),
        (KeyError("a mistake of ours"), (500, "unavailable")),
    ],
)
async def test_internal_errors_have_status_and_code(
    web: Web, program: httpx.AsyncClient, error: Exception, answer: tuple[int, str]
) -> None:
    web.server.failure = error
    response = await program.get("/api/v1/games/game1")
    assert error_of(response) == answer
    assert ("retry-after" in response.headers) is (response.status_code in (429, 500, 503))
    assert len(web.failures) == (response.status_code == 500)
    if answer[0] == 500:
        assert "a mistake of ours" not in response.text


@pytest.mark.parametrize("body", [b'{"name":"\xff\xfe"}', b'{"\xc3\x28":1}', b"\xff", b"[" * 5_000])
async def test_malformed_json_is_a_bad_message(web: Web, program: httpx.AsyncClient, body: bytes) -> None:
    for path in ("login", "signup", "reset", "reset/request", "reports"):
        assert error_of(await program.post(f"/api/v1/{path}", content=body))[0] in (400, 401)
    assert error_of(await program.post("/api/v1/login", content=body)) == (400, "bad_message")
    assert not web.failures


async def test_disconnect_during_body_is_no_failure(web: Web) -> None:
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"zeitnot.test"), (b"content-length", b"100")]
    scope = {"type": "http", "method": "POST", "path": "/api/v1/login", "headers": headers, "query_string": b""}
    scope |= {"client": ("127.0.0.1", 1), "scheme": "http", "server": ("zeitnot.test", 80), "http_version": "1.1"}
    await web.app(scope, receive, send)
    assert not web.failures


async def test_requests_without_database_are_unavailable(web: Web, program: httpx.AsyncClient) -> None:
    await web.pool.close()
    calls: list[Any] = [program.post(GUEST), program.get("/api/v1/games"), program.get("/api/v1/users/x")]
    for call in calls:
        assert error_of(await call) == (503, "unavailable")
    assert (await program.get("/healthz")).status_code == 200
    assert (await program.get("/")).status_code == 200
