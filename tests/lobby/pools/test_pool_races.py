"""A wave that meets the row of a person who has just left, before that change is applied."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from asyncpg.transaction import Transaction

from lobby.pools.pools import PoolKey

if TYPE_CHECKING:
    import pytest

    from tests.lobby.conftest import World


async def test_player_who_left_is_notified_even_if_the_wave_finds_out_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bert = await world.guest(), await world.guest()
    for user in (anna, bert):
        await world.lobby.pool_join(user, PoolKey("3+2", rated=False))
    committed, go_on = asyncio.Event(), asyncio.Event()
    commit = Transaction.commit

    async def commit_and_wait(transaction: Transaction) -> None:
        await commit(transaction)
        committed.set()
        await go_on.wait()

    with monkeypatch.context() as patched:
        patched.setattr(Transaction, "commit", commit_and_wait)
        leaving = asyncio.create_task(world.lobby.pool_leave(anna))
        await committed.wait()
        await world.tick(2)
        assert world.lobby.waiting(anna.id) is None
        go_on.set()
        await leaving
    assert world.server.opened_games == []
    assert world.messages(anna, "pool.gone") == [{"t": "pool.gone", "why": "left"}]
    assert await world.waiting() == {bert.id: "3+2"}
