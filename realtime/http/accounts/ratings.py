"""Rating histories and leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.identity import user_named
from lobby.errors import NotFound
from lobby.ratings.rating_store import boards, history, leaders
from lobby.ratings.ratings import perfs
from lobby.wire.ratings import LeaderboardsWire, LeaderboardWire, RatingHistoryWire
from realtime.http.guards.failures import json_response
from realtime.http.operation import Operation
from realtime.protocol.permissions import ANYBODY

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.ports import Pool


class Ratings:
    """``/api/v1/users/{name}/ratings/{perf}`` and ``/api/v1/leaderboards``."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @Operation(
        "GET /api/v1/users/{name}/ratings/{perf}",
        ANYBODY,
        id="getRatingHistory",
        answer=RatingHistoryWire,
        fails={404: "no such user, or no such rating category"},
    )
    async def history(self, request: Request) -> Response:
        """Return the history of a user's rating."""
        perf = _perf(request)
        user = await user_named(self._pool, request.path_params["name"])
        if user is None:
            raise NotFound("there is no such user")
        answer: RatingHistoryWire = {"perf": perf, "points": await history(self._pool, user.id, perf)}
        return json_response(answer)

    @Operation("GET /api/v1/leaderboards", ANYBODY, id="getLeaderboards", answer=LeaderboardsWire)
    async def leaderboards(self, request: Request) -> Response:
        """Return the top players of every leaderboard."""
        answer: LeaderboardsWire = {"boards": await boards(self._pool)}
        return json_response(answer)

    @Operation(
        "GET /api/v1/leaderboards/{perf}",
        ANYBODY,
        id="getLeaderboard",
        answer=LeaderboardWire,
        fails={404: "no such rating category"},
    )
    async def leaderboard(self, request: Request) -> Response:
        """Return a leaderboard."""
        perf = _perf(request)
        answer: LeaderboardWire = {"perf": perf, "people": await leaders(self._pool, perf)}
        return json_response(answer)


def _perf(request: Request) -> str:
    perf: str = request.path_params["perf"]
    if perf not in perfs():
        raise NotFound(f"there is no such rating category; expected one of {', '.join(perfs())}")
    return perf
