"""``--hosts``: requests for other names than the server's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from realtime.commands.settings import read_settings
from realtime.http.guards.hosts import OwnHosts
from realtime.http.pages.oembed import Oembed
from realtime.protocol.errors import BadSetting
from tests.realtime.http.games.test_watching import SNAPSHOT

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.user import User


class Games:
    async def snapshot(self, game_id: str, _user: User | None) -> object:
        return SNAPSHOT if game_id == "game1" else None


async def here(_request: Request) -> Response:
    return PlainTextResponse("here")


def server(*hosts: str) -> httpx.AsyncClient:
    oembed = Oembed(Games(), is_host_known=bool(hosts))  # type: ignore[arg-type]  # all of it that is asked
    routes = [Route("/", here), Route("/healthz", here), Route("/oembed", oembed.show)]
    app = Starlette(routes=routes, middleware=[Middleware(OwnHosts, hosts)])
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://chess.test")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("chess.test", 200),
        ("Chess.Test:8443", 200),
        ("evil.test", 421),
        ("chess.test.evil.test", 421),
        ("", 421),
        ("[::1]:8000", 200),
        ("[::2]:8000", 421),
    ],
)
async def test_request_for_another_host_is_refused(host: str, status: int) -> None:
    response = await server("chess.test", "[::1]").get("/", headers={"Host": host})
    assert response.status_code == status
    if status == 421:
        assert response.json()["error"]["code"] == "bad_message"


async def test_probes_accept_any_host() -> None:
    assert (await server("chess.test").get("/healthz", headers={"Host": "10.0.0.7:8000"})).status_code == 200


async def test_without_hosts_any_host_is_accepted_and_oembed_uncached() -> None:
    query = {"url": "http://evil.test/game/game1"}
    evil = {"Host": "evil.test"}
    response = await server().get("/oembed", params=query, headers=evil)
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    assert (await server("chess.test").get("/oembed", params=query, headers=evil)).status_code == 421
    response = await server("chess.test").get("/oembed", params={"url": "http://chess.test/game/game1"})
    assert response.headers["cache-control"] == "public, max-age=3600"
    assert response.json()["cache_age"] == 3600


def test_hosts_setting_is_validated() -> None:
    assert read_settings({"hosts": "Chess.example.org, [::1]"}, {}).hosts == ("chess.example.org", "[::1]")
    for wrong in ("chess.example.org:8000", "https://chess.example.org", "a/b"):
        with pytest.raises(BadSetting, match="hosts: expected names"):
            read_settings({"hosts": wrong}, {})
