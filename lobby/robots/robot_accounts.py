"""The eight accounts of the robots, one a level, and the tokens that the process ``zeitnot robots`` uses.

There is one secret, the service token, in a file that the server and that process can read. The API token of each
account is derived from it, so the robots are bots like any other: nothing in the server knows the service token.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import TYPE_CHECKING

from lobby.accounts.identity import token_hash
from lobby.accounts.names import ROBOT_NAME, skeleton
from lobby.accounts.user import User

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lobby.ports import Connection, Pool

LEVELS = range(1, 9)

HINT_LEVELS = range(1, 5)
"""Levels against which a player may have hints: those for beginners."""

VALID_DAYS = 3650
"""Lifetime of a token from the last start of a server that has the service token."""

SCOPES = ("read", "play", "host")

OTHER_NAME = ROBOT_NAME + "-zeitnot"
"""Name of a robot if somebody had its name before names of robots were reserved. Nobody can have this one."""

_IDS = {f"robot{level}": level for level in LEVELS}
"""Levels by account id. Ids of other people are drawn and have eight letters."""

_INSERT = """
    INSERT INTO person (id, name, kind, skeleton, is_invisible) SELECT $1, $2, 'bot', $3, true
    WHERE NOT EXISTS (SELECT 1 FROM person WHERE id = $1 OR lower(name) = lower($2)) ON CONFLICT DO NOTHING
"""
"""They are invisible in lists and counts of who is online, which are of people (``Presence.is_shown``)."""

_INSERT_SESSION = """
    INSERT INTO session (token_hash, person, expires_at, label, scopes)
    VALUES ($1, $2, now() + make_interval(days => $3), 'robot', $4)
    ON CONFLICT (token_hash) DO UPDATE SET expires_at = excluded.expires_at
"""

_DELETE_SESSIONS = """
    WITH gone AS (DELETE FROM session WHERE person = ANY($1) AND token_hash <> ALL($2) RETURNING person)
    UPDATE person SET changed_at = now() WHERE id IN (SELECT person FROM gone)
"""


def robot_id(level: int) -> str:
    """Return the account id of the robot of ``level``."""
    return f"robot{level}"


def is_robot(user_id: str) -> bool:
    """Return whether this is the account of a robot of the server."""
    return user_id in _IDS


def level_of(user_id: str) -> int | None:
    """Return the level of a robot's account; None for everybody else."""
    return _IDS.get(user_id)


def robot_tokens(service_token: str) -> dict[int, str]:
    """Return the API token of each robot by its level."""
    return {level: _derived(service_token, level) for level in LEVELS}


async def open_robot_accounts(pool: Pool, service_token: str) -> None:
    """Create the accounts that do not exist, and make the tokens of ``service_token`` their only ones.

    Several nodes may do this at once. They must have the same service token: the last one to start decides.
    """
    hashes = {robot_id(level): token_hash(token) for level, token in robot_tokens(service_token).items()}
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('robot accounts', 0))")
        for level in LEVELS:
            for pattern in (ROBOT_NAME, OTHER_NAME):
                name = pattern.format(level)
                await connection.execute(_INSERT, robot_id(level), name, skeleton(name))
        for person, key in hashes.items():
            await connection.execute(_INSERT_SESSION, key, person, VALID_DAYS, SCOPES)
        await connection.execute(_DELETE_SESSIONS, list(hashes), list(hashes.values()))


async def find_robot(connection: Connection, level: int) -> User | None:
    """Return the robot of ``level``; None if this server has none."""
    row = await connection.fetchrow(
        "SELECT id, name, kind, title FROM person WHERE id = $1 AND closed_at IS NULL", robot_id(level)
    )
    return None if row is None else User(**row)


async def unfinished_with(connection: Connection, person: str, others: Iterable[str]) -> int:
    """Return the number of games in progress between ``person`` and any of ``others``."""
    count: int = await connection.fetchval(
        """
        SELECT count(*) FROM game WHERE status <> 'over'
            AND ((white = $1 AND black = ANY($2)) OR (black = $1 AND white = ANY($2)))
        """,
        person,
        list(others),
    )
    return count


async def unfinished_of(connection: Connection, person: str) -> int:
    """Return the number of games in progress of ``person``."""
    count: int = await connection.fetchval(
        "SELECT count(*) FROM game WHERE status <> 'over' AND (white = $1 OR black = $1)", person
    )
    return count


def robot_ids() -> list[str]:
    """Return the ids of all robots, by level."""
    return list(_IDS)


def _derived(service_token: str, level: int) -> str:
    digest = hmac.new(service_token.encode(), f"robot {level}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
