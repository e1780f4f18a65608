"""The API for spectators: games in play, TV channels, and streams of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from game_core.time_control import Speed
from lobby.errors import NotFound, Unauthenticated
from lobby.ids import is_id
from realtime.http.bodies.query import read_query
from realtime.http.bodies.streamed import in_pieces
from realtime.http.games.game_query import Variant
from realtime.http.guards.concurrency_limit import Turns, taker
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import viewer
from realtime.http.operation import NO_GAME, UNKNOWN_TOKEN, Operation
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.wire_watching import LiveCardsWire, TvChannelsWire
from realtime.watching.game_lists import VARIANTS
from realtime.watching.listed_games import MOST
from realtime.watching.live_index import LiveFilter

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.identity import Identities
    from realtime.people.friends import Friends
    from realtime.watching.feeds import EventFeed, Feeds
    from realtime.watching.live_index import LiveIndex
    from realtime.watching.tv.director import Director

NDJSON = "application/x-ndjson"
"""NDJSON: one JSON value per line."""

STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Turns off buffering in nginx."""

HEARTBEAT_S = 6.0
"""After this long without an event an empty line is sent, so that clients notice a lost connection within seconds."""

STREAMS, STREAMS_OF_ONE = 500, 8
"""Concurrent streams in total, and per user or address. Each costs as much as a spectator."""

DEFAULT_COUNT = 24

STREAMING = {503: "too many streams are open, or the server is stopping"}


class LiveQuery(msgspec.Struct, frozen=True, kw_only=True):
    """``GET /api/v1/live``."""

    speed: Annotated[Speed | None, Meta(description="games at this speed")] = None
    variant: Annotated[Variant | None, Meta(description="games of this variant")] = None
    min_rating: Annotated[
        Annotated[int, Meta(ge=0, le=4000)] | None,
        Meta(description="games in which both players have at least this rating"),
    ] = None
    title: Annotated[int, Meta(ge=0, le=1, description="1: games in which a player has a title")] = 0
    friends: Annotated[
        int, Meta(ge=0, le=1, description="1: games of users whom the caller follows or has played more than twice")
    ] = 0
    limit: Annotated[int, Meta(ge=1, le=MOST, description="maximum number of entries")] = DEFAULT_COUNT

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for an unknown variant; msgspec reports it like any other invalid field."""
        if self.variant is not None and self.variant not in VARIANTS:
            raise ValueError(f"variant: expected one of {', '.join(VARIANTS)}")


@dataclass(frozen=True, slots=True)
class WatchingSource:
    """The sources of the data."""

    feeds: Feeds
    director: Director
    book: LiveIndex
    friends: Friends


class Watching:
    """``/api/v1/live``, ``/api/v1/tv`` and the streams."""

    def __init__(self, identities: Identities, source: WatchingSource) -> None:
        self._identities = identities
        self._source = source
        self._turns = Turns("streams", STREAMS, STREAMS_OF_ONE)

    @Operation(
        "GET /api/v1/live",
        ANYBODY,
        id="listLive",
        query=LiveQuery,
        answer=LiveCardsWire,
        fails={401: "`friends` requires a session, or the bearer token is unknown, expired or revoked"},
    )
    async def live(self, request: Request) -> Response:
        """List the games in play, best first."""
        query = read_query(request, LiveQuery)
        people = None
        if query.friends:
            user = await viewer(request, self._identities)
            if user is None:
                raise Unauthenticated("friends: requires a session")
            people = await self._source.friends.of(user.id)
        wanted = LiveFilter(
            speed=query.speed,
            variant=query.variant,
            min_rating=query.min_rating,
            title=bool(query.title),
            people=people,
        )
        book = self._source.book
        answer: LiveCardsWire = {"games": await book.look(wanted, query.limit), "total": book.count(wanted)}
        return json_response(answer)

    @Operation("GET /api/v1/tv", ANYBODY, id="getTv", answer=TvChannelsWire)
    async def tv(self, _request: Request) -> Response:
        """Return the game that each TV channel shows."""
        answer: TvChannelsWire = {"channels": await self._source.director.look()}
        return json_response(answer)

    @Operation(
        "GET /api/v1/games/{id}/stream",
        ANYBODY,
        id="streamGame",
        media=NDJSON,
        answer=str,
        fails={**NO_GAME, **UNKNOWN_TOKEN, **STREAMING},
    )
    async def game_stream(self, request: Request) -> Response:
        """Stream a game as NDJSON: its snapshot, then each event until the end."""
        game_id: str = request.path_params["id"]
        if not is_id(game_id):
            raise NotFound("there is no such game")
        user = await viewer(request, self._identities)
        table = await self._source.feeds.find(game_id)
        viewer_id = None if user is None else user.id
        lines = self._lines(taker(request, user), lambda: self._source.feeds.of_game(table, viewer_id))
        return await in_pieces(request, lines, STREAM_HEADERS, NDJSON)

    @Operation(
        "GET /api/v1/tv/{channel}/stream",
        ANYBODY,
        id="streamTv",
        media=NDJSON,
        answer=str,
        fails={404: "no such channel", **UNKNOWN_TOKEN, **STREAMING},
    )
    async def channel_stream(self, request: Request) -> Response:
        """Stream the games of a TV channel as NDJSON, each as its snapshot and events."""
        channel: str = request.path_params["channel"]
        user = await viewer(request, self._identities)
        table = await self._source.feeds.shown_on(channel)
        viewer_id = None if user is None else user.id
        lines = self._lines(taker(request, user), lambda: self._source.feeds.of_channel(channel, table, viewer_id))
        return await in_pieces(request, lines, STREAM_HEADERS, NDJSON)

    async def _lines(self, who: str, begin: Callable[[], EventFeed]) -> AsyncGenerator[bytes, None]:
        with self._turns.taken(who):
            feed = begin()
            try:
                while (lines := await feed.next(HEARTBEAT_S)) is not None:
                    yield lines
            finally:
                self._source.feeds.close(feed)
