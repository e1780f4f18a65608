"""Friends of a user: those they follow, and opponents they have played more than twice."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.people.block_lists import BlockLists
    from realtime.postgres.database import Pool

OFTEN = 3
"""Minimum number of mutual games: two may be just a game and its rematch."""

LOOKED_AT = 1000
"""Number of last games examined for each color: users with more games do not remember them either."""

FRESH_S = 300.0
"""Time for which a list of friends is cached: one more game rarely changes it. A follow shows at once at the node where
it was made."""

MOST_KEPT = 1000
"""Maximum number of users whose friends are cached."""

_FRIENDS = """
SELECT other FROM (SELECT other FROM (
    (SELECT black AS other FROM game WHERE white = $1 AND white <> black ORDER BY created_at DESC, id DESC LIMIT $2)
    UNION ALL
    (SELECT white FROM game WHERE black = $1 AND white <> black ORDER BY created_at DESC, id DESC LIMIT $2)
) AS played GROUP BY other HAVING count(*) >= $3 UNION SELECT followed FROM follow WHERE person = $1) AS friend
WHERE other NOT IN (
    SELECT blocked FROM block WHERE person = $1 UNION ALL SELECT person FROM block WHERE blocked = $1
)
"""


class Friends:
    """Cached queries for friends. A block applies at once, at every node."""

    def __init__(self, pool: Pool, block_lists: BlockLists, now_s: Callable[[], float] = time.monotonic) -> None:
        self._pool = pool
        self._now_s = now_s
        self._known: dict[str, tuple[float, frozenset[str]]] = {}
        """By user, the least recently queried first."""
        block_lists.on_changed.append(lambda person, other, _: self.forget(person, other))

    async def of(self, person: str) -> frozenset[str]:
        """Return the ids of the friends of ``person``, without people who block them or whom they block."""
        now_s = self._now_s()
        known = self._known.get(person)
        if known is not None and now_s - known[0] < FRESH_S:
            return known[1]
        rows = await self._pool.fetch(_FRIENDS, person, LOOKED_AT, OFTEN)
        friends = frozenset(row["other"] for row in rows)
        self._known.pop(person, None)
        self._known[person] = (now_s, friends)
        while len(self._known) > MOST_KEPT:
            del self._known[next(iter(self._known))]
        return friends

    def forget(self, *people: str) -> None:
        """Drop the cached friends of ``people``, after a follow or block of theirs has changed."""
        for person in people:
            self._known.pop(person, None)
