"""Public profiles of users, and results of two users against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lobby.accounts.identity import user_named
from lobby.accounts.user import User, user_wire
from lobby.errors import NotFound
from lobby.ratings.rating_store import ratings_of_person
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import viewer
from realtime.http.operation import NOBODY, Operation
from realtime.journal.game_rows import unix_ms
from realtime.people.result_counts import ResultCounts
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.wire_people import ProfileWire, VersusWire
from realtime.watching.game_lists import count_versus

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.identity import Identities
    from lobby.moderation.word_filter import WordFilter
    from lobby.ports import Pool


class PresenceSource(Protocol):
    """Who is online and who is playing."""

    def is_online(self, user: str) -> bool:
        """Return whether the user with that id has a socket open and is not invisible."""

    def playing(self, user: str) -> str | None:
        """Return the id of the game that the user with that id is playing; None if there is none."""


async def person_named(pool: Pool, name: str) -> User:
    """Return the user called ``name``, in upper or lower case.

    Raises:
        Refusal: ``not_found``.
    """
    user = await user_named(pool, name)
    if user is None:
        raise NotFound("there is no such user")
    return user


class ProfilesApi:
    """``/api/v1/users/{name}`` and ``/api/v1/users/{name}/versus/{other}``."""

    def __init__(self, identities: Identities, presence: PresenceSource, words: WordFilter) -> None:
        self._identities = identities
        self._pool = pool = identities.pool
        self._presence = presence
        self._words = words
        self._results = ResultCounts(pool)

    @Operation("GET /api/v1/users/{name}", ANYBODY, id="getProfile", answer=ProfileWire, fails=NOBODY)
    async def show(self, request: Request) -> Response:
        """Return a user's public profile.

        People whom the user has blocked do not see their presence.
        """
        viewing = await viewer(request, self._identities)
        user = await person_named(self._pool, request.path_params["name"])
        row = await self._pool.fetchrow(
            """
            SELECT created_at, closed_at, coalesce(about, '') AS about, country,
                EXISTS (SELECT FROM follow WHERE person = $2 AND followed = $1) AS is_followed,
                EXISTS (SELECT FROM block WHERE person = $1 AND blocked = $2) AS blocks
            FROM person LEFT JOIN profile ON person = id AND closed_at IS NULL WHERE id = $1
            """,
            user.id,
            None if viewing is None else viewing.id,
        )
        assert row is not None, "people are never removed"
        profile: ProfileWire = {
            "user": user_wire(user),
            "created": unix_ms(row["created_at"]),
            "closed": row["closed_at"] is not None,
            "online": not row["blocks"] and self._presence.is_online(user.id),
            "playing": None if row["blocks"] else self._presence.playing(user.id),
            "ratings": await ratings_of_person(self._pool, user.id),
            "games": await self._results.of(user.id),
            "about": self._words.mask(row["about"]),
            "country": row["country"],
            "followed": row["is_followed"],
        }
        return json_response(profile)

    @Operation("GET /api/v1/users/{name}/versus/{other}", ANYBODY, id="getVersus", answer=VersusWire, fails=NOBODY)
    async def versus(self, request: Request) -> Response:
        """Return the results of the games of two users against each other."""
        user = await person_named(self._pool, request.path_params["name"])
        other = await person_named(self._pool, request.path_params["other"])
        versus: VersusWire = {
            "user": user_wire(user),
            "other": user_wire(other),
            "games": await count_versus(self._pool, user.id, other.id),
        }
        return json_response(versus)
