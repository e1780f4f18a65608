"""Sessions and API tokens of a person: listing, creating and revoking."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from lobby.accounts.identity import token_hash
from lobby.accounts.members import MOST_SESSIONS
from lobby.accounts.scopes import SCOPES, Scope, sorted_scopes
from lobby.errors import BadField, Conflict
from lobby.ids import new_token

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lobby.ports import Pool

MOST_TOKENS = 20
"""API tokens of one person."""

MAX_LABEL = 60
"""Characters."""

MAX_DAYS = 365
"""Longest lifetime: forgotten tokens expire."""


class SessionRow(msgspec.Struct, frozen=True):
    """A session, or an API token if it has ``scopes``; without the secret."""

    id: str
    key: bytes
    created: datetime
    expires: datetime
    used: datetime
    agent: str | None
    label: str | None
    scopes: list[Scope] | None


async def sessions_of(pool: Pool, person: str) -> list[SessionRow]:
    """Return the API tokens of ``person`` and their newest sessions, most recently used first."""
    rows = await pool.fetch(
        """
        SELECT id, token_hash, created_at, expires_at, used_at, agent, label, scopes FROM session
        WHERE person = $1 AND expires_at > now() ORDER BY scopes IS NULL, used_at DESC, token_hash LIMIT $2
        """,
        person,
        MOST_SESSIONS + MOST_TOKENS,
    )
    return [SessionRow(*row) for row in rows]


def check_token(label: str, scopes: Sequence[str], days: int) -> tuple[str, list[Scope]]:
    """Validate the label, scopes and lifetime of a new token; return its label and scopes.

    Raises:
        BadField: ``label``, ``scopes`` or ``days``.
    """
    label = " ".join(label.split())
    if not 0 < len(label) <= MAX_LABEL or not label.isprintable():
        raise BadField("label", f"expected 1 to {MAX_LABEL} characters")
    wanted = frozenset(scopes)
    known = sorted_scopes(wanted)  # type: ignore[arg-type]  # what is no scope is not in the list, which is compared
    if not known or len(known) != len(wanted):
        raise BadField("scopes", f"expected some of {', '.join(SCOPES)}")
    if not 1 <= days <= MAX_DAYS:
        raise BadField("days", f"expected 1 to {MAX_DAYS}")
    return label, known


async def create_token(pool: Pool, person: str, label: str, scopes: Sequence[str], days: int) -> tuple[SessionRow, str]:
    """Create an API token.

    Args:
        scopes: of ``SCOPES``, at least one.
        days: until it expires.

    Returns:
        The row and the token. The token is stored only as a hash.

    Raises:
        BadField: ``label``, ``scopes`` or ``days``.
        Conflict: the person has ``MOST_TOKENS`` already.
    """
    label, known = check_token(label, scopes, days)
    token = new_token()
    async with pool.acquire() as connection, connection.transaction():
        # One at a time for a person, so that two concurrent requests do not exceed the limit.
        await connection.execute("SELECT 1 FROM person WHERE id = $1 FOR NO KEY UPDATE", person)
        await connection.execute("DELETE FROM session WHERE person = $1 AND expires_at <= now()", person)
        count = await connection.fetchval(
            "SELECT count(*) FROM session WHERE person = $1 AND scopes IS NOT NULL", person
        )
        if count >= MOST_TOKENS:
            raise Conflict(f"you have {MOST_TOKENS} tokens; revoke one first")
        row = await connection.fetchrow(
            """
            INSERT INTO session (token_hash, person, expires_at, label, scopes)
            VALUES ($1, $2, now() + make_interval(days => $3), $4, $5)
            RETURNING id, token_hash, created_at, expires_at, used_at, agent, label, scopes
            """,
            token_hash(token),
            person,
            days,
            label,
            known,
        )
    assert row is not None, "an INSERT returns its row"
    return SessionRow(*row), token
