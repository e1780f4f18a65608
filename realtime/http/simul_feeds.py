"""What others make of an exhibition: all its games as one file or as a stream, and the table of results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta
from starlette.responses import Response

from realtime.errors import WireError
from realtime.http.failures import json_response
from realtime.http.pieces import in_pieces
from realtime.http.query import read_query
from realtime.http.session import viewer
from realtime.http.turns import Turns, taker
from realtime.score_text import FORMS, form_of
from realtime.simuls.scores import board_rows, board_score
from realtime.told_late import as_told
from simul.lists import table_csv, table_wire

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starlette.requests import Request

    from lobby.identity import Identities
    from realtime.http.simuls import SimulSource
    from realtime.score_text import Form
    from realtime.simuls.hall import Hall

CSV = "text/csv"

PAGE = 50
"""Rows read at a time; the moves of one game after the other."""

HEARTBEAT_S = 15.0
"""After so long without a game an empty line is sent: proxies close what is silent for a minute or half of one."""

STREAMS, STREAMS_OF_ONE = 100, 4
"""That go on at once, and for one person or address. They share what is read from the database."""

EXPORTS, EXPORTS_OF_ONE = 4, 1
"""The same of files: each keeps the loop for half a millisecond a game."""


class FeedQuery(msgspec.Struct, frozen=True):
    """``GET /api/v1/simuls/{id}/pgn`` and ``pdn``."""

    follow: Annotated[int, Meta(ge=0, le=1)] = 0


class SimulFeeds:
    """What is below ``/api/v1/simuls/{id}``."""

    def __init__(self, identities: Identities, source: SimulSource) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._source = source
        self._streams = Turns("streams", STREAMS, STREAMS_OF_ONE)
        self._exports = Turns("exports", EXPORTS, EXPORTS_OF_ONE)

    async def pgn(self, request: Request) -> Response:
        """200, all games of chess in the order of the boards; with ``follow`` those that change again and again."""
        return await self._scores(request, "pgn")

    async def pdn(self, request: Request) -> Response:
        """200, the same of the other games."""
        return await self._scores(request, "pdn")

    async def _scores(self, request: Request, form: Form) -> Response:
        follows = bool(read_query(request, FeedQuery).follow)
        hall = await self._hall(request)
        if all(form_of(offer.game) != form for offer in hall.state.setup.offers):
            address = f"/api/v1/simuls/{hall.id}/{FORMS[form].other}"
            raise WireError("not_found", f"no game of this exhibition is written as {form}; all are at {address}")
        user = await viewer(request, self._identities)
        who = taker(request, user)
        games = f"{str(request.base_url).rstrip('/')}/game"
        viewer_id, media = None if user is None else user.id, FORMS[form].media
        headers = {"Content-Disposition": f'attachment; filename="zeitnot-{hall.id}.{form}"'}
        if not follows:
            return await in_pieces(request, self._once(hall, form, who, viewer_id, games), headers, media)
        stream = {**headers, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # nginx would collect it
        return await in_pieces(request, self._followed(hall, form, who, viewer_id, games), stream, media)

    async def table_json(self, request: Request) -> Response:
        """200, the table of results."""
        return json_response(table_wire((await self._table_of(request)).state))

    async def table_csv(self, request: Request) -> Response:
        """200, the same as CSV."""
        hall = await self._table_of(request)
        headers = {"Content-Disposition": f'attachment; filename="zeitnot-{hall.id}.csv"'}
        return Response(table_csv(hall.state), headers=headers, media_type=CSV)

    async def _table_of(self, request: Request) -> Hall:
        """Raises ``WireError``: there is no such exhibition, or who asks may not know its results yet."""
        hall = await self._hall(request)
        if hall.audience.late is not None:
            user = await viewer(request, self._identities)
            if hall.audience.is_late_for(None if user is None else user.id):
                raise WireError(
                    "conflict", "the public is told of the results once all is over and the delay has passed"
                )
        return hall

    async def _hall(self, request: Request) -> Hall:
        """Raises ``WireError``: there is no such exhibition."""
        return await self._source.get(request.path_params["id"])

    async def _once(
        self, hall: Hall, form: Form, who: str, viewer_id: str | None, games: str
    ) -> AsyncGenerator[bytes, None]:
        with self._exports.taken(who):
            async for text in self._all(hall, form, viewer_id, games):
                yield text

    async def _followed(
        self, hall: Hall, form: Form, who: str, viewer_id: str | None, games: str
    ) -> AsyncGenerator[bytes, None]:
        with self._streams.taken(who):
            is_inside = _is_inside(hall, viewer_id)
            follower, leave = self._source.broadcasts.follow(hall, form, games, late=not is_inside)
            try:
                yield b"\n"  # whoever follows knows that it has begun, before there are games
                async for text in self._all(hall, form, viewer_id, games):
                    yield text
                while (news := await follower.next(HEARTBEAT_S)) is not None:
                    if is_inside and not _is_inside(hall, viewer_id):
                        return  # he plays no more: he may come back as one of the public
                    yield news or b"\n"
            finally:
                leave()

    async def _all(self, hall: Hall, form: Form, viewer_id: str | None, games: str) -> AsyncGenerator[bytes, None]:
        """A game a piece. No connection to the database is held while somebody reads."""
        after = 0
        while rows := await board_rows(self._pool, hall.id, after, PAGE):
            for told in await as_told(self._pool, rows, viewer_id):
                if form_of(told.row.setup.game) == form:
                    yield await board_score(self._pool, told.row, hall.state.setup.name, games, told.last_seq)
            place = rows[-1].setup.exhibition
            assert place is not None, "boards were asked for"
            after = place.board


def _is_inside(hall: Hall, viewer_id: str | None) -> bool:
    """Whether he sees everything when it happens."""
    return viewer_id is not None and hall.state.role_of(viewer_id) in ("host", "player")
