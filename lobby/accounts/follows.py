"""Follows: a person's list of others whose presence and games they want to see.

The followed person is not told. A block in either direction ends the follow and prevents a new one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.user import User
from lobby.errors import Conflict, Forbidden
from lobby.moderation.blocks import is_either_blocked

if TYPE_CHECKING:
    from lobby.ports import Pool

MAX_FOLLOWS = 500
"""Follows of one person: a list of all of them is 50 KB."""

_LISTED = """FROM follow f JOIN person p ON p.id = f.followed
WHERE f.person = $1 AND p.closed_at IS NULL AND NOT EXISTS (
    SELECT FROM block b
    WHERE (b.person = f.person AND b.blocked = f.followed) OR (b.person = f.followed AND b.blocked = f.person)
)"""
"""The follows of a person that they can see and end. Closed accounts and blocks in either direction are left out: a
block may have been made while the follow was, or by a server that leaves follows as they are."""


async def follow(pool: Pool, person: str, followed: User) -> None:
    """Add a follow of ``followed`` by ``person``, unless it exists.

    Raises:
        Forbidden: oneself, a guest, or one of the two has blocked the other.
        Conflict: ``person`` follows ``MAX_FOLLOWS`` others.
    """
    if person == followed.id:
        raise Forbidden("you cannot follow yourself")
    if followed.kind == "guest":
        raise Forbidden("guests cannot be followed")
    if await is_either_blocked(pool, person, followed.id):
        raise Forbidden(f"you cannot follow {followed.name}")
    # Two concurrent requests may both pass the count. The limit bounds a list and need not be exact.
    done = await pool.fetchval(
        f"""
        WITH count AS (SELECT count(*) AS follows {_LISTED} AND f.followed <> $2),
        new AS (
            INSERT INTO follow (person, followed) SELECT $1, $2 FROM count WHERE follows < $3 ON CONFLICT DO NOTHING
        )
        SELECT follows < $3 FROM count
        """,  # noqa: S608  a constant of this module
        person,
        followed.id,
        MAX_FOLLOWS,
    )
    if not done:
        raise Conflict(f"you follow {MAX_FOLLOWS} users; unfollow one first")


async def unfollow(pool: Pool, person: str, followed: str) -> None:
    """Remove a follow."""
    await pool.execute("DELETE FROM follow WHERE person = $1 AND followed = $2", person, followed)


async def followed_by(pool: Pool, person: str) -> list[User]:
    """Return the people whom ``person`` follows, by name."""
    rows = await pool.fetch(
        f"SELECT p.id, p.name, p.kind, p.title {_LISTED} ORDER BY lower(p.name) LIMIT $2",
        person,
        MAX_FOLLOWS,
    )
    return [User(*row) for row in rows]
