"""The search for users and games."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from lobby.accounts.identity import users_by_prefix
from lobby.accounts.profile import countries_of
from lobby.accounts.user import user_wire
from lobby.ids import is_id
from lobby.moderation.blocks import blocked_either_way
from realtime.games.delay.delayed_reads import as_public
from realtime.http.bodies.query import read_query
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import viewer
from realtime.http.operation import Operation
from realtime.journal.game_rows import find_game
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.wire_http import SearchResultWire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.identity import Identities
    from realtime.http.accounts.profiles import PresenceSource

MOST_PEOPLE = 10
"""As many as the search field can show."""

MAX_QUERY = 200
"""Characters: enough for the address of a game on a server with a long name."""

_ADDRESS = re.compile(r"/game/([0-9A-Za-z]{1,64})(?:[/?#].*)?$")


class SearchQuery(msgspec.Struct, frozen=True):
    """``GET /api/v1/search``."""

    q: Annotated[
        str,
        Meta(
            max_length=MAX_QUERY,
            pattern=r"\S",
            description="the beginning of a user's name, or the id or URL of a game",
        ),
    ]


class SearchApi:
    """``/api/v1/search``."""

    def __init__(self, identities: Identities, presence: PresenceSource) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._presence = presence

    @Operation("GET /api/v1/search", ANYBODY, id="search", query=SearchQuery, answer=SearchResultWire)
    async def find(self, request: Request) -> Response:
        """Search for users and games.

        The result has the users whose names begin with ``q``, and the game with that id or address. Of two people of
        whom one has blocked the other, neither sees whether the other is online.
        """
        viewing = await viewer(request, self._identities)
        text = read_query(request, SearchQuery).q.strip()
        address = _ADDRESS.search(text)
        game_id = text if address is None else address[1]
        row = await find_game(self._pool, game_id) if is_id(game_id) else None
        users = await users_by_prefix(self._pool, text, MOST_PEOPLE) if address is None else []
        countries = await countries_of(self._pool, [user.id for user in users])
        blocked = set() if viewing is None else await blocked_either_way(self._pool, viewing.id)
        result: SearchResultWire = {
            "users": [
                {
                    **user_wire(user),
                    "online": user.id not in blocked and self._presence.is_online(user.id),
                    "country": countries.get(user.id),
                }
                for user in users
            ],
            "game": row.setup.id if row is not None and await as_public(self._pool, (row,), None) else None,
        }
        return json_response(result)
