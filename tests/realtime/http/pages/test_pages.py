"""The page at each address: embedded data and headers."""

from __future__ import annotations

import gzip
import json
import re
from contextlib import AsyncExitStack
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from lobby.proposals import Proposal
from realtime.http.guards.headers import content_security_policy
from realtime.http.pages.pages import ADDRESSES, NOT_BUILT, Pages
from tests.realtime.http.conftest import PAGE, Web, error_of
from tests.server_process import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

    from realtime.postgres.database import Pool

HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def snapshot(**fields: Any) -> Any:
    """As much of a snapshot as the page's head needs."""
    players = {color: {"user": {"name": name}} for color, name in (("w", "Anna"), ("b", "Ben"))}
    terms = {"tc": {"base_s": 180, "inc_s": 2}, "speed": "blitz", "rated": False, "game": "chess"}
    return {
        "variant": "standard",
        "t": "game",
        "g": "game1",
        "players": players,
        **terms,
        "moves": [],
        "status": "live",
        "turn": "w",
    } | fields


def block(page: str, name: str) -> Any:
    """The JSON value of a data block."""
    found = re.findall(f'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert len(found) == 1, page
    return json.loads(found[0])


def tag(page: str, name: str) -> str:
    """An Open Graph tag."""
    found = re.search(f'<meta property="og:{name}" content="([^"]*)">', page)
    assert found is not None, page
    return found[1]


@pytest.mark.parametrize("path", ADDRESSES)
async def test_page_without_data_is_served_as_built(program: httpx.AsyncClient, path: str) -> None:
    response = await program.get(path)
    assert (response.status_code, response.text) == (200, PAGE)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"
    again = await program.get(path, headers={"if-none-match": response.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = await program.head(path)
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", str(len(PAGE)))


def test_every_page_of_the_client_has_an_address() -> None:
    routes = (ROOT / "web/src/routes.ts").read_text(encoding="utf-8")
    pages = re.findall(r"case '(\w*)':", routes)
    assert "players" in pages
    assert {f"/{page}" for page in pages} <= set(ADDRESSES)


@pytest.mark.parametrize(
    "path",
    [
        *("/user/nosuch", "/simul/nosuch", "/simul/%00", "/user/%00", "/leaders/nope", "/tv/nope"),
        *("/import/nosuch", "/import/%00", "/import/nosuch/1x", "/import/nosuch/0"),
    ],
)
async def test_page_of_unknown_object_is_404(web: Web, program: httpx.AsyncClient, path: str) -> None:
    response = await program.get(path, headers={"accept": "text/html"})
    assert (response.status_code, response.text) == (404, PAGE)
    if path.endswith("nosuch"):
        await web.pool.close()
        assert (await program.get(path, headers={"accept": "text/html"})).status_code == 200


async def test_import_has_a_page_for_whoever_may_see_it(web: Web) -> None:
    owner, other = await web.browser(), await web.browser()
    ids = [(await browser.post("/api/v1/guest")).json()["user"]["id"] for browser in (owner, other)]
    await web.pool.execute("INSERT INTO import (id, person, name, games) VALUES ('import1', $1, 'Mine', 2)", ids[0])
    await web.pool.execute(
        """
        INSERT INTO imported_game (import, n, white, black, result, date, event, plies, variant)
        SELECT 'import1', n, 'Anna', 'Ben', '*', '', '', 2, 'standard' FROM generate_series(1, 2) AS n
        """
    )

    async def statuses(path: str) -> list[int]:
        return [(await browser.get(path, headers=HTML)).status_code for browser in (owner, other)]

    assert await statuses("/import/import1") == [404, 404]
    await web.pool.execute("UPDATE import SET finished_at = now()")
    assert await statuses("/import/import1") == [200, 404]
    assert await statuses("/import/import1/2") == [200, 404]
    assert await statuses("/import/import1/3") == [404, 404]
    await web.pool.execute("UPDATE import SET public = true")
    assert await statuses("/import/import1/2") == [200, 200]


async def test_profile_page_is_served(program: httpx.AsyncClient) -> None:
    name = (await program.post("/api/v1/guest")).json()["user"]["name"]
    response = await program.get(f"/user/{name}")
    assert (response.status_code, response.text) == (200, PAGE)


def test_page_names_the_configured_source(web: Web, tmp_path: Path) -> None:
    pages = Pages(tmp_path / "static", web.identities, web.server, web.lobby, 'https://example.org/?a&b="')
    assert pages._index is not None
    page = pages._index.bodies["identity"].decode()
    assert page == PAGE.replace("</head>", '<meta name="source" content="https://example.org/?a&amp;b=&quot;"></head>')
    assert gzip.decompress(pages._index.bodies["gzip"]).decode() == page != PAGE


@pytest.mark.parametrize("path", ["/", "/game/game1", "/challenge/c1"])
async def test_missing_build_explains_how_to_build(pool: Pool, tmp_path: Path, path: str) -> None:
    async with AsyncExitStack() as stack:
        web = Web(pool, tmp_path / "nothing", stack)
        response = await (await web.client()).get(path)
        await web.lobby.close()
    assert (response.status_code, response.text) == (503, NOT_BUILT)
    assert response.headers["content-type"] == "text/plain; charset=utf-8"


class TestGame:
    async def test_game_page_contains_the_snapshot(self, web: Web, program: httpx.AsyncClient) -> None:
        web.server.snapshots["game1"] = snapshot(moves=["e2e4"], turn="b")
        response = await program.get("/game/game1?from=mail")
        assert response.status_code == 200
        assert block(response.text, "snapshot") == web.server.snapshots["game1"]
        assert "<title>Anna \N{EN DASH} Ben · 3+2 blitz · Zeitnot</title>" in response.text
        assert tag(response.text, "title") == "Anna \N{EN DASH} Ben · 3+2 blitz · Zeitnot"
        assert tag(response.text, "description") == "Casual 3+2 blitz. Black to move, 1 move."
        assert tag(response.text, "url") == "http://zeitnot.test/game/game1"
        assert response.headers["cache-control"] == "no-store"
        assert "etag" not in response.headers
        assert response.text.endswith("</head><body></body>")

    async def test_game_page_is_read_for_its_viewer_with_legal_moves(self, web: Web) -> None:
        web.server.snapshots["game1"] = snapshot()
        browser = await web.browser()
        user = (await browser.post("/api/v1/guest")).json()["user"]
        await browser.get("/game/game1")
        await (await web.client()).get("/game/game1")
        assert [viewer and viewer.id for viewer in web.server.viewers] == [user["id"], None]
        assert web.server.told_legal == [True, True]

    async def test_game_page_links_to_oembed(self, web: Web, program: httpx.AsyncClient) -> None:
        web.server.snapshots["game1"] = snapshot()
        found = re.search(
            r'<link rel="alternate" type="application/json\+oembed" href="([^"]*)"',
            (await program.get("/game/game1")).text,
        )
        assert found is not None
        parts = urlsplit(unescape(found[1]))
        assert (parts.netloc, parts.path) == ("zeitnot.test", "/oembed")
        assert parse_qs(parts.query) == {"url": ["http://zeitnot.test/game/game1"], "format": ["json"]}
        assert "oembed" not in (await program.get("/")).text

    async def test_names_and_data_are_escaped(self, web: Web, program: httpx.AsyncClient) -> None:
        evil = '</title></script><!--<script>"&\u2028\u2029'
        players = {color: {"user": {"name": evil}} for color in ("w", "b")}
        web.server.snapshots["game1"] = snapshot(players=players)
        text = (await program.get("/game/game1")).text
        assert block(text, "snapshot")["players"]["w"]["user"]["name"] == evil
        assert len(re.findall("<(?:script|!--|/script)", text)) == 2
        assert len(re.findall("</?title", text)) == 2
        assert "\u2028" not in text.partition("</title>")[2].partition('id="snapshot">')[2]
        assert "&lt;/title&gt;" in text

    async def test_game_page_is_compressed_if_accepted(self, web: Web, program: httpx.AsyncClient) -> None:
        web.server.snapshots["game1"] = snapshot(moves=["e2e4"] * 100)
        packed = await program.get("/game/game1", headers={"accept-encoding": "br, gzip"})
        plain = await program.get("/game/game1", headers={"accept-encoding": "identity"})
        assert packed.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert packed.text == plain.text
        assert int(packed.headers["content-length"]) < len(plain.content) / 2
        assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding, Cookie"
        head = await program.head("/game/game1")
        assert (head.content, head.headers["content-length"]) == (b"", packed.headers["content-length"])

    @pytest.mark.parametrize("path", ["/game/nothing1", "/game/not-an-id", "/game/nul%00"])
    async def test_page_of_unknown_game_is_404(self, web: Web, program: httpx.AsyncClient, path: str) -> None:
        response = await program.get(path)
        assert response.status_code == 404
        assert block(response.text, "snapshot") is None
        assert tag(response.text, "title") == "Page not found · Zeitnot"
        assert response.headers["cache-control"] == "no-store"

    async def test_page_without_database_has_no_data(self, web: Web, program: httpx.AsyncClient) -> None:
        for web.server.failure in (ConnectionRefusedError("no"), TimeoutError("no")):
            response = await program.get("/game/game1")
            assert (response.status_code, response.text) == (200, PAGE)
            assert response.headers["cache-control"] == "no-store"

    async def test_preview_uses_the_icon_of_the_build(self, pool: Pool, tmp_path: Path) -> None:
        (tmp_path / "index.html").write_text(PAGE)
        (tmp_path / "icon-512.png").write_bytes(b"png")
        async with AsyncExitStack() as stack:
            web = Web(pool, tmp_path, stack)
            web.server.snapshots["game1"] = snapshot()
            response = await (await web.client()).get("/game/game1")
            await web.lobby.close()
        assert tag(response.text, "image") == "http://zeitnot.test/icon-512.png"


async def test_challenge_page_contains_the_challenge(web: Web, program: httpx.AsyncClient) -> None:
    user, _ = await web.identities.create_guest()
    challenge = (await web.lobby.challenge(user, Proposal(tc={"base_s": 300, "delay_s": 3})))["challenge"]
    response = await program.get(f"/challenge/{challenge}")
    assert response.status_code == 200
    card = block(response.text, "challenge")
    assert (card["challenge"], card["from"]["id"], card["status"]) == (challenge, user.id, "open")
    assert tag(response.text, "description") == f"{user.name} invites you: 5 d3, casual."
    await web.lobby.challenge_cancel(user, challenge)
    response = await program.get(f"/challenge/{challenge}")
    assert tag(response.text, "description") == "This invitation was cancelled."
    missing = await program.get("/challenge/nothing1")
    assert (missing.status_code, block(missing.text, "challenge")) == (404, None)


class TestMissing:
    @pytest.mark.parametrize(
        "path", ["/nothing", "/game/", "/game/a/b", "/index.html", "/secret.txt", "/sw.js/x", "/tv/warp"]
    )
    async def test_unknown_path_is_a_page_for_browsers_and_an_error_for_others(
        self, program: httpx.AsyncClient, path: str
    ) -> None:
        page = await program.get(path, headers=HTML)
        assert (page.status_code, page.text) == (404, PAGE)
        assert page.headers["cache-control"] == "no-store"
        assert error_of(await program.get(path)) == (404, "not_found")
        assert error_of(await program.post(path, headers=HTML)) == (404, "not_found")

    @pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v1/games/nothing1", "/assets/nothing.js"])
    async def test_unknown_api_or_asset_path_is_an_error(self, program: httpx.AsyncClient, path: str) -> None:
        assert error_of(await program.get(path, headers=HTML)) == (404, "not_found")


@pytest.mark.parametrize("path", ["/", "/game/game1", "/assets/index-1a2b.js", "/api/v1/me", "/nothing", "/healthz"])
async def test_every_response_has_security_headers(program: httpx.AsyncClient, path: str) -> None:
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
def test_host_adds_only_itself_to_the_policy(host: str | None, connect: str) -> None:
    assert f"; connect-src {connect}; " in content_security_policy(host)


class TestEmbed:
    async def test_embed_page_contains_the_public_snapshot(self, web: Web) -> None:
        web.server.snapshots["game1"] = snapshot(moves=["e2e4"], turn="b")
        browser = await web.browser()
        await browser.post("/api/v1/guest")
        response = await browser.get("/embed/game/game1?theme=dark")
        assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
        assert block(response.text, "snapshot") == web.server.snapshots["game1"]
        assert tag(response.text, "url").endswith("/game/game1")
        assert "/embed/" not in tag(response.text, "url")
        assert response.text.endswith("<body><main></main></body>")
        assert (web.server.viewers, web.server.told_legal) == ([None], [False])

    async def test_embed_page_may_be_framed_and_is_restricted(self, web: Web, program: httpx.AsyncClient) -> None:
        web.server.snapshots["game1"] = snapshot()
        for path in ("/embed/game/game1", "/embed/game/nothing"):
            policy = (await program.get(path)).headers["content-security-policy"].split("; ")
            assert "frame-ancestors *" in policy
            assert {"default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'none'"} <= set(policy)
        for path in ("/", "/game/game1", "/game/embed", "/assets/embed-1.js"):
            assert "frame-ancestors 'none'" in (await program.get(path)).headers["content-security-policy"]

    @pytest.mark.parametrize("path", ["/embed/", "/embed/nothing", "/embed/game/", "/embed/game/a/b"])
    async def test_unknown_embed_path_is_an_error(self, program: httpx.AsyncClient, path: str) -> None:
        assert error_of(await program.get(path, headers=HTML)) == (404, "not_found")

    async def test_embed_page_of_unknown_game_is_404(self, program: httpx.AsyncClient) -> None:
        response = await program.get("/embed/game/nothing")
        assert (response.status_code, block(response.text, "snapshot")) == (404, None)
        assert (await program.get("/embed.html")).status_code == 404
        assert (await program.get("/embed/game/no%20id")).status_code == 404
