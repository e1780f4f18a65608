"""Exports of all games of a user as one PGN or PDN file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lobby.errors import RateLimited, Unavailable
from realtime.games.delay.delayed_reads import as_public
from realtime.games.scores.score_text import FORMS, GAMES, PDN, PGN
from realtime.games.scores.stored_score import stored_score
from realtime.http.accounts.profiles import person_named
from realtime.http.accounts.routes import address_of
from realtime.http.bodies.query import read_query
from realtime.http.bodies.streamed import in_pieces
from realtime.http.games.game_query import KindQuery, filter_of
from realtime.http.guards.session import viewer
from realtime.http.operation import EXPORTING, NOBODY, UNKNOWN_TOKEN, Operation
from realtime.net.handshake import client_network
from realtime.protocol.permissions import ANYBODY
from realtime.watching.game_lists import GameFilter, list_games

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.identity import Identities
    from lobby.accounts.user import User
    from realtime.games.scores.score_text import Form

PAGE = 50
"""Games read at a time; their moves are read one game at a time."""

MOST = 4
"""Concurrent exports. Each blocks the event loop for half a millisecond per game; other tasks run in between."""

RETRY_AFTER_S = 10


class ScoreExport:
    """``/api/v1/users/{name}/pgn`` and ``pdn``: one export at a time per caller (a user or an address)."""

    def __init__(self, identities: Identities) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._running: set[str] = set()

    @Operation(
        "GET /api/v1/users/{name}/pgn",
        ANYBODY,
        id="exportGames",
        query=KindQuery,
        media=PGN,
        answer=str,
        fails={**NOBODY, **UNKNOWN_TOKEN, **EXPORTING},
    )
    async def pgn(self, request: Request) -> Response:
        """Export a user's games of chess as PGN, newest first, streamed."""
        return await self._file(request, "pgn")

    @Operation(
        "GET /api/v1/users/{name}/pdn",
        ANYBODY,
        id="exportGamesPdn",
        query=KindQuery,
        media=PDN,
        answer=str,
        fails={**NOBODY, **UNKNOWN_TOKEN, **EXPORTING},
    )
    async def pdn(self, request: Request) -> Response:
        """Export a user's games of draughts and Chinese checkers as PDN, newest first, streamed."""
        return await self._file(request, "pdn")

    async def _file(self, request: Request, form: Form) -> Response:
        user = await person_named(self._pool, request.path_params["name"])
        filters = await filter_of(self._pool, read_query(request, KindQuery), user.id)
        wanted = msgspec.structs.replace(filters, games=GAMES[form])
        asker = await viewer(request, self._identities)
        who = client_network(address_of(request)) if asker is None else asker.id
        games = f"{str(request.base_url).rstrip('/')}/game"
        headers = {"Content-Disposition": f'attachment; filename="zeitnot-{user.name}.{form}"'}
        return await in_pieces(request, self._scores(who, wanted, games, asker), headers, FORMS[form].media)

    async def _scores(
        self, who: str, wanted: GameFilter, games: str, asker: User | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Yield one game at a time, as ``asker`` may see it. No database connection is held while the client reads.

        Raises:
            Refusal: ``rate_limited``: ``who`` has an export in progress; ``unavailable``: too many exports are in
                progress.
        """
        if who in self._running:
            raise RateLimited("you already have an export in progress", RETRY_AFTER_S)
        if len(self._running) >= MOST:
            raise Unavailable("too many exports are in progress; try again later")
        self._running.add(who)
        try:
            before = None
            while True:
                rows = await list_games(self._pool, wanted, before=before, limit=PAGE)
                for game in await as_public(self._pool, rows, None if asker is None else asker.id):
                    site = f"{games}/{game.row.setup.id}"
                    score = await stored_score(self._pool, game.row, site, game.last_seq)
                    yield f"{score}\n".encode()
                if len(rows) < PAGE:
                    return
                before = rows[-1].created_at, rows[-1].setup.id
        finally:
            self._running.discard(who)
