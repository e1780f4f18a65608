"""Every failure has the one form, a fitting status and a code of the protocol."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from lobby.errors import Conflict, TooFast
from realtime.errors import Overloaded, WireError
from realtime.http.body import MAX_BODY
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

    from tests.realtime.http.conftest import Web

GUEST = "/api/v1/guest"


@pytest.mark.parametrize("path", ["/nothing", "/api", "/api/v1/", "/api/v1/me/"])
async def test_unknown_paths(program: httpx.AsyncClient, path: str) -> None:
    assert error_of(await program.get(path)) == (404, "not_found")
    assert error_of(await program.post(path)) == (404, "not_found")


async def test_wrong_methods_say_the_right_one(program: httpx.AsyncClient) -> None:
    response = await program.get(GUEST)
    assert error_of(response) == (405, "bad_message")
    assert response.headers["allow"] == "POST"
    assert error_of(await program.delete("/api/v1/me")) == (405, "bad_message")


async def test_bodies_are_small(program: httpx.AsyncClient) -> None:
    fits = json.dumps({"x": "y" * (MAX_BODY - 10)}).encode()
    assert len(fits) <= MAX_BODY
    assert (await program.post(GUEST, content=fits)).status_code == 201
    assert error_of(await program.post(GUEST, content=b" " * (MAX_BODY + 1))) == (413, "bad_message")


@pytest.mark.parametrize("length", ["99999999999999999999", "x", "-1", "8193"])
async def test_length_is_believed_before_the_body_is_read(program: httpx.AsyncClient, length: str) -> None:
    response = await program.post(GUEST, headers={"content-length": length})
    assert error_of(response) == (413, "bad_message")


async def test_bodies_without_a_length_are_counted(program: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 1000

    assert error_of(await program.post(GUEST, content=endless())) == (413, "bad_message")


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (WireError("not_found", "no"), (404, "not_found")),
        (WireError("rate_limited", "no"), (429, "rate_limited")),
        (TooFast("no"), (429, "rate_limited")),
        (Conflict("no"), (409, "conflict")),
        (WireError("unavailable", "no"), (503, "unavailable")),
        (Overloaded("no"), (503, "unavailable")),
        (ConnectionRefusedError("no"), (503, "unavailable")),
        (TimeoutError("no"), (503, "unavailable")),
        (asyncpg.CannotConnectNowError("no"), (503, "unavailable")),
        (asyncpg.InterfaceError("pool is closing"), (503, "unavailable")),
        (asyncpg.UndefinedColumnError("a mistake of ours"), (500, "unavailable")),
        (KeyError("a mistake of ours"), (500, "unavailable")),
    ],
)
async def test_what_goes_wrong_inside(
    web: Web, program: httpx.AsyncClient, error: Exception, answer: tuple[int, str]
) -> None:
    web.server.failure = error
    response = await program.get("/api/v1/games/game1")
    assert error_of(response) == answer
    assert ("retry-after" in response.headers) is (response.status_code in (429, 503))
    if answer[0] == 500:
        assert "a mistake of ours" not in response.text


async def test_without_a_database(web: Web, program: httpx.AsyncClient) -> None:
    await web.pool.close()
    calls: list[Any] = [program.post(GUEST), program.get("/api/v1/games"), program.get("/api/v1/users/x")]
    for call in calls:
        assert error_of(await call) == (503, "unavailable")
    assert (await program.get("/healthz")).status_code == 200
    assert (await program.get("/")).status_code == 200
