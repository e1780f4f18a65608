"""People and their presence: follows, who is online, and what a person is doing now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.responses import Response

from lobby.accounts import follows
from lobby.accounts.identity import open_user_named
from lobby.accounts.profile import countries_of
from lobby.accounts.user import user_wire
from lobby.errors import NotFound
from lobby.moderation.blocks import blocked_either_way, is_either_blocked
from realtime.http.accounts.profiles import person_named
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import known_viewer, viewer
from realtime.http.operation import NOBODY, Operation
from realtime.protocol.permissions import ANYBODY, PLAY, READ
from realtime.protocol.wire_people import FollowsWire, OnlineWire, UserStatusWire

if TYPE_CHECKING:
    from starlette.requests import Request

    from lobby.accounts.identity import Identities
    from lobby.accounts.user import User
    from realtime.http.accounts.profiles import PresenceSource
    from realtime.people.friends import Friends
    from realtime.people.online_users import OnlineUsers


@dataclass(frozen=True, slots=True)
class PeopleSource:
    """The sources of the data."""

    presence: PresenceSource
    online: OnlineUsers
    friends: Friends


class PeopleApi:
    """``/api/v1/follows``, ``/api/v1/online`` and ``/api/v1/users/{name}/status``."""

    def __init__(self, identities: Identities, source: PeopleSource) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._source = source

    @Operation("GET /api/v1/follows", READ, id="listFollows", answer=FollowsWire)
    async def list_follows(self, request: Request) -> Response:
        """List the users whom the caller follows, with their presence."""
        user = await known_viewer(request, self._identities)
        followed = await follows.followed_by(self._pool, user.id)
        countries = await countries_of(self._pool, [one.id for one in followed])
        answer: FollowsWire = {"follows": [{**self._status(one), "country": countries.get(one.id)} for one in followed]}
        return json_response(answer)

    @Operation(
        "PUT /api/v1/follows/{name}",
        PLAY,
        id="follow",
        status=204,
        fails={403: "oneself, a guest, or one of the two has blocked the other", 409: "500 are followed", **NOBODY},
    )
    async def follow(self, request: Request) -> Response:
        """Follow a user."""
        user = await known_viewer(request, self._identities)
        other = await open_user_named(self._pool, request.path_params["name"])
        if other is None:
            raise NotFound("there is no such user")
        await follows.follow(self._pool, user.id, other)
        self._source.friends.forget(user.id)
        return Response(status_code=204)

    @Operation("DELETE /api/v1/follows/{name}", PLAY, id="unfollow", status=204, fails=NOBODY)
    async def unfollow(self, request: Request) -> Response:
        """Unfollow a user."""
        user = await known_viewer(request, self._identities)
        other = await person_named(self._pool, request.path_params["name"])
        await follows.unfollow(self._pool, user.id, other.id)
        self._source.friends.forget(user.id)
        return Response(status_code=204)

    @Operation("GET /api/v1/online", ANYBODY, id="listOnline", answer=OnlineWire)
    async def list_online(self, request: Request) -> Response:
        """List members and bots who are online, and count the guests."""
        user = await viewer(request, self._identities)
        blocked = set() if user is None else await blocked_either_way(self._pool, user.id)
        online = await self._source.online.listed()
        shown = [one for one in online.users if one.user.id not in blocked]
        # Whoever is left out counts as a guest: a number that is one too high would reveal them.
        members = online.members - (len(online.users) - len(shown))
        answer: OnlineWire = {
            "users": [
                {
                    "user": user_wire(one.user),
                    "rating": one.rating,
                    "playing": self._source.presence.playing(one.user.id),
                    "country": one.country,
                }
                for one in shown
            ],
            "members": members,
            "guests": max(0, self._source.online.count - members),
        }
        return json_response(answer)

    @Operation("GET /api/v1/users/{name}/status", ANYBODY, id="getUserStatus", answer=UserStatusWire, fails=NOBODY)
    async def show_status(self, request: Request) -> Response:
        """Return whether a user is online, and the game they play."""
        user = await viewer(request, self._identities)
        other = await person_named(self._pool, request.path_params["name"])
        if user is not None and await is_either_blocked(self._pool, user.id, other.id):
            hidden: UserStatusWire = {"user": user_wire(other), "online": False, "playing": None}
            return json_response(hidden)
        status: UserStatusWire = {
            "user": user_wire(other),
            "online": self._source.presence.is_online(other.id),
            "playing": self._source.presence.playing(other.id),
        }
        return json_response(status)

    def _status(self, user: User) -> UserStatusWire:
        """Return the presence of a followed user. Who is not shown online is not shown playing."""
        is_online = self._source.presence.is_online(user.id)
        playing = self._source.presence.playing(user.id) if is_online else None
        return {"user": user_wire(user), "online": is_online, "playing": playing}
