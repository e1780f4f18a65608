"""The page and its assets, and what a browser is told about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from realtime.http.headers import content_security_policy
from tests.realtime.http.conftest import PAGE, error_of

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web


@pytest.mark.parametrize("path", ["/", "/game/abc123", "/challenge/abc123"])
async def test_every_address_of_ours_is_the_page(program: httpx.AsyncClient, path: str) -> None:
    response = await program.get(path)
    assert (response.status_code, response.text) == (200, PAGE)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"
    again = await program.get(path, headers={"if-none-match": response.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = await program.head(path)
    assert (head.status_code, head.content) == (200, b"")


async def test_page_that_was_not_built_says_how_to(web: Web, program: httpx.AsyncClient) -> None:
    (web.static / "index.html").unlink()
    response = await program.get("/")
    assert response.status_code == 503
    assert "make run" in response.text
    assert response.headers["content-type"] == "text/plain; charset=utf-8"


async def test_assets_are_kept_for_ever(program: httpx.AsyncClient) -> None:
    response = await program.get("/assets/index-1a2b.js")
    assert (response.status_code, response.text) == (200, "export {}")
    assert "javascript" in response.headers["content-type"]
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    again = await program.get("/assets/index-1a2b.js", headers={"if-none-match": response.headers["etag"]})
    assert again.status_code == 304
    assert again.headers["cache-control"] == response.headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    [
        "/assets/nothing.js",
        "/assets/",
        "/assets/.",
        "/assets/%2e%2e",
        "/assets/../secret.txt",
        "/assets/%2e%2e/secret.txt",
        "/assets/..%2fsecret.txt",
        "/assets/%2fetc%2fpasswd",
        "/assets/nul%00",
        "/assets/" + "a" * 5000,
        "/secret.txt",
        "/index.html",
        "/game/",
        "/game/a/b",
    ],
)
async def test_nothing_else_is_served(program: httpx.AsyncClient, path: str) -> None:
    assert error_of(await program.get(path)) == (404, "not_found")


@pytest.mark.parametrize("path", ["/", "/assets/index-1a2b.js", "/api/v1/me", "/nothing", "/healthz"])
async def test_every_response_is_guarded(program: httpx.AsyncClient, path: str) -> None:
    headers = (await program.get(path)).headers
    policy = {part.split()[0]: part.split()[1:] for part in headers["content-security-policy"].split(";")}
    assert policy == {
        "default-src": ["'self'"],
        "connect-src": ["'self'", "ws://zeitnot.test", "wss://zeitnot.test"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("host", "connect"),
    [
        ("127.0.0.1:8000", "'self' ws://127.0.0.1:8000 wss://127.0.0.1:8000"),
        ("[::1]:8000", "'self' ws://[::1]:8000 wss://[::1]:8000"),
        (None, "'self'"),
        ("a.org; script-src *", "'self'"),
        ("a.org *", "'self'"),
        ("", "'self'"),
    ],
)
def test_host_adds_nothing_but_itself_to_the_policy(host: str | None, connect: str) -> None:
    assert f"; connect-src {connect}; " in content_security_policy(host)
