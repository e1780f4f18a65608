"""The page for every address of ours, with what its first drawing needs, and the files beside it."""

from __future__ import annotations

import asyncio
import logging
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
from realtime.http.pages.page import Card, Page, offering
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
    *("/games", "/leaders", *(f"/leaders/{perf}" for perf in perfs()), "/search"),
    *("/signup", "/login", "/forgotten", "/account", "/settings", "/reports"),
    *("/import", "/import/{id}", "/import/{id}/{n}"),
)
"""Pages of which the server knows nothing but that they are there (web/src/routes.ts). Any other is 404, and the page
says so."""

ASSET_CACHE = "public, max-age=31536000, immutable"
"""Assets carry a hash of their content in their names: the same name is the same file for ever."""

FILE_CACHE = "no-cache"
"""What may be kept but must be asked for, as the page itself: it names the assets of the present version. ``ETag``
makes that cheap."""

FILLED_CACHE = "no-store"
"""A page with data in it is of one instant and for one person."""

DATA_S = 2.0
"""A page goes without its data after this: it can ask for it by its socket, and say meanwhile what is wrong."""

GZIP_LEVEL = 1
"""Of pages that are filled: 20 µs for a game of 80 half-moves, a third of its size."""

WORKER = "sw.js"
"""The service worker. It looks after all our addresses, wherever it is put one day."""

PREVIEW = "icon-512.png"
"""The picture for link previews, if the build has one."""

NOT_BUILT = "The page is not built. `make run` builds it; see README.md.\n"

log = logging.getLogger(__name__)


class Pages:
    """Serves what is in ``directory``, where Vite has put it.

    Args:
        source_url: where the source is offered; every page names it (AGPL §13), if given.

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
        """Every page, every asset, and exactly those files of the root that are there."""
        return [
            *(Route(path, self.index) for path in ADDRESSES),
            Route("/user/{name}", self.person),
            Route("/simul/{id}", self.simul),
            Route("/game/{id}", self.game),
            Route("/challenge/{id}", self.challenge),
            Route("/embed/game/{id}", self.embed),
            Route("/assets/{name}", self.asset),
            *(Route(f"/{name}", self.file) for name in self._files),
        ]

    async def index(self, request: Request) -> Response:
        """The page without data. 503 when it was never built."""
        if self._index is None:
            return PlainTextResponse(NOT_BUILT, 503)
        return self._index.response(request, {"Cache-Control": FILE_CACHE})

    async def person(self, request: Request) -> Response:
        """The page of a person; 404 where nobody has that name."""
        return await self._existing(request, user_named(self._identities.pool, request.path_params["name"]))

    async def simul(self, request: Request) -> Response:
        """The page of a simul; 404 where there is none."""
        return await self._existing(request, self._simul(request.path_params["id"]))

    async def _simul(self, simul_id: str) -> object:
        if not is_id(simul_id):
            return None
        return await self._identities.pool.fetchval("SELECT id FROM simul WHERE id = $1", simul_id)

    async def game(self, request: Request) -> Response:
        """The page with the game's snapshot as its viewer may see it: the board is drawn before anything is asked."""
        game_id: str = request.path_params["id"]

        async def read() -> tuple[Card, Any] | None:
            snapshot = await self._games.snapshot(game_id, await viewer(request, self._identities), legal=True)
            if snapshot is None:
                return None
            return _embeddable(game_card(snapshot, _address(request)), request), snapshot

        return await self._filled(request, "snapshot", read, self._page)

    async def embed(self, request: Request) -> Response:
        """The small page that others frame, with the game's snapshot as everybody may see it."""
        game_id: str = request.path_params["id"]

        async def read() -> tuple[Card, Any] | None:
            snapshot = await self._games.snapshot(game_id, None)
            address = str(request.url.replace(path=f"/game/{game_id}", query="", fragment=""))
            return None if snapshot is None else (game_card(snapshot, address), snapshot)

        return await self._filled(request, "snapshot", read, self._embed)

    async def challenge(self, request: Request) -> Response:
        """The page with the challenge that its link leads to."""
        challenge_id: str = request.path_params["id"]

        async def read() -> tuple[Card, Any] | None:
            challenge = await self._lobby.challenge_card(challenge_id)
            return None if challenge is None else (challenge_card(challenge, _address(request)), challenge)

        return await self._filled(request, "challenge", read, self._page)

    async def asset(self, request: Request) -> Response:
        """A file with a hash in its name."""
        asset = self._assets.get(request.path_params["name"])
        if asset is None:
            raise HTTPException(404)
        return asset.response(request, {"Cache-Control": ASSET_CACHE})

    async def file(self, request: Request) -> Response:
        """A file that has to be at the root: the service worker, the manifest, icons."""
        name = request.url.path.removeprefix("/")
        headers = {"Cache-Control": FILE_CACHE}
        if name == WORKER:
            headers["Service-Worker-Allowed"] = "/"
        return self._files[name].response(request, headers)

    async def missing(self, request: Request, error: Exception) -> Response:
        """404: for people the page, which says so; for programs the error of the API."""
        wants_page = "text/html" in request.headers.get("accept", "") and request.method in ("GET", "HEAD")
        # Below /embed/ everything may be framed, and the page with all its buttons must not be.
        if self._index is None or not wants_page or request.url.path.startswith(("/api/", "/assets/", EMBEDDED)):
            return await not_served(request, error)
        return self._index.response(request, {"Cache-Control": FILLED_CACHE}, 404)

    async def _existing(self, request: Request, look: Coroutine[Any, Any, object]) -> Response:
        """The page without data; 404 if ``look`` finds nothing."""
        found: object = None
        try:
            async with asyncio.timeout(DATA_S):
                found = await look
        except FAILURES as error:
            if classify(error) is None:
                raise
            log.warning("whether there is such a page is not known, the database is in trouble: %r", error)
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
                log.warning("a page goes out without its data, the database is in trouble: %r", error)
                return template.file.response(request, {"Cache-Control": FILLED_CACHE}, 200)
        card, data = found or (missing_card(_address(request)), None)
        if PREVIEW in self._files:
            card = msgspec.structs.replace(card, image=str(request.base_url.replace(path=f"/{PREVIEW}")))
        return _packed(request, template.page.filled(card, {name: data}), 200 if found else 404)


class _Template(NamedTuple):
    """A page as it is, and as it is filled."""

    file: StaticFile
    page: Page


def _template(file: StaticFile | None) -> _Template | None:
    return None if file is None else _Template(file, Page(file.bodies["identity"].decode()))


def _embeddable(card: Card, request: Request) -> Card:
    """``card`` with the address that tells how to show it in a page of somebody else's."""
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
