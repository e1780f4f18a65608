"""The simuls API: lists of simuls, and a simul as a snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Protocol

import msgspec
from msgspec import Meta
from starlette.responses import Response

from lobby.errors import BadMessage, Unauthenticated
from realtime.http.accounts.profiles import person_named
from realtime.http.bodies.query import read_query
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import viewer
from realtime.http.operation import NOBODY, UNKNOWN_TOKEN, Operation
from realtime.protocol.permissions import ANYBODY
from realtime.simuls.live.reading import ReadRequest
from realtime.simuls.store.simul_lists import Listed, cursor_of, list_simuls
from simul.wire import SimulSnapshotWire
from simul.wire_lists import SimulsPageWire

if TYPE_CHECKING:
    from starlette.requests import Request

    from lobby.accounts.identity import Identities
    from realtime.simuls.live.listing import Listing
    from realtime.simuls.live.reading import Reading

MOST, DEFAULT_PAGE = 50, 20
"""Simuls per page, about 600 bytes each."""

NO_SIMUL = {404: "no such simul"}


class SimulsQuery(msgspec.Struct, frozen=True, kw_only=True):
    """``GET /api/v1/simuls``."""

    status: Annotated[Listed | None, Meta(description="the status of the simuls, or `mine`")] = None
    user: Annotated[str | None, Meta(description="only simuls that this user hosts or plays in; not with `mine`")] = (
        None
    )
    before: Annotated[
        str | None, Meta(description="start after the simul with this id: `next` of the previous page")
    ] = None
    limit: Annotated[int, Meta(ge=1, le=MOST, description="maximum number of entries")] = DEFAULT_PAGE


class SimulSource(Protocol):
    """The source of simuls."""

    reading: Reading
    listing: Listing


class SimulsApi:
    """``/api/v1/simuls`` and ``/api/v1/simuls/{id}``."""

    def __init__(self, identities: Identities, source: SimulSource) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._source = source

    @Operation(
        "GET /api/v1/simuls",
        ANYBODY,
        id="listSimuls",
        query=SimulsQuery,
        answer=SimulsPageWire,
        fails={**NOBODY, 401: "`mine` requires a session"},
    )
    async def list(self, request: Request) -> Response:
        """List simuls by pages, newest first.

        ``next`` as ``before`` gives the page after it; null is the end.
        """
        query = read_query(request, SimulsQuery)
        user = None if query.user is None else await person_named(self._pool, query.user)
        if query.status == "mine":
            if user is not None:
                raise BadMessage("user: expected no name with mine")
            user = await viewer(request, self._identities)
            if user is None:
                raise Unauthenticated("status: mine requires a session")
        before = None if query.before is None else await cursor_of(self._pool, query.before)
        if before is None and query.before is not None:
            raise BadMessage("before: expected the id of a simul, as in next")
        # One more than requested shows whether there is another page.
        wanted = None if user is None else user.id
        rows = await list_simuls(self._pool, query.status, wanted, before, query.limit + 1)
        page = rows[: query.limit]
        answer: SimulsPageWire = {
            "simuls": await self._source.listing.cards(page),
            "next": page[-1].id if len(rows) > query.limit else None,
        }
        return json_response(answer)

    @Operation(
        "GET /api/v1/simuls/{id}", ANYBODY, id="getSimul", answer=SimulSnapshotWire, fails={**NO_SIMUL, **UNKNOWN_TOKEN}
    )
    async def show(self, request: Request) -> Response:
        """Return a snapshot of a simul."""
        user = await viewer(request, self._identities)
        wanted = ReadRequest(simul=request.path_params["id"], what="shown", user=None if user is None else user.id)
        return Response(await self._source.reading.whole(wanted), media_type="application/json")
