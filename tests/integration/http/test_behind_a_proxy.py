"""The scheme a trusted proxy reports: cookies, HSTS and origins follow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Server

HTTPS = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https", "Host": "chess.example"}
HTTP = {**HTTPS, "X-Forwarded-Proto": "http"}
OWN = {"Origin": "https://chess.example"}
PLAIN = {"Origin": "http://chess.example"}


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory, postgres: Server) -> Iterator[str]:
    data = tmp_path_factory.mktemp("proxied") / "data"
    with postgres.created() as url, ServerProcess(data, "--proxies", "127.0.0.1", database=url) as server:
        yield server.url


def test_https_sets_hsts_and_secure_cookies(proxied: str) -> None:
    secure, plain = (httpx.post(f"{proxied}/api/v1/guest", headers=headers) for headers in (HTTPS, HTTP))
    assert secure.headers["strict-transport-security"] == "max-age=31536000"
    assert "Secure" in secure.headers["set-cookie"]
    assert "strict-transport-security" not in plain.headers
    assert "Secure" not in plain.headers["set-cookie"]


def test_request_from_the_other_scheme_is_refused(proxied: str) -> None:
    def status(headers: dict[str, str]) -> int:
        return httpx.post(f"{proxied}/api/v1/guest", headers=headers).status_code

    assert status({**HTTPS, **OWN}) == 201
    assert status({**HTTPS, **PLAIN}) == 403
    assert status({**HTTP, **PLAIN}) == 201
    assert status({**HTTP, **OWN}) == 403


async def test_socket_from_the_other_scheme_is_refused(proxied: str) -> None:
    async with httpx.AsyncClient() as client:
        cookie = (await client.post(f"{proxied}/api/v1/guest", headers=HTTPS)).cookies["zeitnot"]

    async def status(headers: dict[str, str]) -> int:
        try:
            async with connect(
                proxied.replace("http", "ws", 1) + "/ws",
                additional_headers={**headers, "Cookie": f"zeitnot={cookie}"},
                compression=None,
            ):
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code

    # The client library writes Host itself, so the proxy's word for it is X-Forwarded-Host here.
    forwarded = {"X-Forwarded-Host": "chess.example", "X-Forwarded-For": "192.0.2.1"}
    assert await status({**forwarded, "X-Forwarded-Proto": "https", **OWN}) == 101
    assert await status({**forwarded, "X-Forwarded-Proto": "https", **PLAIN}) == 403
    assert await status({**forwarded, "X-Forwarded-Proto": "http", **OWN}) == 403
