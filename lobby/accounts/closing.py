"""Permanent account changes: becoming a bot, closing and deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg

from lobby.accounts.identity import NAME_TRIES
from lobby.accounts.user import User
from lobby.commit_marker import IS_REQUEST
from lobby.errors import Conflict
from lobby.ids import new_deleted_name
from lobby.players import lock_players

if TYPE_CHECKING:
    from lobby.ports import Connection, Pool

GONE = ("account", "role", "reset", "settings", "block", "follow", "profile", "import")
"""Tables whose rows are deleted with their person; what remains are games and other shared records. The lobby cancels
the person's seeks and challenges, and announces that (``Lobby.rename``)."""


KEPT_DAYS = 365
"""How long the name of a deleted account stays reserved, so that nobody can impersonate its former owner."""


_RENAME_LINES = """
    UPDATE report SET lines = (
        SELECT jsonb_agg(
            CASE WHEN line #>> '{user,id}' = $1 THEN jsonb_set(line, '{user,name}', to_jsonb($2::text)) ELSE line END
            ORDER BY n
        ) FROM jsonb_array_elements(lines) WITH ORDINALITY AS said (line, n)
    ) WHERE lines @> $3
"""
"""Chat lines and other statements that moderators still have to judge stay, under the generated name."""


_IN_SIMULS = """
    SELECT true FROM simul WHERE status IN ('created', 'running')
    AND (host = $1 OR id IN (SELECT simul FROM simul_player WHERE person = $1)) LIMIT 1
"""


async def become_bot(pool: Pool, user: User) -> User:
    """Turn ``user`` into a bot, and return the new user.

    Raises:
        Conflict: they are a bot already, or have played.
    """
    async with pool.acquire() as connection, connection.transaction():
        await lock_players(connection, [user.id])  # starting a game with them takes this lock first
        changed = await connection.fetchval(
            """
            UPDATE person SET kind = 'bot', changed_at = now()
            WHERE id = $1 AND kind = 'member' AND NOT EXISTS (SELECT 1 FROM game WHERE white = $1 OR black = $1)
            RETURNING true
            """,
            user.id,
        )
    if not changed:
        raise Conflict("only a member without games can become a bot")
    return User(id=user.id, name=user.name, kind="bot", title=user.title)


async def close_account(connection: Connection, person: str) -> list[bytes]:
    """Disable login for ``person``, and return the hashes of the tokens that ended. The name stays reserved."""
    await connection.execute("UPDATE person SET closed_at = now(), changed_at = now() WHERE id = $1", person)
    rows = await connection.fetch("DELETE FROM session WHERE person = $1 RETURNING token_hash", person)
    return [row["token_hash"] for row in rows]


async def delete_account(pool: Pool, user: User) -> tuple[User, list[bytes]]:
    """Delete the data that belongs to ``user`` alone; their games stay, under a generated name.

    Returns:
        The renamed user, and the hashes of the tokens that ended.

    Raises:
        Conflict: they have an unfinished game, or host or have applied to a simul that is not over.
    """
    for attempt in range(NAME_TRIES):
        try:
            async with pool.acquire() as connection, connection.transaction():
                return await _delete(connection, user)
        except asyncpg.UniqueViolationError:
            if attempt == NAME_TRIES - 1:
                raise
    raise AssertionError("unreachable")


async def _delete(connection: Connection, user: User) -> tuple[User, list[bytes]]:
    await lock_players(connection, [user.id])  # starting a game with them takes this lock first
    if await connection.fetchval(
        "SELECT true FROM game WHERE (white = $1 OR black = $1) AND status <> 'over' LIMIT 1", user.id
    ):
        raise Conflict("you have games in progress; finish or resign them first")
    if await connection.fetchval(_IN_SIMULS, user.id):
        raise Conflict("you are in simuls that are not over; leave or end them first")
    ended = await close_account(connection, user.id)
    await connection.execute(
        """
        INSERT INTO kept_name (skeleton, until)
        SELECT skeleton, now() + make_interval(days => $2) FROM person WHERE id = $1 AND skeleton IS NOT NULL
        ON CONFLICT (skeleton) DO UPDATE SET until = excluded.until
        """,
        user.id,
        KEPT_DAYS,
    )
    name = new_deleted_name()
    await connection.execute("UPDATE person SET name = $2, skeleton = NULL, title = NULL WHERE id = $1", user.id, name)
    await connection.execute("DELETE FROM follow WHERE followed = $1", user.id)
    await connection.execute(_RENAME_LINES, user.id, name, [{"user": {"id": user.id}}])
    await connection.execute("UPDATE rating SET listed = false WHERE person = $1", user.id)
    # Commit markers (``lobby/commit_marker.py``) hold no personal data, and a commit may still be in doubt.
    await connection.execute(f"DELETE FROM request WHERE person = $1 AND {IS_REQUEST}", user.id)  # noqa: S608  a constant
    for table in GONE:
        await connection.execute(f"DELETE FROM {table} WHERE person = $1", user.id)  # noqa: S608  a constant
    return User(id=user.id, name=name, kind=user.kind), ended
