"""``/oembed``: the oEmbed endpoint for games (https://oembed.com)."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta
from starlette.exceptions import HTTPException

from lobby.errors import NotFound
from realtime.http.bodies.query import read_query
from realtime.http.guards.failures import json_response
from realtime.http.operation import Operation
from realtime.http.pages.cards import SITE, game_card
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.wire_watching import OembedWire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from realtime.http.games.games import GameSource

WIDTH, HEIGHT = 400, 480
"""The size in pixels of the board with the two players above and below it."""

CACHE_S = 3600
"""Cache lifetime. Names rarely change, and the game itself is loaded in the frame."""

OPEN = {"Access-Control-Allow-Origin": "*"}
"""Readable by scripts of all sites."""

CACHED = {**OPEN, "Cache-Control": f"public, max-age={CACHE_S}"}
NOT_CACHED = {**OPEN, "Cache-Control": "no-store"}
"""For servers that accept any ``Host``: a cache must not give others a response with a forged host."""

_PATH = re.compile(r"/(?:embed/)?game/([0-9A-Za-z]{1,12})/?")

Pixels = Annotated[int, Meta(ge=1, le=100_000)]


class OembedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """``GET /oembed``."""

    url: Annotated[str, Meta(min_length=1, max_length=1000, description="URL of the game on this server")]
    format: Annotated[str, Meta(description="`json`")] = "json"
    maxwidth: Annotated[Pixels, Meta(description="maximum width of the frame in pixels")] = WIDTH
    maxheight: Annotated[Pixels, Meta(description="maximum height of the frame in pixels")] = HEIGHT


class Oembed:
    """The oEmbed endpoint.

    Args:
        is_host_known: requests for other hosts than the server's own are refused earlier.
    """

    def __init__(self, games: GameSource, *, is_host_known: bool) -> None:
        self._games = games
        self._is_host_known = is_host_known

    @Operation(
        "GET /oembed",
        ANYBODY,
        id="getOembed",
        query=OembedQuery,
        answer=OembedWire,
        fails={
            404: "the URL is not that of a game on this server",
            429: "too many requests; `Retry-After` says when to try again",
            503: "the database is not responding",
            501: "a format other than JSON",
        },
    )
    async def show(self, request: Request) -> Response:
        """Return the oEmbed data of a game, as defined at oembed.com."""
        query = read_query(request, OembedQuery)
        game_id = _game_at(query.url, request.url.netloc)
        snapshot = None if game_id is None else await self._games.snapshot(game_id, None)
        if game_id is None or snapshot is None:
            raise NotFound("there is no such game on this server")
        if query.format != "json":
            raise HTTPException(501, "format: only json is supported")
        base = str(request.base_url).rstrip("/")
        title = game_card(snapshot, query.url).title
        width, height = _fitting(query.maxwidth, query.maxheight)
        answer: OembedWire = {
            "version": "1.0",
            "type": "rich",
            "provider_name": SITE,
            "provider_url": base,
            "title": title,
            "html": (
                f'<iframe src="{escape(base)}/embed/game/{game_id}" width="{width}" height="{height}"'
                f' title="{escape(title)}" style="border:0" allow="fullscreen" loading="lazy"></iframe>'
            ),
            "width": width,
            "height": height,
            "cache_age": CACHE_S if self._is_host_known else 0,
        }
        return json_response(answer, headers=CACHED if self._is_host_known else NOT_CACHED)


def _game_at(url: str, here: str) -> str | None:
    """Return the id of the game at ``url``; None if it is not the address of a game on the server ``here``."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or parts.netloc.lower() != here.lower():
        return None
    found = _PATH.fullmatch(parts.path)
    return None if found is None else found[1]


def _fitting(most_width: int, most_height: int) -> tuple[int, int]:
    """Return width and height of the frame within the given maximum, with the largest possible board."""
    beside = HEIGHT - WIDTH
    width = min(WIDTH, most_width, max(1, most_height - beside))
    return width, min(width + beside, most_height)
