"""How a person likes the page, kept for him on the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.preferences import check_preferences, read_preferences, write_preferences
from realtime.http.bodies.body import read_object
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import known_viewer

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.identity import Identities
    from realtime.protocol.wire_types import MySettingsWire


class MySettings:
    """``/api/v1/me/settings``."""

    def __init__(self, identities: Identities) -> None:
        self._identities = identities

    async def handle(self, request: Request) -> Response:
        """200 ``{"settings"}``: GET reads them, an empty object at first; PUT keeps what was sent instead."""
        user = await known_viewer(request, self._identities)
        if request.method == "PUT":
            value = check_preferences((await read_object(request)).get("settings"))
            await write_preferences(self._identities.pool, user.id, value)
        else:
            value = await read_preferences(self._identities.pool, user.id)
        answer: MySettingsWire = {"settings": value}
        return json_response(answer)
