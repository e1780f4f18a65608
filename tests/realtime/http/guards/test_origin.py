"""Origin check: a page of another site cannot act for its visitor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.datastructures import Headers

from realtime.http.guards.origin import is_own_page
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    from tests.realtime.http.conftest import Web


@pytest.mark.parametrize(
    ("headers", "own"),
    [
        ({}, None),
        ({"host": "a.org"}, None),
        ({"host": "a.org", "origin": "http://a.org"}, True),
        ({"host": "a.org", "origin": "https://a.org"}, True),  # TLS ends at a proxy
        ({"host": "a.org:8000", "origin": "http://a.org:8000"}, True),
        ({"host": "a.org:443", "origin": "https://a.org"}, True),
        ({"host": "a.org", "origin": "http://a.org:8000"}, False),
        ({"host": "a.org", "origin": "http://b.org"}, False),
        ({"host": "a.org", "origin": "http://a.org.b.org"}, False),
        ({"host": "a.org", "origin": "null"}, False),
        ({"host": "inner:8000", "x-forwarded-host": "a.org", "origin": "https://a.org"}, True),
        ({"host": "inner:8000", "x-forwarded-host": "a.org", "origin": "https://b.org"}, False),
        ({"host": "inner:8000", "origin": "https://a.org", "sec-fetch-site": "same-origin"}, True),
        ({"host": "a.org", "origin": "http://a.org", "sec-fetch-site": "cross-site"}, False),
        ({"host": "a.org", "sec-fetch-site": "same-site"}, False),
        ({"host": "a.org", "sec-fetch-site": "none"}, False),
    ],
)
def test_origin_headers_decide_own_page(headers: dict[str, str], own: bool | None) -> None:
    assert is_own_page(Headers(headers)) is own


@pytest.mark.parametrize(("scheme", "own"), [("https", True), ("http", False), ("https,http", True), (None, True)])
def test_scheme_is_compared_if_a_proxy_reports_it(scheme: str | None, own: bool) -> None:
    assert is_own_page(Headers({"host": "a.org", "origin": "https://a.org"}), scheme) is own


@pytest.mark.parametrize("headers", [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}])
async def test_page_of_another_site_changes_nothing(web: Web, headers: dict[str, str]) -> None:
    browser = await web.browser()
    token = (await browser.post("/api/v1/guest")).json()["token"]
    victim = await web.client(**headers)
    victim.cookies.set("zeitnot", token)
    for path in ("/api/v1/guest", "/api/v1/logout", "/api/v1/nothing"):
        assert error_of(await victim.post(path)) == (403, "forbidden")
    # Reading is the browser's to forbid; nothing was changed, the session is alive.
    assert (await victim.get("/api/v1/me")).status_code == 200


async def test_token_allows_any_origin(web: Web) -> None:
    token = (await (await web.client()).post("/api/v1/guest")).json()["token"]
    client = await web.client(origin="https://tool.example", authorization=f"Bearer {token}")
    assert (await client.post("/api/v1/logout")).status_code == 204


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearertoken", "", "Digest Bearer x"])
async def test_other_authorization_does_not_replace_a_token(web: Web, header: str) -> None:
    client = await web.client(origin="https://evil.example", authorization=header)
    for path in ("/api/v1/login", "/api/v1/logout", "/api/v1/guest"):
        assert error_of(await client.post(path)) == (403, "forbidden")
