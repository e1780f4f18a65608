"""Commit markers: rows that tell afterwards whether a transaction was committed.

When the connection breaks at the commit, the client does not know whether PostgreSQL has carried it out. The answer
has to come from something that only this transaction has written:

    not its number        ``pg_xact_status`` takes a transaction number, and a number that was assigned before a crash,
                          but not yet on disk, is assigned again after it. Then "committed" describes another
                          transaction; until the number is assigned again the query is an error.
    not the client's key  the same request may have been repeated meanwhile, and may have been carried out by another
                          transaction with the same reply.
    not what it changed   some changes leave no trace: a seek is gone, whatever transaction removed it.

So each transaction writes a marker of its own, a row of ``request`` under a key that no client can send and that is
never reused. The row exists if and only if the transaction was committed: after a crash, on another server that has
taken over, on one restored from a copy. ``forget_requests`` deletes it a day later, long after any doubt is resolved.

A missing row proves nothing while its transaction may still be running: the answer was lost, the commit not yet begun.
Therefore a transaction with a marker holds a lock until it ends, and a check of the marker tries that lock first.
Neither locks nor transactions outlive a crash.
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
"""SQL condition for client rows of ``request``. Clients cannot send longer keys (``store.MAX_KEY``)."""

# $2 is the marker's key. The lock is taken while the row is made: that costs less than a FROM.
_LOCKED = "CASE WHEN pg_advisory_xact_lock(hashtextextended($2::text, 0)) IS NOT NULL THEN '{}'::jsonb END"
_PUT = f"INSERT INTO request (person, key, reply) VALUES ($1, $2::text, {_LOCKED})"  # noqa: S608  a constant
_PUT_WITH_KEY = f"{_PUT}, ($1, $3, '{{}}') ON CONFLICT DO NOTHING RETURNING key"


class CommitMarker(msgspec.Struct, frozen=True):
    """Identifier of one transaction.

    Attributes:
        person: owner of the row: the requester or, without one, any person concerned.
        key: 39 characters.
    """

    person: str
    key: str


def new_marker(person: str) -> CommitMarker:
    """Create an unused marker: one of 2^128."""
    return CommitMarker(person, f"commit {secrets.token_hex(16)}")


async def put(connection: Connection, marker: CommitMarker) -> None:
    """Insert ``marker`` in the open transaction. Call it last, when the transaction has locked its people already."""
    await connection.execute(_PUT, marker.person, marker.key)


async def claim_key(connection: Connection, marker: CommitMarker, key: str) -> dict[str, Any] | None:
    """Reserve the client's ``key`` for the marker's person, and insert ``marker`` in the same statement: an extra row
    costs less than an extra round trip.

    Returns:
        None when the key is new, else the reply that was given for it.

    Waits while another transaction with the same key is open, so that only one of two does the work.
    """
    new = await connection.fetch(_PUT_WITH_KEY, marker.person, marker.key, key)
    if any(row["key"] == key for row in new):
        return None
    reply: dict[str, Any] = await connection.fetchval(
        "SELECT reply FROM request WHERE person = $1 AND key = $2", marker.person, key
    )
    return reply


async def is_committed(pool: Pool, marker: CommitMarker) -> bool | None:
    """Return whether the transaction that inserted ``marker`` was committed. None: still unknown, because it is
    running or because this server is a standby, which may lag.

    True and False are final. Raises the errors of an unavailable database: then ask again.
    """
    # Two statements, so that the second sees what was committed before the lock was free; one connection, so that both
    # are sent to one server. Concurrent checks do not block each other.
    async with pool.acquire() as connection:
        if not await connection.fetchval(
            "SELECT pg_try_advisory_xact_lock_shared(hashtextextended($1::text, 0))", marker.key
        ):
            return None
        found: bool | None = await connection.fetchval(
            """
            SELECT CASE WHEN NOT pg_is_in_recovery()
                   THEN EXISTS (SELECT FROM request WHERE person = $1 AND key = $2) END
            """,
            marker.person,
            marker.key,
        )
        if found:
            await wait_for_standby(connection)
    return found
