"""Block lists on a real database: read when a person connects, kept up to date while they stay."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from lobby.accounts.identity import create_guest
from lobby.errors import Conflict, Forbidden
from lobby.moderation import blocks
from realtime.people.block_lists import BlockList, BlockLists
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.postgres.database import Pool


@pytest.fixture
async def lists(pool: Pool) -> AsyncIterator[BlockLists]:
    lists = BlockLists(pool)
    yield lists
    await lists.close()


async def person(pool: Pool) -> str:
    return (await create_guest(pool))[0].id


async def is_read(blocked: BlockList) -> set[str]:
    """Its ids, once they are there."""
    done = asyncio.Event()
    blocked.when_read(done.set)
    async with asyncio.timeout(10):
        await done.wait()
    assert blocked.ids is not None
    return blocked.ids


async def test_block_lists_are_loaded_and_shared(pool: Pool, lists: BlockLists) -> None:
    anna, bert, carl = [await person(pool) for _ in range(3)]
    await blocks.block(pool, anna, bert)
    mine = lists.of(anna)
    assert mine is lists.of(anna)
    assert mine.hides(carl), "until it is read it hides everybody"
    assert await is_read(mine) == {bert}
    assert await is_read(lists.of(bert)) == set()
    assert not mine.hides(carl)


async def test_change_of_block_list_applies_at_once(pool: Pool, lists: BlockLists) -> None:
    anna, bert = [await person(pool) for _ in range(2)]
    lists.changed(anna, bert, blocked=True)  # no list is loaded
    mine = lists.of(anna)
    assert await is_read(mine) == set()
    lists.changed(anna, bert, blocked=True)
    assert mine.hides(bert)
    lists.changed(anna, bert, blocked=False)
    assert not mine.hides(bert)


async def test_change_during_load_of_block_list_is_not_lost(pool: Pool, lists: BlockLists) -> None:
    anna, bert = [await person(pool) for _ in range(2)]
    async with pool.acquire() as connection, connection.transaction():
        # Its reader has to wait until this is over.
        await connection.execute("LOCK TABLE block IN ACCESS EXCLUSIVE MODE")
        mine = lists.of(anna)
        await until(lambda: pool.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"))
        # As if this had been committed after the reader's look.
        lists.changed(anna, bert, blocked=True)
        await connection.execute("INSERT INTO block (person, blocked) VALUES ($1, $2)", anna, bert)
    assert await is_read(mine) == {bert}


async def test_blocked_pairs_are_found(pool: Pool) -> None:
    anna, bert, carl, dora = [await person(pool) for _ in range(4)]
    await blocks.block(pool, anna, bert)
    await blocks.block(pool, anna, bert)
    await blocks.block(pool, carl, anna)
    assert [user.id for user in await blocks.blocked_by(pool, anna)] == [bert]
    assert await blocks.blocked_either_way(pool, anna) == {bert, carl}
    assert await blocks.blocked_pairs(pool, [anna, bert, dora]) == {frozenset((anna, bert))}
    assert [
        await blocks.is_either_blocked(pool, one, other) for one, other in ((anna, bert), (bert, anna), (bert, carl))
    ] == [
        True,
        True,
        False,
    ]
    await blocks.unblock(pool, anna, bert)
    await blocks.unblock(pool, anna, bert)
    assert await blocks.blocked_either_way(pool, anna) == {carl}


async def test_block_list_is_bounded(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bert, carl = [await person(pool) for _ in range(3)]
    with pytest.raises(Forbidden):
        await blocks.block(pool, anna, anna)
    monkeypatch.setattr(blocks, "MAX_BLOCKS", 1)
    await blocks.block(pool, anna, bert)
    await blocks.block(pool, anna, bert)
    with pytest.raises(Conflict):
        await blocks.block(pool, anna, carl)
    assert await blocks.blocked_either_way(pool, anna) == {bert}
