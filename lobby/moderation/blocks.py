"""Blocks between people.

A block prevents games between the two, whoever asks, and removes any follow between them. In chat it works one way: the
person who blocks does not see the other's lines; the other still sees theirs and is not told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.user import User
from lobby.errors import Conflict, Forbidden

if TYPE_CHECKING:
    from collections.abc import Iterable

    import asyncpg

    from lobby.ports import Connection

    Reader = asyncpg.Pool[asyncpg.Record] | Connection

MAX_BLOCKS = 500
"""Blocks of one person: more than anybody needs, and few enough to keep in memory with their sockets."""


async def block(reader: Reader, person: str, blocked: str) -> None:
    """Add a block of ``blocked`` by ``person``, unless it exists. Neither follows the other any more.

    Raises:
        Forbidden: oneself.
        Conflict: ``person`` has blocked ``MAX_BLOCKS`` others.
    """
    if person == blocked:
        raise Forbidden("you cannot block yourself")
    # Two concurrent requests may both pass the count. The limit bounds memory and need not be exact.
    done = await reader.fetchval(
        """
        WITH count AS (SELECT count(*) AS blocks FROM block WHERE person = $1 AND blocked <> $2),
        new AS (INSERT INTO block (person, blocked) SELECT $1, $2 FROM count WHERE blocks < $3 ON CONFLICT DO NOTHING),
        unfollowed AS (
            DELETE FROM follow USING count WHERE blocks < $3 AND (person, followed) IN (($1, $2), ($2, $1))
        )
        SELECT blocks < $3 FROM count
        """,
        person,
        blocked,
        MAX_BLOCKS,
    )
    if not done:
        raise Conflict(f"you have blocked {MAX_BLOCKS} users; unblock one first")


async def unblock(reader: Reader, person: str, blocked: str) -> None:
    """Remove a block."""
    await reader.execute("DELETE FROM block WHERE person = $1 AND blocked = $2", person, blocked)


async def blocked_by(reader: Reader, person: str) -> list[User]:
    """Return the people whom ``person`` has blocked, latest first."""
    rows = await reader.fetch(
        """
        SELECT p.id, p.name, p.kind, p.title FROM block b JOIN person p ON p.id = b.blocked
        WHERE b.person = $1 ORDER BY b.created_at DESC, p.id
        """,
        person,
    )
    return [User(*row) for row in rows]


async def blocked_ids(reader: Reader, people: Iterable[str]) -> dict[str, set[str]]:
    """Return for each of ``people`` the ids of those they have blocked."""
    found: dict[str, set[str]] = {person: set() for person in people}
    for row in await reader.fetch("SELECT person, blocked FROM block WHERE person = ANY($1)", list(found)):
        found[row["person"]].add(row["blocked"])
    return found


async def is_either_blocked(reader: Reader, one: str, other: str) -> bool:
    """Return whether either has blocked the other: then they cannot play each other."""
    is_blocked: bool = await reader.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM block WHERE (person = $1 AND blocked = $2) OR (person = $2 AND blocked = $1)
        )
        """,
        one,
        other,
    )
    return is_blocked


async def blocked_either_way(reader: Reader, person: str) -> set[str]:
    """Return the ids of all users blocked by or blocking ``person``."""
    rows = await reader.fetch(
        "SELECT blocked FROM block WHERE person = $1 UNION SELECT person FROM block WHERE blocked = $1", person
    )
    return {row[0] for row in rows}


async def blocked_pairs(reader: Reader, people: Iterable[str]) -> set[frozenset[str]]:
    """Return the pairs of ``people`` in which one has blocked the other, as sets of two ids. One query serves a wave of
    pairings."""
    wanted = list(people)
    rows = await reader.fetch("SELECT person, blocked FROM block WHERE person = ANY($1) AND blocked = ANY($1)", wanted)
    return {frozenset(row) for row in rows}
