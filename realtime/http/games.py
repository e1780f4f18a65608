"""Games by HTTP: one as a snapshot or as PGN, many as a list."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from starlette.responses import Response

from lobby.identity import user_named
from lobby.ids import is_id
from realtime.errors import BadMessage, WireError
from realtime.game_rows import find_game, list_games
from realtime.http.failures import json_response
from realtime.http.session import viewer
from realtime.listed_games import MOST, listed_row

if TYPE_CHECKING:
    from starlette.requests import Request

    from lobby.identity import Identities, User
    from realtime.wire_types import GameSnapshotWire, GamesPageWire, LiveGamesWire, LiveGameWire

DEFAULT_PAGE = 20

_MS_DIGITS = 13
"""Unix ms have 13 digits from 2001 to 2286; ids have at most 12 characters."""


class GameSource(Protocol):
    """Where games are read from."""

    async def snapshot(self, game_id: str, viewer: User | None, *, legal: bool = False) -> GameSnapshotWire | None:
        """The ``game`` snapshot as ``viewer`` may see it, with his legal moves; None if there is no such game."""

    def live(self, count: int) -> list[LiveGameWire]:
        """The first ``count`` of the games being played now, as lines of a list."""

    async def pgn(self, game_id: str, site: str) -> str | None:
        """The score, ``site`` being where the game can be seen; None if there is no such game, or no PGN of it."""


class Games:
    """``/api/v1/games`` and what is below it."""

    def __init__(self, identities: Identities, source: GameSource) -> None:
        self._identities = identities
        self._source = source

    async def game(self, request: Request) -> Response:
        """200, the snapshot."""
        game_id = _game_id(request)
        snapshot = await self._source.snapshot(game_id, await viewer(request, self._identities))
        if snapshot is None:
            raise WireError("not_found", "there is no such game")
        return json_response(snapshot)

    async def pgn(self, request: Request) -> Response:
        """200, the score as it stands, as plain text."""
        game_id = _game_id(request)
        pgn = await self._source.pgn(game_id, str(request.base_url.replace(path=f"/game/{game_id}")))
        if pgn is None:
            raise WireError("not_found", "there is no such game of chess")
        return Response(pgn, media_type="text/plain")

    async def list(self, request: Request) -> Response:
        """200 ``{"games","next"}``, newest first; ``next`` as ``before`` gives the page after it, null is the end."""
        query = request.query_params
        limit = _limit(query.get("limit"))
        if "live" in query:
            return self._list_live(query["live"], limit)
        before = await self._before(query.get("before"))
        user_id = None
        if "user" in query:
            user = await user_named(self._identities.pool, query["user"])
            if user is None:
                raise WireError("not_found", "there is nobody of that name")
            user_id = user.id
        # One more than asked for tells whether there is another page.
        rows = await list_games(self._identities.pool, user_id=user_id, before=before, limit=limit + 1)
        page = rows[:limit]
        answer: GamesPageWire = {
            "games": [listed_row(row) for row in page],
            "next": page[-1].setup.id if len(rows) > limit else None,
        }
        return json_response(answer)

    def _list_live(self, live: str, limit: int) -> Response:
        """The games being played now, the most watched first; there are no pages of what changes with every move."""
        if live != "1":
            raise BadMessage("live: expected 1")
        answer: LiveGamesWire = {"games": self._source.live(limit), "next": None}
        return json_response(answer)

    async def _before(self, text: str | None) -> datetime | None:
        """The instant that ``before`` names: Unix ms, or the creation of a game by its id, which is exact."""
        if text is None:
            return None
        if text.isascii() and text.isdigit() and len(text) == _MS_DIGITS:
            return datetime.fromtimestamp(int(text) / 1000, UTC)
        row = await find_game(self._identities.pool, text) if is_id(text) else None
        if row is None:
            raise BadMessage("before: expected the id of a game, as in next, or an instant in Unix ms")
        return row.created_at


def _game_id(request: Request) -> str:
    game_id: str = request.path_params["id"]
    if not is_id(game_id):
        raise WireError("not_found", "there is no such game")
    return game_id


def _limit(text: str | None) -> int:
    if text is None:
        return DEFAULT_PAGE
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST)) and 1 <= int(text) <= MOST):
        raise BadMessage(f"limit: expected 1 to {MOST}")
    return int(text)
