"""Marks: what a transaction writes so that anybody can tell afterwards whether it was committed.

When the connection breaks at the commit nobody knows whether PostgreSQL has carried it out. The answer has to come from
something that this transaction, and no other, has written:

    not its number        ``pg_xact_status`` is asked about a number, and a number that was given out before a crash,
                          but not yet on disk, is given out again after it. Then "committed" is said of somebody else's
                          transaction, and until it has been given out again the question is an error.
    not the client's key  the same request may have come again meanwhile, and may have been carried out by another
                          transaction with the same reply.
    not what it changed   of some there is nothing left: a seek is gone, whoever took it away.

So each writes a mark of its own, a row of ``request`` under a key that no client can send and that is never used again.
It is there if and only if the transaction was committed: after a crash, on another server that has taken over, on one
restored from a copy. ``forget_requests`` sweeps it a day later, long after who is in doubt has asked.

That a row is not there says nothing as long as its transaction may still be at work: the answer was lost, the commit
not yet begun. Therefore who writes a mark holds a lock until his transaction is over, and who asks tries that lock
first. Locks do not outlive a crash, nor do transactions.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.standby import wait_for_standby
from lobby.store import MAX_KEY

if TYPE_CHECKING:
    from lobby.ports import Connection, Pool

IS_REQUEST = f"length(key) <= {MAX_KEY}"
"""SQL: which rows of ``request`` are a client's. Longer keys than that none can send (``store.MAX_KEY``)."""

# $2 is the mark's. The lock is taken while the row is made: that costs less than a FROM.
_LOCKED = "CASE WHEN pg_advisory_xact_lock(hashtextextended($2::text, 0)) IS NOT NULL THEN '{}'::jsonb END"
_PUT = f"INSERT INTO request (person, key, reply) VALUES ($1, $2::text, {_LOCKED})"  # noqa: S608  a constant
_PUT_WITH_KEY = f"{_PUT}, ($1, $3, '{{}}') ON CONFLICT DO NOTHING RETURNING key"


class CommitMarker(msgspec.Struct, frozen=True):
    """What one transaction is known by.

    Attributes:
        person: who asks, or where nobody does, anybody who is concerned: whose row it is.
        key: 39 characters.
    """

    person: str
    key: str


def new_mark(person: str) -> CommitMarker:
    """A mark that nobody has used: one of 2^128."""
    return CommitMarker(person, f"commit {secrets.token_hex(16)}")


async def put(connection: Connection, mark: CommitMarker) -> None:
    """Let the open transaction be known by ``mark``. Best after all else: it has locked its people then already."""
    await connection.execute(_PUT, mark.person, mark.key)


async def claim_key(connection: Connection, mark: CommitMarker, key: str) -> dict[str, Any] | None:
    """Reserve the client's ``key`` of the mark's person, and let the open transaction be known by ``mark``: at once, as
    a row more costs less than another question.

    Returns:
        None when the key is new, else the reply that was given for it.

    Waits while another transaction with the same key is open, so that only one of two does the work.
    """
    new = await connection.fetch(_PUT_WITH_KEY, mark.person, mark.key, key)
    if any(row["key"] == key for row in new):
        return None
    reply: dict[str, Any] = await connection.fetchval(
        "SELECT reply FROM request WHERE person = $1 AND key = $2", mark.person, key
    )
    return reply


async def is_committed(pool: Pool, mark: CommitMarker) -> bool | None:
    """Whether the transaction that has put ``mark`` was committed; None while that cannot be said: it is still at work,
    or this is a standby, which may be behind.

    True and False are for good. Raises what a database that is away raises: then ask again.
    """
    # Two statements, so that the second sees what was committed before the lock was free; one connection, so that both
    # are asked of one server. Those who ask do not bar each other.
    async with pool.acquire() as connection:
        if not await connection.fetchval(
            "SELECT pg_try_advisory_xact_lock_shared(hashtextextended($1::text, 0))", mark.key
        ):
            return None
        found: bool | None = await connection.fetchval(
            """
            SELECT CASE WHEN NOT pg_is_in_recovery()
                   THEN EXISTS (SELECT FROM request WHERE person = $1 AND key = $2) END
            """,
            mark.person,
            mark.key,
        )
        if found:
            await wait_for_standby(connection)
    return found
