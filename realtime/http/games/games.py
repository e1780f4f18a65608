"""The games API: a game as a snapshot, PGN or PDN, and lists of games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec
from starlette.responses import Response

from lobby.errors import BadMessage, NotFound
from lobby.ids import is_id
from realtime.games.delay.delayed_reads import as_public
from realtime.http.accounts.profiles import person_named
from realtime.http.bodies.query import read_query
from realtime.http.games.game_query import GamesQuery, cursor_of, filter_of
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import viewer
from realtime.http.operation import NO_GAME, NOBODY, TEXT, UNKNOWN_TOKEN, Operation
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.wire_http import GamesPageWire, LiveGamesWire
from realtime.protocol.wire_types import GameSnapshotWire
from realtime.watching.game_lists import ANONYMOUS, Viewer, list_games
from realtime.watching.listed_games import listed_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request

    from lobby.accounts.identity import Identities
    from lobby.accounts.user import User
    from realtime.games.scores.score_text import Form
    from realtime.journal.game_rows import GameRow
    from realtime.protocol.wire_types import LiveGameWire
    from realtime.watching.game_lists import GameFilter

NO_SCORE = {404: "no such game, or its notation is of the other format", **UNKNOWN_TOKEN}


class GameSource(Protocol):
    """The source of games."""

    async def snapshot(self, game_id: str, viewer: User | None, *, legal: bool = False) -> GameSnapshotWire | None:
        """Return the ``game`` snapshot for ``viewer``, with their legal moves; None if there is no such game."""

    async def live(self, count: int) -> list[LiveGameWire]:
        """Return the first ``count`` games in play, as lines of a list."""

    async def newest(self, wanted: GameFilter, count: int) -> Sequence[GameRow]:
        """Return the first ``count`` games of a kind that are public, newest first."""

    async def score(self, game_id: str, form: Form, site: str, viewer: User | None) -> str:
        """Return the PGN or PDN for ``viewer``; ``site`` is the game's address in it. Raises ``Refusal`` if there is no
        such game, or its notation is the other one."""


class GamesApi:
    """``/api/v1/games`` and what is below it."""

    def __init__(self, identities: Identities, source: GameSource) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._source = source

    @Operation(
        "GET /api/v1/games/{id}", ANYBODY, id="getGame", answer=GameSnapshotWire, fails={**NO_GAME, **UNKNOWN_TOKEN}
    )
    async def game(self, request: Request) -> Response:
        """Return a snapshot of a game."""
        game_id = _game_id(request)
        snapshot = await self._source.snapshot(game_id, await viewer(request, self._identities))
        if snapshot is None:
            raise NotFound("there is no such game")
        return json_response(snapshot)

    @Operation("GET /api/v1/games/{id}/pgn", ANYBODY, id="getScore", media=TEXT, answer=str, fails=NO_SCORE)
    async def pgn(self, request: Request) -> Response:
        """Return the PGN of a game of chess."""
        return await self._score(request, "pgn")

    @Operation("GET /api/v1/games/{id}/pdn", ANYBODY, id="getScorePdn", media=TEXT, answer=str, fails=NO_SCORE)
    async def pdn(self, request: Request) -> Response:
        """Return the PDN of a game of draughts or Chinese checkers."""
        return await self._score(request, "pdn")

    async def _score(self, request: Request, form: Form) -> Response:
        game_id = _game_id(request)
        site = str(request.base_url.replace(path=f"/game/{game_id}"))
        score = await self._source.score(game_id, form, site, await viewer(request, self._identities))
        return Response(score, media_type="text/plain")

    @Operation(
        "GET /api/v1/games",
        ANYBODY,
        id="listGames",
        query=GamesQuery,
        answer=GamesPageWire | LiveGamesWire,
        fails={**NOBODY, **UNKNOWN_TOKEN},
    )
    async def list(self, request: Request) -> Response:
        """List games by pages, newest first; with ``live`` the games in play.

        ``next`` as ``before`` gives the page after it; null is the end.
        """
        query = read_query(request, GamesQuery)
        if query.live is not None:
            return await self._list_live(query.limit)
        user = None if query.user is None else await person_named(self._pool, query.user)
        wanted = await filter_of(self._pool, query, None if user is None else user.id)
        if query.game is not None:
            if user is not None:
                raise BadMessage("game: not together with user")
            wanted = msgspec.structs.replace(wanted, games=(query.game,))
        before = await cursor_of(self._pool, query.before)
        asker = await viewer(request, self._identities)
        list_viewer = ANONYMOUS if asker is None else Viewer(asker.id)
        count = query.limit + 1  # one more than requested shows whether there is another page
        if before is None and user is None and wanted.since is None and wanted.until is None:
            rows = await self._source.newest(wanted, count)
        else:
            rows = await list_games(self._pool, wanted, before=before, limit=count, viewer=list_viewer)
        page = rows[: query.limit]
        shown = await as_public(self._pool, page, list_viewer.id)
        answer: GamesPageWire = {
            "games": [listed_row(game.row) for game in shown],
            "next": page[-1].setup.id if len(rows) > query.limit else None,
        }
        return json_response(answer)

    async def _list_live(self, limit: int) -> Response:
        """Return the games in play, the most watched first. There are no pages, because the list changes with every
        move."""
        answer: LiveGamesWire = {"games": await self._source.live(limit), "next": None}
        return json_response(answer)


def _game_id(request: Request) -> str:
    game_id: str = request.path_params["id"]
    if not is_id(game_id):
        raise NotFound("there is no such game")
    return game_id
