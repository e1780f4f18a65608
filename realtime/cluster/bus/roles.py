"""What only one node may do at a time: a row, an owner, an epoch, as of a game.

Whoever writes on behalf of a role shows his epoch inside the transaction (``fence``): it waits for a change of hands
that is under way, and fails after one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.errors import Unavailable

if TYPE_CHECKING:
    from lobby.ports import Connection, Pool

# As in realtime/journal/nodes.py: who is seen without a living owner is taken only if he has the same epoch still.
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


class Fenced(Unavailable):
    """The role is another node's by now: nothing was changed."""


async def take_role(pool: Pool, node: str, name: str) -> int | None:
    """Make the role ours if no living node has it; its new epoch. None: somebody has it, we perhaps. Raises what a
    query raises."""
    epoch: int | None = await pool.fetchval(_TAKE, node, name)
    return epoch


async def holder_of(pool: Pool, name: str) -> tuple[str, int] | None:
    """Who has the role, and his epoch; None where nobody who lives has."""
    row = await pool.fetchrow(
        """
        SELECT owner, epoch FROM cluster_role
        WHERE name = $1 AND EXISTS (SELECT FROM node WHERE id = cluster_role.owner AND expires_at > now())
        """,
        name,
    )
    return None if row is None else (row["owner"], row["epoch"])


async def release_role(pool: Pool, node: str, name: str) -> None:
    """Let another node have it, at once."""
    await pool.execute(
        "UPDATE cluster_role SET owner = '', epoch = epoch + 1 WHERE name = $2 AND owner = $1", node, name
    )


async def fence(connection: Connection, node: str, name: str, epoch: int) -> None:
    """Inside a transaction: the role is ours until its end. Raises ``Fenced`` when it is not."""
    ours = await connection.fetchval(
        "SELECT true FROM cluster_role WHERE name = $1 AND owner = $2 AND epoch = $3 FOR SHARE", name, node, epoch
    )
    if not ours:
        raise Fenced("another server does this now; ask again")
