"""Guest accounts, the current user, and logout: ``/api/v1/guest``, ``/me``, ``/logout``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from lobby.accounts.roles import sorted_roles
from lobby.accounts.scopes import sorted_scopes
from lobby.accounts.user import user_wire
from lobby.moderation.bans import ban_wire_of
from lobby.ratings.rating_store import ratings_of_person
from realtime.http.bodies.body import read_object
from realtime.http.guards.failures import json_response
from realtime.http.guards.origin import is_own_page
from realtime.http.guards.session import bearer_token, cookie_token, delete_cookie, known_grant, set_cookie
from realtime.http.operation import SOMEBODY, Operation
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.wire_people import GuestWire, MeWire

if TYPE_CHECKING:
    from starlette.requests import Request

    from lobby.accounts.identity import Identities
    from realtime.http.accounts.guest_limit import GuestLimit

NO_ADDRESS = "local"
"""The address of clients of a Unix socket for rate limits."""


def address_of(request: Request) -> str:
    """Return the client's address for rate limits, as reported by a trusted proxy."""
    return request.client.host if request.client else NO_ADDRESS


class IdentityApi:
    """``/api/v1/guest``, ``logout`` and ``me``."""

    def __init__(self, identities: Identities, guest_limit: GuestLimit) -> None:
        self._identities = identities
        self._guest_limit = guest_limit

    @Operation("POST /api/v1/guest", ANYBODY, id="createGuest", answer=GuestWire, status=201)
    async def guest(self, request: Request) -> Response:
        """Create a guest account and a session; the session cookie is set too.

        A request from a page of this server that already has a session gets that session again, so that two tabs are
        one user. A request from anything else creates a new guest every time, even if it sends a cookie.
        """
        await read_object(request)
        user = token = None
        if is_own_page(request.headers):
            token = cookie_token(request)
            user = None if token is None else await self._identities.user_of_token(token)
        if user is None or token is None:
            self._guest_limit.take(address_of(request))
            user, token = await self._identities.create_guest()
        guest: GuestWire = {"token": token, "user": user_wire(user)}
        response = json_response(guest, 201)
        set_cookie(request, response, token)
        return response

    @Operation("POST /api/v1/logout", ANYBODY, id="logOut", status=204, fails={401: "no bearer token"})
    async def logout(self, request: Request) -> Response:
        """End the session of the request.

        It is the session of the bearer token, or else of the cookie.
        """
        token = bearer_token(request) or cookie_token(request)
        if token is not None:
            await self._identities.revoke(token)
        response = Response(status_code=204)
        delete_cookie(request, response)
        return response

    @Operation("GET /api/v1/me", SOMEBODY, id="getMe", answer=MeWire)
    async def me(self, request: Request) -> Response:
        """Return the current user, their roles, scopes and ratings."""
        grant = await known_grant(request, self._identities)
        me: MeWire = {
            "user": user_wire(grant.user),
            "roles": sorted_roles(grant.roles),
            "scopes": sorted_scopes(grant.scopes),
            "ratings": await ratings_of_person(self._identities.pool, grant.user.id),
            "ban": await ban_wire_of(self._identities.pool, grant.user.id),
        }
        return json_response(me)
