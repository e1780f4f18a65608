"""Who may ask what by HTTP: one table of every address of the API, and the guard that holds the requests to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from realtime.http.guards.session import viewer_grant
from realtime.protocol.permissions import ANYBODY, MEMBER_SESSION, MODERATOR, PLAY, READ, SESSION, Permission, check

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.identity import Identities

    Endpoint = Callable[[Request], Awaitable[Response]]

PREFIX = "/api/"

MEMBER_READ = Permission("member", "read")
MEMBER_PLAY = Permission("member", "play")

MODERATE = Permission("member", session=True, roles=("moderator",))
"""What a moderator does to others takes himself, not a program of his."""

NEEDS: dict[str, Permission] = {
    "POST /api/v1/guest": ANYBODY,
    "POST /api/v1/signup": ANYBODY,
    "POST /api/v1/login": ANYBODY,
    "POST /api/v1/logout": ANYBODY,
    "POST /api/v1/reset/request": ANYBODY,
    "POST /api/v1/reset": ANYBODY,
    "GET /api/v1/me": Permission("somebody"),
    "GET /api/v1/me/settings": READ,
    "PUT /api/v1/me/settings": SESSION,
    "GET /api/v1/account": READ,
    "POST /api/v1/account/password": MEMBER_SESSION,
    "PUT /api/v1/account/email": MEMBER_SESSION,
    "POST /api/v1/account/email/code": MEMBER_SESSION,
    "DELETE /api/v1/account/sessions": SESSION,
    "DELETE /api/v1/account/sessions/{id}": SESSION,
    "POST /api/v1/account/tokens": MEMBER_SESSION,
    "DELETE /api/v1/account/tokens/{id}": MEMBER_SESSION,
    "POST /api/v1/account/bot": MEMBER_SESSION,
    "GET /api/v1/account/export": SESSION,
    "POST /api/v1/account/delete": MEMBER_SESSION,
    "GET /api/v1/blocks": READ,
    "PUT /api/v1/blocks/{name}": PLAY,
    "DELETE /api/v1/blocks/{name}": PLAY,
    "GET /api/v1/reports": MODERATOR,
    "POST /api/v1/reports": PLAY,
    "POST /api/v1/reports/{id}": MODERATE,
    "POST /api/v1/users/{name}/timeout": MODERATE,
    "GET /api/v1/users/{name}": ANYBODY,
    "GET /api/v1/users/{name}/pgn": ANYBODY,
    "GET /api/v1/users/{name}/pdn": ANYBODY,
    "GET /api/v1/users/{name}/versus/{other}": ANYBODY,
    "GET /api/v1/users/{name}/ratings/{perf}": ANYBODY,
    "GET /api/v1/leaderboards": ANYBODY,
    "GET /api/v1/leaderboards/{perf}": ANYBODY,
    "GET /api/v1/games": ANYBODY,
    "GET /api/v1/games/{id}": ANYBODY,
    "GET /api/v1/games/{id}/pgn": ANYBODY,
    "GET /api/v1/games/{id}/pdn": ANYBODY,
    "GET /api/v1/games/{id}/stream": ANYBODY,
    "GET /api/v1/live": ANYBODY,
    "GET /api/v1/tv": ANYBODY,
    "GET /api/v1/tv/{channel}/stream": ANYBODY,
    "GET /api/v1/challenges/{id}": ANYBODY,
    "GET /api/v1/simuls": ANYBODY,
    "GET /api/v1/simuls/{id}": ANYBODY,
    "GET /api/v1/simuls/{id}/pgn": ANYBODY,
    "GET /api/v1/simuls/{id}/pdn": ANYBODY,
    "GET /api/v1/simuls/{id}/table.json": ANYBODY,
    "GET /api/v1/simuls/{id}/table.csv": ANYBODY,
    "GET /api/v1/imports": MEMBER_READ,
    "POST /api/v1/imports": MEMBER_PLAY,
    "GET /api/v1/imports/{id}": ANYBODY,
    "PUT /api/v1/imports/{id}": MEMBER_PLAY,
    "DELETE /api/v1/imports/{id}": MEMBER_PLAY,
    "GET /api/v1/imports/{id}/pgn": ANYBODY,
    "GET /api/v1/imports/{id}/games/{n}": ANYBODY,
    "GET /api/v1/imports/{id}/games/{n}/pgn": ANYBODY,
    "GET /api/v1/search": ANYBODY,
    "GET /api/v1/openapi.json": ANYBODY,
    "GET /api/v1/asyncapi.json": ANYBODY,
}
"""By method and address. The server does not start with a route that is missing, and a test fails for a line too many.
Where anybody may ask, who asks may still matter to the answer."""


def guarded(routes: Iterable[Route], identities: Identities) -> list[Route]:
    """``routes`` with the guard before each that is the API's; others stay as they are."""
    return [_guarded(route, identities) if route.path.startswith(PREFIX) else route for route in routes]


def needs_of(route: Route) -> dict[str, Permission]:
    """What ``route`` needs, by method.

    Raises:
        KeyError: the table does not know it.
    """
    methods = (route.methods or set()) - {"HEAD"}
    return {method: NEEDS[f"{method} {route.path}"] for method in methods}


def _guarded(route: Route, identities: Identities) -> Route:
    needs = needs_of(route)
    endpoint: Endpoint = route.endpoint

    async def guard(request: Request) -> Any:
        need = needs["GET" if request.method == "HEAD" else request.method]
        if need.who != "anybody":
            check(need, await viewer_grant(request, identities))
        return await endpoint(request)

    return Route(route.path, guard, methods=list(needs))
