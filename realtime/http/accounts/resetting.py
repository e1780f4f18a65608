"""A forgotten password: a code is asked for and used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.http.accounts.forms import Reset, ResetRequest, read_form
from realtime.http.accounts.routes import address_of
from realtime.http.accounts.signing import logged_in
from realtime.http.guards.failures import json_response

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.resets import Resets
    from realtime.http.accounts.guest_limit import GuestLimit
    from realtime.http.accounts.login_limit import LoginLimit
    from realtime.protocol.wire_people import MailWire


class Resetting:
    """``/api/v1/reset`` and ``/api/v1/reset/request``."""

    def __init__(self, resets: Resets, mail_limit: GuestLimit, login_limit: LoginLimit) -> None:
        self._resets = resets
        self._mail_limit = mail_limit
        self._login_limit = login_limit

    async def ask(self, request: Request) -> Response:
        """202 ``{"mail"}``, whether the server sends any; whoever it is, for nobody learns who is a member, or has an
        address.
        """
        form = await read_form(request, ResetRequest)
        self._mail_limit.take(address_of(request))
        self._resets.request(form.name)
        answer: MailWire = {"mail": self._resets.sends_mail}
        return json_response(answer, 202)

    async def reset(self, request: Request) -> Response:
        """200 ``{"token","user"}``: the new password holds, and this is its first session."""
        form = await read_form(request, Reset)
        agent = request.headers.get("user-agent")
        with self._login_limit.trying(address_of(request), form.name):
            login = await self._resets.reset(form.name, form.code, form.password, agent=agent)
        return logged_in(request, login)
