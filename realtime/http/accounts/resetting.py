"""Password reset: a code is requested by mail and used to set a new password."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.http.accounts.forms import Reset, ResetRequest, read_form
from realtime.http.accounts.routes import address_of
from realtime.http.accounts.signing import logged_in
from realtime.http.guards.failures import json_response
from realtime.http.operation import BAD_FIELD, BAD_NAME_OR_PASSWORD, Operation
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.wire_people import LoginWire, MailWire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.resets import Resets
    from realtime.http.accounts.guest_limit import GuestLimit
    from realtime.http.accounts.login_limit import LoginLimit


class Resetting:
    """``/api/v1/reset`` and ``/api/v1/reset/request``."""

    def __init__(self, resets: Resets, mail_limit: GuestLimit, login_limit: LoginLimit) -> None:
        self._resets = resets
        self._mail_limit = mail_limit
        self._login_limit = login_limit

    @Operation(
        "POST /api/v1/reset/request",
        ANYBODY,
        id="requestReset",
        body=ResetRequest,
        answer=MailWire,
        status=202,
        fails=BAD_FIELD,
    )
    async def ask(self, request: Request) -> Response:
        """Send a reset code to the email address of the member with this name.

        The answer is the same for every name, so that it reveals neither who is a member nor who has an address.
        """
        form = await read_form(request, ResetRequest)
        self._mail_limit.take(address_of(request))
        self._resets.request(form.name)
        answer: MailWire = {"mail": self._resets.sends_mail}
        return json_response(answer, 202)

    @Operation(
        "POST /api/v1/reset",
        ANYBODY,
        id="resetPassword",
        body=Reset,
        answer=LoginWire,
        fails={403: "the account is closed", **BAD_NAME_OR_PASSWORD},
    )
    async def reset(self, request: Request) -> Response:
        """Set a new password with a reset code.

        The answer contains a new session.
        """
        form = await read_form(request, Reset)
        agent = request.headers.get("user-agent")
        with self._login_limit.trying(address_of(request), form.name):
            login = await self._resets.reset(form.name, form.code, form.password, agent=agent)
        return logged_in(request, login)
