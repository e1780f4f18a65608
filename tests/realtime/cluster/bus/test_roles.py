"""Cluster roles: one holder, and no writes by a former one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from lobby.errors import Unavailable
from realtime.cluster.bus.roles import fence, holder_of, release_role, take_role

if TYPE_CHECKING:
    from realtime.postgres.database import Pool


@pytest.fixture(autouse=True)
async def _nodes(pool: Pool) -> None:
    await pool.execute("DELETE FROM cluster_role")
    await pool.execute("DELETE FROM node")
    await pool.execute(
        "INSERT INTO node (id, expires_at) SELECT 'n' || n, now() + interval '1 hour' FROM generate_series(1, 8) n"
    )


async def die(pool: Pool, node: str) -> None:
    await pool.execute("UPDATE node SET expires_at = now() WHERE id = $1", node)


@pytest.mark.parametrize("before", ["nobody", "a dead node", "a node that let go"])
async def test_role_has_one_holder(pool: Pool, before: str) -> None:
    if before != "nobody":
        assert await take_role(pool, "n1", "hub") == 1
    if before == "a dead node":
        await die(pool, "n1")
    elif before == "a node that let go":
        await release_role(pool, "n1", "hub")
    takers = [f"n{number}" for number in range(2, 9)]
    epochs = await asyncio.gather(*(take_role(pool, taker, "hub") for taker in takers))
    won = [(taker, epoch) for taker, epoch in zip(takers, epochs, strict=True) if epoch is not None]
    assert len(won) == 1
    assert await holder_of(pool, "hub") == won[0]


async def test_role_passes_only_from_dead_node_to_live_node(pool: Pool) -> None:
    await take_role(pool, "n1", "hub")
    assert await take_role(pool, "n2", "hub") is None
    assert await take_role(pool, "n1", "hub") is None
    await die(pool, "n1")
    await die(pool, "n2")
    assert await holder_of(pool, "hub") is None
    assert await take_role(pool, "n2", "hub") is None
    assert await take_role(pool, "unknown", "other") is None
    assert await holder_of(pool, "other") is None


async def test_stopping_node_does_not_take_a_role(pool: Pool) -> None:
    await pool.execute("UPDATE node SET is_draining = true WHERE id IN ('n1', 'n2')")
    assert await take_role(pool, "n1", "hub") is None
    assert await take_role(pool, "n3", "hub") == 1
    await die(pool, "n3")
    assert await take_role(pool, "n2", "hub") is None


async def test_roles_are_separate(pool: Pool) -> None:
    assert await take_role(pool, "n1", "hub") == 1
    assert await take_role(pool, "n2", "another") == 1


async def test_former_holder_writes_nothing(pool: Pool) -> None:
    epoch = await take_role(pool, "n1", "hub")
    assert epoch is not None
    async with pool.acquire() as connection, connection.transaction():
        await fence(connection, "n1", "hub", epoch)
        await die(pool, "n1")
        taking = asyncio.create_task(take_role(pool, "n2", "hub"))
        done, _ = await asyncio.wait([taking], timeout=0.2)
        assert not done, "the change of hands waits for the transaction"
    assert await taking == epoch + 1
    async with pool.acquire() as connection:
        with pytest.raises(Unavailable):
            async with connection.transaction():
                await fence(connection, "n1", "hub", epoch)
