"""A user's preferences for the web client, stored on the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.preferences import check_preferences, read_preferences, write_preferences
from realtime.http.accounts.forms import NewSettings
from realtime.http.bodies.body import read_object
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import known_viewer
from realtime.http.operation import Operation
from realtime.protocol.permissions import READ, SESSION
from realtime.protocol.wire_http import MySettingsWire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.identity import Identities


class MySettings:
    """``/api/v1/me/settings``."""

    def __init__(self, identities: Identities) -> None:
        self._identities = identities

    @Operation("GET /api/v1/me/settings", READ, id="getSettings", answer=MySettingsWire)
    async def show(self, request: Request) -> Response:
        """Return the caller's preferences for the web client."""
        user = await known_viewer(request, self._identities)
        answer: MySettingsWire = {"settings": await read_preferences(self._identities.pool, user.id)}
        return json_response(answer)

    @Operation("PUT /api/v1/me/settings", SESSION, id="putSettings", body=NewSettings, answer=MySettingsWire)
    async def replace(self, request: Request) -> Response:
        """Replace the caller's preferences for the web client."""
        user = await known_viewer(request, self._identities)
        answer: MySettingsWire = {"settings": check_preferences((await read_object(request)).get("settings"))}
        await write_preferences(self._identities.pool, user.id, answer["settings"])
        return json_response(answer)
