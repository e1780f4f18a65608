"""Signup and login."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.errors import Refusal
from lobby.accounts.user import user_wire
from realtime.http.accounts.forms import LogIn, SignUp, read_form
from realtime.http.accounts.routes import address_of
from realtime.http.guards.failures import json_response
from realtime.http.guards.origin import is_own_page
from realtime.http.guards.session import bearer_token, cookie_token, set_cookie, viewer
from realtime.http.operation import BAD_FIELD, BAD_NAME_OR_PASSWORD, UNKNOWN_TOKEN, Operation
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.wire_people import LoginWire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.addresses import AddressBook
    from lobby.accounts.identity import Identities
    from lobby.accounts.members import Login, Members
    from realtime.http.accounts.guest_limit import GuestLimit
    from realtime.http.accounts.login_limit import LoginLimit


class Signing:
    """``/api/v1/signup`` and ``/api/v1/login``."""

    def __init__(
        self,
        identities: Identities,
        members: Members,
        addresses: AddressBook,
        signup_limit: GuestLimit,
        login_limit: LoginLimit,
    ) -> None:
        self._identities = identities
        self._members = members
        self._addresses = addresses
        self._signup_limit = signup_limit
        self._login_limit = login_limit

    @Operation(
        "POST /api/v1/signup",
        ANYBODY,
        id="signUp",
        body=SignUp,
        answer=LoginWire,
        status=201,
        fails={409: "the name or one that looks like it is taken", **BAD_FIELD, **UNKNOWN_TOKEN},
    )
    async def sign_up(self, request: Request) -> Response:
        """Create a member account; a guest's token turns the guest into that member.

        The guest's games and other data are kept.
        """
        form = await read_form(request, SignUp)
        guest = None
        if bearer_token(request) is not None or is_own_page(request.headers):
            guest = await viewer(request, self._identities)
        address, agent = address_of(request), request.headers.get("user-agent")
        with self._login_limit.hashing(address):
            give_back = self._signup_limit.take(address)
            try:
                login = await self._members.sign_up(form.name, form.password, form.email, guest=guest, agent=agent)
            except Refusal:
                give_back()  # no account was created
                raise
        if form.email is not None:
            await self._addresses.begin(login.user, form.email)
        return logged_in(request, login, 201)

    @Operation(
        "POST /api/v1/login",
        ANYBODY,
        id="logIn",
        body=LogIn,
        answer=LoginWire,
        fails={403: "the account is closed", **BAD_NAME_OR_PASSWORD},
    )
    async def log_in(self, request: Request) -> Response:
        """Log in.

        The guest session of the page ends.
        """
        form = await read_form(request, LogIn)
        with self._login_limit.trying(address_of(request), form.name):
            login = await self._members.log_in(form.name, form.password, agent=request.headers.get("user-agent"))
        token = cookie_token(request) if is_own_page(request.headers) else None
        if token is not None:
            # The cookie is replaced, so the old session would be unusable.
            await self._identities.revoke(token, is_replaced=True)
        return logged_in(request, login)


def logged_in(request: Request, login: Login, status: int = 200) -> Response:
    """Return the response with a new session, and set its cookie."""
    answer: LoginWire = {"token": login.token, "user": user_wire(login.user)}
    response = json_response(answer, status)
    set_cookie(request, response, login.token)
    return response
