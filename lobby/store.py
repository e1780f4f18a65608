"""Rows of the lobby. Every function is one statement; transactions are the ledger's.

The pool has a codec for jsonb, so these columns take and return Python values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lobby.accounts.user import User
from lobby.challenges.challenges import Challenge, challenge_of_spec, challenge_spec
from lobby.proposals import Terms, terms_of_wire
from lobby.seeks.seeks import Seek, seek_of_spec, seek_spec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import asyncpg

    from lobby.ports import Connection, Pool
    from lobby.wire.lobby import Closed, DeclineReason

# --- keys --------------------------------------------------------------------------------------------

MAX_KEY = 32
"""Longest idempotency key of a client, in characters (protocol)."""


async def find_reply(pool: Pool, person: str, key: str) -> dict[str, Any] | None:
    """Return the reply to the request with ``key``; None if the key is new."""
    reply: dict[str, Any] | None = await pool.fetchval(
        "SELECT reply FROM request WHERE person = $1 AND key = $2", person, key
    )
    return reply


async def set_reply(connection: Connection, person: str, key: str, reply: dict[str, Any]) -> None:
    """Store the reply for a key that was claimed with ``commit_marker.claim_key``."""
    await connection.execute("UPDATE request SET reply = $3 WHERE person = $1 AND key = $2", person, key, reply)


async def forget_requests(pool: Pool, older_than_s: int) -> None:
    """Delete old idempotency keys and commit markers (``commit_marker.py``)."""
    await pool.execute("DELETE FROM request WHERE at < now() - make_interval(secs => $1)", float(older_than_s))


# --- seeks -------------------------------------------------------------------------------------------


async def load_seeks(pool: Pool) -> list[Seek]:
    """Return all stored seeks, oldest first."""
    rows = await pool.fetch(
        """
        SELECT s.id, s.spec, (extract(epoch FROM s.created_at) * 1000)::bigint AS created_ms,
               p.id AS person, p.name, p.kind, p.title
        FROM seek s JOIN person p ON p.id = s.person
        ORDER BY s.created_at, s.id
        """
    )
    return [
        seek_of_spec(
            row["id"], User(row["person"], row["name"], row["kind"], row["title"]), row["spec"], row["created_ms"]
        )
        for row in rows
    ]


async def insert_seek(connection: Connection, seek: Seek) -> None:
    """Store ``seek``."""
    await connection.execute(
        "INSERT INTO seek (id, person, spec, created_at) VALUES ($1, $2, $3, to_timestamp($4 / 1000.0))",
        seek.id,
        seek.user.id,
        seek_spec(seek),
        float(seek.created_ms),
    )


async def lock_seeks(connection: Connection, people: Iterable[str]) -> dict[str, Terms]:
    """Lock all seeks of ``people`` until the end of the transaction; return their ids and terms.

    Of two transactions that want the same seek the second waits here and then does not find it. Locks are taken in the
    order of the ids, in one statement a transaction, which prevents deadlocks.
    """
    rows = await connection.fetch(
        "SELECT id, spec FROM seek WHERE person = ANY($1) ORDER BY id FOR UPDATE", list(people)
    )
    return {row["id"]: terms_of_wire(row["spec"]) for row in rows}


async def delete_seeks(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Delete seeks and return the ids of those that existed. Locks are taken in the same order as in ``lock_seeks``."""
    rows = await connection.fetch(
        """
        WITH mine AS (SELECT id FROM seek WHERE id = ANY($1) ORDER BY id FOR UPDATE)
        DELETE FROM seek s USING mine m WHERE s.id = m.id RETURNING s.id
        """,
        ids,
    )
    return [row["id"] for row in rows]


# --- challenges --------------------------------------------------------------------------------------

_CHALLENGE = """
    SELECT c.id, c.spec, c.closed, c.game, c.reason, (extract(epoch FROM c.expires_at) * 1000)::bigint AS expires_ms,
           p.id AS person, p.name, p.kind, p.title,
           r.id AS to_person, r.name AS to_name, r.kind AS to_kind, r.title AS to_title
    FROM challenge c JOIN person p ON p.id = c.person LEFT JOIN person r ON r.id = c.recipient
"""


_IS_BLOCKED = """EXISTS (
    SELECT FROM block b
    WHERE (b.person = c.person AND b.blocked = c.recipient) OR (b.person = c.recipient AND b.blocked = c.person)
)"""
"""Whether a challenger or the recipient has blocked the other since."""


def _challenge(row: asyncpg.Record) -> Challenge:
    to = None
    if row["to_person"] is not None:
        to = User(row["to_person"], row["to_name"], row["to_kind"], row["to_title"])
    user = User(row["person"], row["name"], row["kind"], row["title"])
    return challenge_of_spec(
        row["id"], user, to, row["spec"], row["expires_ms"], row["closed"], row["game"], row["reason"]
    )


async def insert_challenge(connection: Connection, challenge: Challenge) -> None:
    """Store an open challenge."""
    await connection.execute(
        """
        INSERT INTO challenge (id, person, recipient, spec, expires_at)
        VALUES ($1, $2, $3, $4, to_timestamp($5 / 1000.0))
        """,
        challenge.id,
        challenge.user.id,
        None if challenge.to is None else challenge.to.id,
        challenge_spec(challenge),
        float(challenge.expires_ms),
    )


async def count_challenges(connection: Connection, person: str) -> int:
    """Return the number of open challenges of ``person``."""
    count: int = await connection.fetchval(
        "SELECT count(*) FROM challenge WHERE person = $1 AND closed IS NULL", person
    )
    return count


async def find_challenge(pool: Pool, challenge_id: str) -> Challenge | None:
    """Return a challenge, open or closed."""
    row = await pool.fetchrow(f"{_CHALLENGE} WHERE c.id = $1", challenge_id)
    return None if row is None else _challenge(row)


async def lock_challenge(connection: Connection, challenge_id: str) -> Challenge | None:
    """Return a challenge, open or closed, and lock it until the end of the transaction."""
    row = await connection.fetchrow(f"{_CHALLENGE} WHERE c.id = $1 FOR UPDATE OF c", challenge_id)
    return None if row is None else _challenge(row)


async def challenges_of(pool: Pool, person: str, now_ms: int) -> list[Challenge]:
    """Return the open challenges of ``person`` and those for them by name, oldest first.

    Those of people whom a block separates from ``person`` are left out: they cannot be accepted.
    """
    rows = await pool.fetch(
        f"""{_CHALLENGE}
        WHERE (c.person = $1 OR (c.recipient = $1 AND NOT {_IS_BLOCKED}))
          AND c.closed IS NULL AND c.expires_at > to_timestamp($2 / 1000.0)
        ORDER BY c.created_at, c.id""",
        person,
        float(now_ms),
    )
    return [_challenge(row) for row in rows]


async def challenges_by(reader: Pool, people: Sequence[str], now_ms: int) -> list[Challenge]:
    """Return the open challenges by name of ``people`` to others from whom no block separates them."""
    rows = await reader.fetch(
        f"""{_CHALLENGE}
        WHERE c.person = ANY($1) AND c.recipient IS NOT NULL AND NOT {_IS_BLOCKED} AND c.closed IS NULL
          AND c.expires_at > to_timestamp($2 / 1000.0)
        ORDER BY c.created_at, c.id""",
        people,
        float(now_ms),
    )
    return [_challenge(row) for row in rows]


async def challengers(reader: Pool) -> list[str]:
    """Return everybody with an open challenge by name."""
    rows = await reader.fetch("SELECT DISTINCT person FROM challenge WHERE recipient IS NOT NULL AND closed IS NULL")
    return [row["person"] for row in rows]


async def close_challenge(
    connection: Connection,
    challenge_id: str,
    why: Closed,
    game: str | None = None,
    *,
    reason: DeclineReason | None = None,
) -> None:
    """Close a challenge that is locked and open."""
    await connection.execute(
        "UPDATE challenge SET closed = $2, game = $3, reason = $4 WHERE id = $1", challenge_id, why, game, reason
    )


async def expire_challenges(pool: Pool, now_ms: int) -> list[Challenge]:
    """Close expired challenges and return them. Locked ones, which are being answered, are left to the next call."""
    rows = await pool.fetch(
        f"""
        WITH due AS (
            SELECT id FROM challenge WHERE closed IS NULL AND expires_at <= to_timestamp($1 / 1000.0)
            FOR UPDATE SKIP LOCKED
        ), e AS (
            UPDATE challenge SET closed = 'expired' WHERE id IN (SELECT id FROM due) RETURNING id
        )
        {_CHALLENGE} WHERE c.id IN (SELECT id FROM e)
        """,  # noqa: S608  a constant of this module
        float(now_ms),
    )
    return [_challenge(row) for row in rows]


async def cancel_closed(pool: Pool) -> list[Challenge]:
    """Cancel the open challenges by and for closed accounts, and return them."""
    rows = await pool.fetch(
        f"""
        WITH due AS (
            SELECT c.id FROM challenge c
            WHERE c.closed IS NULL AND EXISTS (
                SELECT FROM person p WHERE p.id IN (c.person, c.recipient) AND p.closed_at IS NOT NULL
            )
            FOR UPDATE OF c SKIP LOCKED
        ), e AS (
            UPDATE challenge SET closed = 'cancelled' WHERE id IN (SELECT id FROM due) RETURNING id
        )
        {_CHALLENGE} WHERE c.id IN (SELECT id FROM e)
        """  # noqa: S608  a constant of this module
    )
    return [_challenge(row) for row in rows]


async def forget_challenges(pool: Pool, before_ms: int) -> None:
    """Delete closed challenges that would have expired before ``before_ms``."""
    await pool.execute(
        "DELETE FROM challenge WHERE closed IS NOT NULL AND expires_at < to_timestamp($1 / 1000.0)", float(before_ms)
    )


# --- games -------------------------------------------------------------------------------------------


async def rematch_of(connection: Connection, game_id: str) -> str | None:
    """Return the id of the rematch of ``game_id``, if there is one. Concurrent calls wait for each other's
    transactions: both players may accept at once."""
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('rematch ' || $1::text, 0))", game_id)
    found: str | None = await connection.fetchval("SELECT id FROM game WHERE rematch_of = $1", game_id)
    return found
