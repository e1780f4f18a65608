"""List of the users who are online: members and bots, the best-rated first. Guests are counted."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from lobby.accounts.user import User
from lobby.ratings.ratings import PROVISIONAL
from realtime.clock.shared_tasks import SharedTasks

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.people.presence import Presence
    from realtime.postgres.database import Pool

FRESH_S = 10.0
"""Time for which a list is kept: a node reads it at most so often, however many ask."""

MOST_LISTED = 200
"""Maximum number of users in a list, about 30 KB."""

LOOKED_AT = 20_000
"""Maximum number of connected users looked up for a list, in about 100 ms. Others count as guests."""

_LISTED = """
    WITH online AS (
        SELECT p.id, p.name, p.kind, p.title FROM person p
        WHERE p.id = ANY($1) AND p.kind <> 'guest' AND p.closed_at IS NULL AND NOT p.is_invisible
    )
    SELECT o.*, profile.country, r.rating, (SELECT count(*)::int FROM online) AS members
    FROM online o LEFT JOIN profile ON profile.person = o.id LEFT JOIN LATERAL (
        SELECT round(max(rating))::int AS rating FROM rating WHERE person = o.id AND deviation <= $3
    ) r ON true
    ORDER BY r.rating DESC NULLS LAST, lower(o.name) LIMIT $2
"""


class OnlineUser(msgspec.Struct, frozen=True):
    """A listed user. ``rating`` is their best that is not provisional."""

    user: User
    rating: int | None
    country: str | None = None


class OnlineList(msgspec.Struct, frozen=True):
    """The list at a time. ``members`` is the number of all members and bots who are online."""

    users: tuple[OnlineUser, ...] = ()
    members: int = 0


class OnlineUsers:
    """Cached list of the users who are online at all nodes.

    Args:
        now_s: a monotonic clock.
    """

    def __init__(self, pool: Pool, people: Presence, now_s: Callable[[], float] = time.monotonic) -> None:
        self._pool = pool
        self._people = people
        self._now_s = now_s
        self._kept = OnlineList()
        self._until_s = float("-inf")
        self._reading: SharedTasks[None] = SharedTasks()

    @property
    def count(self) -> int:
        """Return the number of users who are shown online, plus all anonymous sockets."""
        return self._people.online

    async def listed(self) -> OnlineList:
        """Return the list, at most ``FRESH_S`` old, without users who have left or become invisible since."""
        if self._now_s() >= self._until_s:
            await self._reading.run("list", self._read, "list who is online")
        users = tuple(one for one in self._kept.users if self._people.is_shown(one.user.id))
        return OnlineList(users, self._kept.members - len(self._kept.users) + len(users))

    async def _read(self) -> None:
        rows = await self._pool.fetch(_LISTED, self._people.shown_users()[:LOOKED_AT], MOST_LISTED, float(PROVISIONAL))
        users = tuple(
            OnlineUser(User(row["id"], row["name"], row["kind"], row["title"]), row["rating"], row["country"])
            for row in rows
        )
        self._kept = OnlineList(users, rows[0]["members"] if rows else 0)
        self._until_s = self._now_s() + FRESH_S
