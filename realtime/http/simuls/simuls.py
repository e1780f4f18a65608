"""Exhibitions by HTTP: lists of them, and one as a snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Protocol

import msgspec
from msgspec import Meta
from starlette.responses import Response

from lobby.errors import BadMessage, Unauthenticated
from realtime.http.bodies.query import read_query
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import viewer
from realtime.simuls.live.reading import Wanted
from realtime.simuls.store import archive
from realtime.simuls.store.archive import Listed

if TYPE_CHECKING:
    from starlette.requests import Request

    from lobby.accounts.identity import Identities
    from realtime.simuls.live.listing import Listing
    from realtime.simuls.live.reading import Reading
    from simul.wire_lists import SimulsPageWire

MOST, DEFAULT_PAGE = 50, 20
"""Lines of a list: some 600 bytes each."""


class SimulsQuery(msgspec.Struct, frozen=True, kw_only=True):
    """``GET /api/v1/simuls``."""

    status: Listed | None = None
    before: str | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST)] = DEFAULT_PAGE


class SimulSource(Protocol):
    """Where exhibitions are."""

    reading: Reading
    listing: Listing


class Simuls:
    """``/api/v1/simuls`` and what is below it."""

    def __init__(self, identities: Identities, source: SimulSource) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._source = source

    async def list(self, request: Request) -> Response:
        """200 ``{"simuls","next"}``, newest first; ``next`` as ``before`` gives the page after it, null is the end."""
        query = read_query(request, SimulsQuery)
        user = None
        if query.status == "mine":
            user = await viewer(request, self._identities)
            if user is None:
                raise Unauthenticated("whose? it needs a session")
        before = None if query.before is None else await archive.cursor_of(self._pool, query.before)
        if before is None and query.before is not None:
            raise BadMessage("before: expected the id of an exhibition, as in next")
        # One more than asked for tells whether there is another page.
        wanted = None if user is None else user.id
        rows = await archive.list_simuls(self._pool, query.status, wanted, before, query.limit + 1)
        page = rows[: query.limit]
        answer: SimulsPageWire = {
            "simuls": await self._source.listing.cards(page),
            "next": page[-1].id if len(rows) > query.limit else None,
        }
        return json_response(answer)

    async def show(self, request: Request) -> Response:
        """200, the snapshot as who asks may see it."""
        user = await viewer(request, self._identities)
        wanted = Wanted(simul=request.path_params["id"], what="shown", user=None if user is None else user.id)
        return Response(await self._source.reading.whole(wanted), media_type="application/json")
