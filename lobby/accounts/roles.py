"""Roles: additional rights of some people, granted with ``zeitnot users role``."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from lobby.accounts.user import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    import asyncpg

    from lobby.ports import Connection

    Pool = asyncpg.Pool[asyncpg.Record]


ROLES: tuple[Role, ...] = get_args(Role)


async def roles_of(reader: Pool | Connection, person: str) -> frozenset[Role]:
    """Return the roles of ``person``; most people have none."""
    rows = await reader.fetch("SELECT role FROM role WHERE person = $1", person)
    return frozenset(row["role"] for row in rows)


def sorted_roles(roles: frozenset[Role]) -> list[Role]:
    """Return ``roles`` in the order of ``ROLES``, as on the wire."""
    return [role for role in ROLES if role in roles]


async def set_roles(connection: Connection, person: str, add: Sequence[Role], remove: Sequence[Role]) -> None:
    """Add and remove roles of ``person`` inside the caller's transaction.

    Every node notices within seconds.
    """
    await connection.execute("DELETE FROM role WHERE person = $1 AND role = ANY($2)", person, list(remove))
    await connection.executemany(
        "INSERT INTO role (person, role) VALUES ($1, $2) ON CONFLICT DO NOTHING", [(person, role) for role in add]
    )
    await connection.execute("UPDATE person SET changed_at = now() WHERE id = $1", person)
