"""Guest sessions: created, recognized, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web

GUEST = "/api/v1/guest"
ME = "/api/v1/me"
LOGOUT = "/api/v1/logout"


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def test_guest_gets_a_token_and_a_cookie(program: httpx.AsyncClient) -> None:
    response = await program.post(GUEST)
    assert response.status_code == 201
    body = response.json()
    assert set(body) == {"token", "user"}
    assert set(body["user"]) == {"id", "name", "kind", "title"}
    assert (body["user"]["kind"], body["user"]["title"]) == ("guest", None)
    cookie = response.headers["set-cookie"]
    assert cookie.startswith(f"zeitnot={body['token']}; ")
    attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert attributes == {"httponly", "max-age=2592000", "path=/", "samesite=lax"}
    assert response.headers["cache-control"] == "no-store"


async def test_cookie_is_secure_over_tls(web: Web) -> None:
    client = await web.client(base="https://zeitnot.test")
    assert "secure" in (await client.post(GUEST)).headers["set-cookie"].lower()
    assert "secure" in (await client.post(LOGOUT)).headers["set-cookie"].lower()


async def test_user_is_known_by_token_and_by_cookie(web: Web, program: httpx.AsyncClient) -> None:
    made = (await program.post(GUEST)).json()
    me = {
        "user": made["user"],
        "roles": [],
        "scopes": ["read", "play", "host", "arbiter"],
        "ratings": {},
        "ban": None,
    }
    assert (await program.get(ME)).json() == me
    other = await web.client()
    assert (await other.get(ME, headers=bearer(made["token"]))).json() == me
    stranger = await other.get(ME)
    assert error_of(stranger) == (401, "unauthenticated")
    assert stranger.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Bearer " + "a" * 43, "Bearer", "Bearer  ", "Basic eDp5", "Bearer " + "a" * 200])
async def test_bad_token_is_refused_even_beside_a_good_cookie(program: httpx.AsyncClient, header: str) -> None:
    await program.post(GUEST)
    assert error_of(await program.get(ME, headers={"authorization": header})) == (401, "unauthenticated")


async def test_bad_cookie_is_unauthenticated(program: httpx.AsyncClient) -> None:
    program.cookies.set("zeitnot", "expired")
    assert error_of(await program.get(ME)) == (401, "unauthenticated")


async def test_page_with_a_session_keeps_it(web: Web) -> None:
    browser = await web.browser()
    first = await browser.post(GUEST)
    again = await browser.post(GUEST)
    assert again.status_code == 201
    assert again.json() == first.json()
    assert await web.pool.fetchval("SELECT count(*) FROM person") == 1


async def test_page_with_an_old_session_gets_a_new_guest(web: Web) -> None:
    browser = await web.browser()
    first = await browser.post(GUEST)
    await web.identities.revoke(first.json()["token"])
    assert (await browser.post(GUEST)).json()["user"] != first.json()["user"]


async def test_guest_request_without_browser_makes_a_new_guest(program: httpx.AsyncClient) -> None:
    first, second = (await program.post(GUEST)).json(), (await program.post(GUEST, json={})).json()
    assert first["user"]["id"] != second["user"]["id"]


async def test_new_guests_of_an_address_are_limited(web: Web, program: httpx.AsyncClient) -> None:
    for _ in range(3):
        assert (await program.post(GUEST)).status_code == 201
    response = await program.post(GUEST, headers={"x-forwarded-for": "203.0.113.9"})
    assert error_of(response) == (429, "rate_limited")
    assert 0 < int(response.headers["retry-after"]) <= 60
    assert (await (await web.client("198.51.100.8")).post(GUEST)).status_code == 201


async def test_page_with_a_session_does_not_count_as_new_guest(web: Web) -> None:
    browser = await web.browser()
    for _ in range(5):
        assert (await browser.post(GUEST)).status_code == 201


@pytest.mark.parametrize("body", [b"{", b"[]", b"1", b"null", b"\xff"])
async def test_invalid_body_makes_no_guest(web: Web, program: httpx.AsyncClient, body: bytes) -> None:
    assert error_of(await program.post(GUEST, content=body)) == (400, "bad_message")
    assert await web.pool.fetchval("SELECT count(*) FROM person") == 0


async def test_logout_ends_the_session_of_the_cookie(program: httpx.AsyncClient) -> None:
    token = (await program.post(GUEST)).json()["token"]
    response = await program.post(LOGOUT)
    assert (response.status_code, response.content) == (204, b"")
    assert not program.cookies
    for headers in ({}, bearer(token)):
        assert error_of(await program.get(ME, headers=headers)) == (401, "unauthenticated")


async def test_logout_ends_the_session_of_the_token_only(program: httpx.AsyncClient) -> None:
    first, second = [(await program.post(GUEST)).json()["token"] for _ in range(2)]
    assert (await program.post(LOGOUT, headers=bearer(first))).status_code == 204
    assert (await program.get(ME, headers=bearer(second))).status_code == 200
    assert (await program.get(ME, headers=bearer(first))).status_code == 401


async def test_logout_without_session_succeeds(program: httpx.AsyncClient) -> None:
    assert (await program.post(LOGOUT)).status_code == 204
