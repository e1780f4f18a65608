"""Exports and streams of the games of a simul, and its table of results."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta
from starlette.responses import Response

from lobby.errors import NotFound
from lobby.ids import is_id
from realtime.games.scores.score_text import FORMS, PDN, PGN, form_of
from realtime.http.bodies.query import read_query
from realtime.http.bodies.streamed import in_pieces
from realtime.http.guards.concurrency_limit import Turns, taker
from realtime.http.guards.session import viewer
from realtime.http.operation import EXPORTING, UNKNOWN_TOKEN, Operation
from realtime.http.simuls.simuls import NO_SIMUL
from realtime.protocol.permissions import ANYBODY
from realtime.simuls.live.reading import ReadRequest, all_games
from realtime.simuls.store import archive
from simul.wire_lists import SimulTableWire

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starlette.requests import Request

    from lobby.accounts.identity import Identities
    from realtime.games.scores.score_text import Form
    from realtime.http.simuls.simuls import SimulSource

CSV = "text/csv"

STREAMS, STREAMS_OF_ONE = 100, 4
"""Concurrent streams in total, and per user or address. They share what is read from the database."""

EXPORTS, EXPORTS_OF_ONE = 4, 1
"""Concurrent exports, likewise. Each blocks the event loop for half a millisecond per game."""

NO_TABLE = {
    **NO_SIMUL,
    **UNKNOWN_TOKEN,
    409: "results become public after the end of the simul and its delay",
}


class FeedQuery(msgspec.Struct, frozen=True):
    """``GET /api/v1/simuls/{id}/pgn`` and ``pdn``."""

    follow: Annotated[int, Meta(ge=0, le=1, description="1: keep the stream open and send each changed game again")] = 0


class SimulFeeds:
    """The paths below ``/api/v1/simuls/{id}``."""

    def __init__(self, identities: Identities, source: SimulSource) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._source = source
        self._streams = Turns("streams", STREAMS, STREAMS_OF_ONE)
        self._exports = Turns("exports", EXPORTS, EXPORTS_OF_ONE)

    @Operation(
        "GET /api/v1/simuls/{id}/pgn",
        ANYBODY,
        id="exportSimul",
        query=FeedQuery,
        media=PGN,
        answer=str,
        fails={404: "no such simul, or it has no chess games", **UNKNOWN_TOKEN, **EXPORTING},
    )
    async def pgn(self, request: Request) -> Response:
        """Export all games of a simul as PGN, streamed; ``follow`` sends changed games again."""
        return await self._scores(request, "pgn")

    @Operation(
        "GET /api/v1/simuls/{id}/pdn",
        ANYBODY,
        id="exportSimulPdn",
        query=FeedQuery,
        media=PDN,
        answer=str,
        fails={404: "no such simul, or it has only chess games", **UNKNOWN_TOKEN, **EXPORTING},
    )
    async def pdn(self, request: Request) -> Response:
        """Export a simul's games of draughts and Chinese checkers as PDN; ``follow`` as for PGN."""
        return await self._scores(request, "pdn")

    async def _scores(self, request: Request, form: Form) -> Response:
        follows = bool(read_query(request, FeedQuery).follow)
        simul_id = request.path_params["id"]
        setup = await archive.setup_of(self._pool, simul_id) if is_id(simul_id) else None
        if setup is None:
            raise NotFound("there is no such simul")
        if all(form_of(offer.game) != form for offer in setup.offers):
            address = f"/api/v1/simuls/{simul_id}/{FORMS[form].other}"
            raise NotFound(f"no game of this simul is written as {form}; all are at {address}")
        user = await viewer(request, self._identities)
        who = taker(request, user)
        wanted = ReadRequest(
            simul=simul_id,
            what="games",
            user=None if user is None else user.id,
            form=form,
            address=f"{str(request.base_url).rstrip('/')}/game",
        )
        media = FORMS[form].media
        headers = {"Content-Disposition": f'attachment; filename="zeitnot-{simul_id}.{form}"'}
        if not follows:
            games = _in_turn(self._exports, who, all_games(self._pool, simul_id, setup.name, wanted))
            return await in_pieces(request, games, headers, media)
        stream = {**headers, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # turns off buffering in nginx
        games = _in_turn(self._streams, who, self._source.reading.pieces(wanted))
        return await in_pieces(request, games, stream, media)

    @Operation("GET /api/v1/simuls/{id}/table.json", ANYBODY, id="getSimulTable", answer=SimulTableWire, fails=NO_TABLE)
    async def table_json(self, request: Request) -> Response:
        """Return the table of results of a simul as JSON."""
        return Response(await self._table(request, "table.json"), media_type="application/json")

    @Operation(
        "GET /api/v1/simuls/{id}/table.csv", ANYBODY, id="exportSimulTable", media=CSV, answer=str, fails=NO_TABLE
    )
    async def table_csv(self, request: Request) -> Response:
        """Return the table of results of a simul as CSV."""
        headers = {"Content-Disposition": f'attachment; filename="zeitnot-{request.path_params["id"]}.csv"'}
        return Response(await self._table(request, "table.csv"), headers=headers, media_type=CSV)

    async def _table(self, request: Request, what: Literal["table.json", "table.csv"]) -> bytes:
        """Return the table. Raises ``Refusal`` if there is no such simul, or its results are not public yet."""
        user = await viewer(request, self._identities)
        wanted = ReadRequest(simul=request.path_params["id"], what=what, user=None if user is None else user.id)
        return await self._source.reading.whole(wanted)


async def _in_turn(turns: Turns, who: str, pieces: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Yield ``pieces`` while holding a slot of ``turns``. Raises ``Refusal`` if there is none."""
    async with aclosing(pieces):
        with turns.taken(who):
            async for piece in pieces:
                yield piece
