"""The node that leads a simul, in the database: who it is, takeover and release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from realtime.journal.nodes import TAKEN

if TYPE_CHECKING:
    from lobby.ports import Pool

# As for a game (realtime/journal/nodes.py): a row seen without a live owner must be unchanged when it is locked.
_TAKE_OVER = """
WITH seen AS MATERIALIZED (
    SELECT id, epoch FROM simul
    WHERE id = $2
        AND NOT EXISTS (SELECT FROM node WHERE id = simul.owner AND id <> $1 AND expires_at > now())
        AND EXISTS (SELECT FROM node WHERE id = $1 AND expires_at > now() AND NOT is_draining)
)
UPDATE simul SET owner = $1, epoch = simul.epoch + 1 FROM seen
WHERE simul.id = seen.id AND simul.epoch = seen.epoch
RETURNING simul.epoch, simul.last_n, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms
"""

_TAKE_BOARDS = f"""
WITH seen AS MATERIALIZED (
    SELECT id, epoch FROM game
    WHERE simul = $2 AND status <> 'over' AND owner IS DISTINCT FROM $1
        AND NOT EXISTS (SELECT FROM node WHERE id = game.owner AND expires_at > now())
)
UPDATE game SET {TAKEN} FROM seen WHERE game.id = seen.id AND game.epoch = seen.epoch
"""  # noqa: S608  constants only

_WITHOUT_LEADER = """
SELECT id FROM simul
WHERE status IN ('created', 'running') AND id <> ALL ($2::text[])
    AND NOT EXISTS (SELECT FROM node WHERE id = simul.owner AND id <> $1 AND expires_at > now())
ORDER BY created_at DESC
"""


class OwnedSimul(msgspec.Struct, frozen=True):
    """What a node needs to append to a simul."""

    epoch: int
    last_n: int
    now_ms: int = 0
    """The time of the takeover, in Unix ms by the database's clock, which all nodes share."""


class SimulLocation(msgspec.Struct, frozen=True):
    """The status of a simul, and the other live node that leads it."""

    status: str
    leader: str | None


async def take_over(pool: Pool, node: str, simul_id: str) -> OwnedSimul | None:
    """Take over a simul that no live node leads. Return None if one does or there is no such simul."""
    row = await pool.fetchrow(_TAKE_OVER, node, simul_id)
    return None if row is None else OwnedSimul(row["epoch"], row["last_n"], row["now_ms"])


async def take_boards(pool: Pool, node: str, simul_id: str) -> None:
    """Take over the unfinished games of a simul that no live node owns."""
    await pool.execute(_TAKE_BOARDS, node, simul_id)


async def release(pool: Pool, node: str, simul_id: str) -> None:
    """Release a simul led by this node. No write to it may be under way."""
    await pool.execute("UPDATE simul SET owner = NULL WHERE id = $2 AND owner = $1", node, simul_id)


async def place_of(pool: Pool, node: str, simul_id: str) -> SimulLocation | None:
    """Return the place of a simul as seen by ``node``; None: there is no such simul."""
    row = await pool.fetchrow(
        """
        SELECT status, (SELECT id FROM node WHERE id = simul.owner AND id <> $1 AND expires_at > now()) AS leader
        FROM simul WHERE id = $2
        """,
        node,
        simul_id,
    )
    return None if row is None else SimulLocation(row["status"], row["leader"])


async def leaders(pool: Pool, node: str, simul_ids: list[str]) -> dict[str, list[str]]:
    """Return the other live nodes that lead simuls among these, by simul."""
    rows = await pool.fetch(
        """
        SELECT node.id AS node, array_agg(simul.id) AS simuls FROM simul JOIN node ON node.id = simul.owner
        WHERE simul.id = ANY ($2::text[]) AND node.id <> $1 AND node.expires_at > now() GROUP BY node.id
        """,
        node,
        simul_ids,
    )
    return {row["node"]: row["simuls"] for row in rows}


async def without_leader(pool: Pool, node: str, known: list[str]) -> list[str]:
    """Return the ids of all announced or running simuls, except ``known``, that no other live node leads, the newest
    first.
    """
    return [row["id"] for row in await pool.fetch(_WITHOUT_LEADER, node, known)]


async def led_by_others(pool: Pool, node: str, simul_ids: list[str]) -> list[str]:
    """Return those of the simuls that this node no longer leads."""
    rows = await pool.fetch(
        "SELECT id FROM simul WHERE id = ANY ($2::text[]) AND owner IS DISTINCT FROM $1", node, simul_ids
    )
    return [row["id"] for row in rows]
