"""The routes of all pages, with their initial data, and of static files."""

from __future__ import annotations

import asyncio
import logging
import re
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from lobby.accounts.identity import user_named
from lobby.ids import is_id
from lobby.ratings.ratings import perfs
from realtime.http.guards.failures import not_served
from realtime.http.guards.headers import EMBEDDED
from realtime.http.guards.session import viewer
from realtime.http.pages.cards import challenge_card, game_card, missing_card
from realtime.http.pages.page import Card, IndexPage, offering
from realtime.http.pages.static_files import accepted_encoding, read_directory
from realtime.postgres.database import FAILURES, classify
from realtime.watching.tv.standing import CHANNELS

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from starlette.requests import Request

    from lobby.accounts.identity import Identities
    from realtime.cluster.lobby.lobby_client import AnyLobby
    from realtime.http.games.games import GameSource
    from realtime.http.pages.static_files import StaticFile

ADDRESSES = (
    *("/", "/live", "/tv", *(f"/tv/{channel}" for channel in CHANNELS), "/wall", "/simuls"),
    *("/games", "/leaders", *(f"/leaders/{perf}" for perf in perfs()), "/players", "/search"),
    *("/signup", "/login", "/forgotten", "/account", "/settings", "/reports", "/import"),
)
"""Paths of pages without data from the server (as in web/src/routes.ts). Unknown paths get 404 and the page, which
displays an error."""

ASSET_CACHE = "public, max-age=31536000, immutable"
"""The names of assets contain a hash of their content, so an asset never changes."""

FILE_CACHE = "no-cache"
"""For files that must be revalidated, such as the page, which names the assets of the current version. ``ETag`` makes
this cheap."""

FILLED_CACHE = "no-store"
"""A page with data depends on the time and the user."""

IMPORTED = re.compile(r"[1-9][0-9]{0,5}")
"""The number of a game of an import, as in the client's routes."""

DATA_S = 2.0
"""The time limit of loading data. After it the page is sent without data; the page then requests it over the socket."""

GZIP_LEVEL = 1
"""The level for pages with data: 20 µs for a game of 80 half-moves, a third of its size."""

WORKER = "sw.js"
"""The service worker. Its scope is the whole site, whatever its path."""

PREVIEW = "icon-512.png"
"""The image for link previews, if the build contains it."""

NOT_BUILT = "The page is not built. `make run` builds it; see README.md.\n"

log = logging.getLogger(__name__)


class Pages:
    """The pages and static files in ``directory``, which Vite has built.

    Args:
        source_url: the address of the source code; if given, every page links to it (AGPL §13).

    Raises:
        BadPage: ``index.html`` cannot be filled.
    """

    def __init__(
        self,
        directory: Path,
        identities: Identities,
        games: GameSource,
        lobby: AnyLobby,
        source_url: str | None = None,
    ) -> None:
        self._identities = identities
        self._games = games
        self._lobby = lobby
        self._files = read_directory(directory)
        self._assets = read_directory(directory / "assets")
        index = self._files.pop("index.html", None)
        self._index = index if index is None or source_url is None else offering(index, source_url)
        self._page = _template(self._index)
        self._embed = _template(self._files.pop("embed.html", None))

    def routes(self) -> list[Route]:
        """Return the routes of every page, every asset, and the existing files at the root."""
        return [
            *(Route(path, self.index) for path in ADDRESSES),
            Route("/user/{name}", self.person),
            Route("/simul/{id}", self.simul),
            Route("/import/{id}", self.imported),
            Route("/import/{id}/{n}", self.imported),
            Route("/game/{id}", self.game),
            Route("/challenge/{id}", self.challenge),
            Route("/embed/game/{id}", self.embed),
            Route("/assets/{name}", self.asset),
            *(Route(f"/{name}", self.file) for name in self._files),
        ]

    async def index(self, request: Request) -> Response:
        """Return the page without data; 503 if it has not been built."""
        if self._index is None:
            return PlainTextResponse(NOT_BUILT, 503)
        return self._index.response(request, {"Cache-Control": FILE_CACHE})

    async def person(self, request: Request) -> Response:
        """Return the page of a user; 404 if there is none of that name."""
        return await self._existing(request, user_named(self._identities.pool, request.path_params["name"]))

    async def simul(self, request: Request) -> Response:
        """Return the page of a simul; 404 if there is none."""
        return await self._existing(request, self._simul(request.path_params["id"]))

    async def _simul(self, simul_id: str) -> object:
        if not is_id(simul_id):
            return None
        return await self._identities.pool.fetchval("SELECT id FROM simul WHERE id = $1", simul_id)

    async def imported(self, request: Request) -> Response:
        """Return the page of an import or of one of its games; 404 if the viewer can see none."""
        return await self._existing(request, self._import(request))

    async def _import(self, request: Request) -> object:
        import_id, n = request.path_params["id"], request.path_params.get("n", "1")
        if not is_id(import_id) or not IMPORTED.fullmatch(n):
            return None
        user = await viewer(request, self._identities)
        return await self._identities.pool.fetchval(
            """
            SELECT true FROM import
            WHERE id = $1 AND (public OR person = $2) AND finished_at IS NOT NULL
                AND ($3 = 1 OR EXISTS (SELECT FROM imported_game WHERE import = $1 AND n = $3))
            """,
            import_id,
            None if user is None else user.id,
            int(n),
        )

    async def game(self, request: Request) -> Response:
        """Return the page with the game's snapshot for the viewer, so that the board is drawn without another
        request."""
        game_id: str = request.path_params["id"]

        async def read() -> tuple[Card, Any] | None:
            snapshot = await self._games.snapshot(game_id, await viewer(request, self._identities), legal=True)
            if snapshot is None:
                return None
            return _embeddable(game_card(snapshot, _address(request)), request), snapshot

        return await self._filled(request, "snapshot", read, self._page)

    async def embed(self, request: Request) -> Response:
        """Return the page that other sites frame, with the public snapshot of the game."""
        game_id: str = request.path_params["id"]

        async def read() -> tuple[Card, Any] | None:
            snapshot = await self._games.snapshot(game_id, None)
            address = str(request.url.replace(path=f"/game/{game_id}", query="", fragment=""))
            return None if snapshot is None else (game_card(snapshot, address), snapshot)

        return await self._filled(request, "snapshot", read, self._embed)

    async def challenge(self, request: Request) -> Response:
        """Return the page with the challenge of the link."""
        challenge_id: str = request.path_params["id"]

        async def read() -> tuple[Card, Any] | None:
            challenge = await self._lobby.challenge_card(challenge_id)
            return None if challenge is None else (challenge_card(challenge, _address(request)), challenge)

        return await self._filled(request, "challenge", read, self._page)

    async def asset(self, request: Request) -> Response:
        """Return a file with a hash in its name."""
        asset = self._assets.get(request.path_params["name"])
        if asset is None:
            raise HTTPException(404)
        return asset.response(request, {"Cache-Control": ASSET_CACHE})

    async def file(self, request: Request) -> Response:
        """Return a file that must be at the root: the service worker, the manifest, icons."""
        name = request.url.path.removeprefix("/")
        headers = {"Cache-Control": FILE_CACHE}
        if name == WORKER:
            headers["Service-Worker-Allowed"] = "/"
        return self._files[name].response(request, headers)

    async def missing(self, request: Request, error: Exception) -> Response:
        """Answer 404: with the page for browsers, with the API's error for other clients."""
        wants_page = "text/html" in request.headers.get("accept", "") and request.method in ("GET", "HEAD")
        # Everything below /embed/ may be framed. The full page must not be framed (clickjacking).
        if self._index is None or not wants_page or request.url.path.startswith(("/api/", "/assets/", EMBEDDED)):
            return await not_served(request, error)
        return self._index.response(request, {"Cache-Control": FILLED_CACHE}, 404)

    async def _existing(self, request: Request, look: Coroutine[Any, Any, object]) -> Response:
        """Return the page without data; 404 if ``look`` returns None."""
        found: object = None
        try:
            async with asyncio.timeout(DATA_S):
                found = await look
        except FAILURES as error:
            if classify(error) is None:
                raise
            log.warning("it is unknown whether a page exists, the database is in trouble: %r", error)
            found = True
        if found is None and self._index is not None:
            return self._index.response(request, {"Cache-Control": FILLED_CACHE}, 404)
        return await self.index(request)

    async def _filled(self, request: Request, name: str, read: Any, template: _Template | None) -> Response:
        if template is None:
            return PlainTextResponse(NOT_BUILT, 503)
        found = None
        if is_id(request.path_params["id"]):
            try:
                async with asyncio.timeout(DATA_S):
                    found = await read()
            except FAILURES as error:
                if classify(error) is None:
                    raise
                log.warning("a page was sent without its data, the database is in trouble: %r", error)
                return template.file.response(request, {"Cache-Control": FILLED_CACHE}, 200)
        card, data = found or (missing_card(_address(request)), None)
        if PREVIEW in self._files:
            card = msgspec.structs.replace(card, image=str(request.base_url.replace(path=f"/{PREVIEW}")))
        return _packed(request, template.page.filled(card, {name: data}), 200 if found else 404)


class _Template(NamedTuple):
    """A page without data, and the template that is filled with data."""

    file: StaticFile
    page: IndexPage


def _template(file: StaticFile | None) -> _Template | None:
    return None if file is None else _Template(file, IndexPage(file.bodies["identity"].decode()))


def _embeddable(card: Card, request: Request) -> Card:
    """Return ``card`` with the address of its oEmbed data."""
    query = urlencode({"url": card.url, "format": "json"})
    return msgspec.structs.replace(card, oembed=str(request.base_url.replace(path="/oembed", query=query)))


def _address(request: Request) -> str:
    return str(request.url.replace(query="", fragment=""))


def _packed(request: Request, body: bytes, status: int) -> Response:
    headers = {"Cache-Control": FILLED_CACHE, "Vary": "Accept-Encoding, Cookie"}
    if accepted_encoding(request.headers.get("accept-encoding", ""), {"gzip": body}) == "gzip":
        headers["Content-Encoding"] = "gzip"
        packer = zlib.compressobj(GZIP_LEVEL, wbits=zlib.MAX_WBITS + 16)
        body = packer.compress(body) + packer.flush()
    if request.method == "HEAD":
        headers["Content-Length"] = str(len(body))
        body = b""
    return Response(body, status, headers, "text/html; charset=utf-8")
