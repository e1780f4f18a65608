"""The data of the page behind the link of a challenge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.errors import NotFound
from lobby.wire.lobby import ChallengeCardWire
from realtime.http.guards.failures import json_response
from realtime.http.operation import Operation
from realtime.protocol.permissions import ANYBODY

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from realtime.cluster.lobby.lobby_client import AnyLobby


class Challenges:
    """``/api/v1/challenges/{id}``."""

    def __init__(self, lobby: AnyLobby) -> None:
        self._lobby = lobby

    @Operation(
        "GET /api/v1/challenges/{id}",
        ANYBODY,
        id="getChallenge",
        answer=ChallengeCardWire,
        fails={404: "no such challenge"},
    )
    async def card(self, request: Request) -> Response:
        """Return what the page of a challenge shows."""
        card = await self._lobby.challenge_card(request.path_params["id"])
        if card is None:
            raise NotFound("there is no such challenge")
        return json_response(card)
