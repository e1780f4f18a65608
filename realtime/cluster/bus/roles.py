"""Roles that one node holds at a time: a row with an owner and an epoch, as for a game.

A holder that writes on behalf of a role proves its epoch inside the transaction (``fence``). The fence waits for a
concurrent change of holder and fails after one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.errors import Unavailable

if TYPE_CHECKING:
    from lobby.ports import Connection, Pool

# As in realtime/journal/nodes.py: a row seen without a live owner is taken only if its epoch is unchanged.
_TAKE = """
WITH seen AS MATERIALIZED (
    SELECT name, epoch FROM cluster_role
    WHERE name = $2 AND NOT EXISTS (SELECT FROM node WHERE id = cluster_role.owner AND expires_at > now())
        AND EXISTS (SELECT FROM node WHERE id = $1 AND expires_at > now() AND NOT is_draining)
), taken AS (
    UPDATE cluster_role AS r SET owner = $1, epoch = r.epoch + 1 FROM seen
    WHERE r.name = seen.name AND r.epoch = seen.epoch RETURNING r.epoch
), made AS (
    INSERT INTO cluster_role (name, owner, epoch)
    SELECT $2, $1, 1 WHERE EXISTS (SELECT FROM node WHERE id = $1 AND expires_at > now() AND NOT is_draining)
    ON CONFLICT DO NOTHING RETURNING epoch
)
SELECT epoch FROM taken UNION ALL SELECT epoch FROM made
"""


class RoleLost(Unavailable):
    """Another node holds the role now. Nothing was changed."""


async def take_role(pool: Pool, node: str, name: str) -> int | None:
    """Take the role if no live node holds it and return its new epoch; None: a live node (or this one) holds it."""
    epoch: int | None = await pool.fetchval(_TAKE, node, name)
    return epoch


async def holder_of(pool: Pool, name: str) -> tuple[str, int] | None:
    """Return the holder of the role and its epoch; None if no live node holds it."""
    row = await pool.fetchrow(
        """
        SELECT owner, epoch FROM cluster_role
        WHERE name = $1 AND EXISTS (SELECT FROM node WHERE id = cluster_role.owner AND expires_at > now())
        """,
        name,
    )
    return None if row is None else (row["owner"], row["epoch"])


async def release_role(pool: Pool, node: str, name: str) -> None:
    """Release the role, so that another node can take it at once."""
    await pool.execute(
        "UPDATE cluster_role SET owner = '', epoch = epoch + 1 WHERE name = $2 AND owner = $1", node, name
    )


async def fence(connection: Connection, node: str, name: str, epoch: int) -> None:
    """Lock the role for the rest of the transaction. Raises ``RoleLost`` if this node does not hold it."""
    ours = await connection.fetchval(
        "SELECT true FROM cluster_role WHERE name = $1 AND owner = $2 AND epoch = $3 FOR SHARE", name, node, epoch
    )
    if not ours:
        raise RoleLost("another server is responsible for this now; try again")
