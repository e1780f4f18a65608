"""What users say of themselves, whether they are shown online, and the removal of a text by moderators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from lobby.accounts import profile as profiles
from realtime.http.accounts.forms import Invisible, NewProfile, read_form
from realtime.http.accounts.profiles import person_named
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import known_viewer
from realtime.http.operation import BAD_FIELD, MODERATE, NOBODY, Operation
from realtime.protocol.permissions import MEMBER_SESSION, SESSION
from realtime.protocol.wire_people import InvisibleWire, OwnProfileWire

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from lobby.accounts.identity import Identities
    from lobby.accounts.members import Members
    from lobby.moderation.bans import Bans


class OwnProfileApi:
    """``/api/v1/account/profile``, ``/api/v1/account/invisible`` and ``/api/v1/users/{name}/profile``.

    Args:
        wake: called when an account has changed that sockets of this node may belong to.
    """

    def __init__(self, identities: Identities, members: Members, bans: Bans, wake: Callable[[], None]) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._members = members
        self._bans = bans
        self._wake = wake

    @Operation(
        "PUT /api/v1/account/profile",
        MEMBER_SESSION,
        id="putProfile",
        body=NewProfile,
        answer=OwnProfileWire,
        fails={409: "the account was closed", **BAD_FIELD},
    )
    async def write(self, request: Request) -> Response:
        """Replace the text and the country of the caller's profile."""
        user = await known_viewer(request, self._identities)
        form = await read_form(request, NewProfile)
        profile = profiles.checked_profile(form.about, form.country)
        if profile.about and profile.about != (await profiles.read_profile(self._pool, user.id)).about:
            self._bans.check_chat(user.id)
        await profiles.write_profile(self._pool, user.id, profile)
        answer: OwnProfileWire = {"about": profile.about, "country": profile.country}
        return json_response(answer)

    @Operation(
        "PUT /api/v1/account/invisible",
        SESSION,
        id="putInvisible",
        body=Invisible,
        answer=InvisibleWire,
        fails=BAD_FIELD,
    )
    async def hide(self, request: Request) -> Response:
        """Set whether the caller is hidden wherever presence is shown."""
        user = await known_viewer(request, self._identities)
        form = await read_form(request, Invisible)
        await profiles.set_invisible(self._pool, user.id, invisible=form.invisible)
        self._members.changed(user)
        self._wake()
        answer: InvisibleWire = {"invisible": form.invisible}
        return json_response(answer)

    @Operation("DELETE /api/v1/users/{name}/profile", MODERATE, id="clearProfile", status=204, fails=NOBODY)
    async def clear(self, request: Request) -> Response:
        """Remove the text of a user's profile."""
        moderator = await known_viewer(request, self._identities)
        user = await person_named(self._pool, request.path_params["name"])
        await profiles.clear_about(self._pool, moderator.id, user.id)
        return Response(status_code=204)
