"""Blocks: who wants to read and to play whom no more.

A block works for its maker in both directions of play: the two are not paired, whoever asks. In chat it works in one:
the maker does not read the other, who goes on reading him and is not told.
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
"""Of one person: more than anybody has met people he cannot bear, and little enough to be kept with his sockets."""


async def block(reader: Reader, person: str, blocked: str) -> None:
    """``person`` blocks ``blocked``; nothing happens where he has done so already.

    Raises:
        Forbidden: himself.
        Conflict: he has blocked ``MAX_BLOCKS`` others.
    """
    if person == blocked:
        raise Forbidden("nobody can block himself")
    # Two at the same time may both pass the count: the bound is for memory, not for justice.
    done = await reader.fetchval(
        """
        WITH count AS (SELECT count(*) AS blocks FROM block WHERE person = $1 AND blocked <> $2),
        new AS (INSERT INTO block (person, blocked) SELECT $1, $2 FROM count WHERE blocks < $3 ON CONFLICT DO NOTHING)
        SELECT blocks < $3 FROM count
        """,
        person,
        blocked,
        MAX_BLOCKS,
    )
    if not done:
        raise Conflict(f"you have blocked {MAX_BLOCKS} people already: unblock one first")


async def unblock(reader: Reader, person: str, blocked: str) -> None:
    """``person`` blocks ``blocked`` no more."""
    await reader.execute("DELETE FROM block WHERE person = $1 AND blocked = $2", person, blocked)


async def blocked_by(reader: Reader, person: str) -> list[User]:
    """Whom ``person`` has blocked, the last first."""
    rows = await reader.fetch(
        """
        SELECT p.id, p.name, p.kind, p.title FROM block b JOIN person p ON p.id = b.blocked
        WHERE b.person = $1 ORDER BY b.created_at DESC, p.id
        """,
        person,
    )
    return [User(*row) for row in rows]


async def blocked_ids(reader: Reader, people: Iterable[str]) -> dict[str, set[str]]:
    """For each of ``people`` the ids of those he has blocked."""
    found: dict[str, set[str]] = {person: set() for person in people}
    for row in await reader.fetch("SELECT person, blocked FROM block WHERE person = ANY($1)", list(found)):
        found[row["person"]].add(row["blocked"])
    return found


async def are_apart(reader: Reader, one: str, other: str) -> bool:
    """Whether either has blocked the other: then they do not play."""
    apart: bool = await reader.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM block WHERE (person = $1 AND blocked = $2) OR (person = $2 AND blocked = $1)
        )
        """,
        one,
        other,
    )
    return apart


async def apart_from(reader: Reader, person: str) -> set[str]:
    """Ids of all with whom ``person`` does not play: whom he has blocked and who has blocked him."""
    rows = await reader.fetch(
        "SELECT blocked FROM block WHERE person = $1 UNION SELECT person FROM block WHERE blocked = $1", person
    )
    return {row[0] for row in rows}


async def apart_among(reader: Reader, people: Iterable[str]) -> set[frozenset[str]]:
    """The pairs of ``people`` that do not play each other, each a set of two ids. One look for a wave of pairings."""
    wanted = list(people)
    rows = await reader.fetch("SELECT person, blocked FROM block WHERE person = ANY($1) AND blocked = ANY($1)", wanted)
    return {frozenset(row) for row in rows}
