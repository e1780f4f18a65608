"""Routes of the HTTP API, with the check of permissions before each handler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from realtime.http.guards.session import viewer_grant
from realtime.http.operation import operations_of
from realtime.protocol.permissions import ANYBODY, Permission, check

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.identity import Identities

    Endpoint = Callable[[Request], Awaitable[Response]]


def routes_of(apis: Iterable[object], identities: Identities) -> list[Route]:
    """Return a route for each address that these objects answer. Their classes declare the operations."""
    endpoints: dict[str, dict[str, Endpoint]] = {}
    for api in apis:
        for operation in operations_of(type(api)):
            endpoint = _guarded(getattr(api, operation.handler), operation.permission, identities)
            endpoints.setdefault(operation.path, {})[operation.method] = endpoint
    return [Route(path, _by_method(methods), methods=list(methods)) for path, methods in endpoints.items()]


def _guarded(endpoint: Endpoint, permission: Permission, identities: Identities) -> Endpoint:
    if permission == ANYBODY:
        return endpoint

    async def guard(request: Request) -> Response:
        check(permission, await viewer_grant(request, identities))
        return await endpoint(request)

    return guard


def _by_method(endpoints: dict[str, Endpoint]) -> Endpoint:
    async def dispatch(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return dispatch
