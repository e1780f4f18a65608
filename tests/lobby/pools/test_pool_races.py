"""A wave, and a person who has just left."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from asyncpg.transaction import Transaction

from lobby.pools.pools import PoolKey
from tests.lobby.pools.test_pool_desk import join, wave

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


async def test_leaving_and_being_paired_at_once_has_one_winner(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna, bert)
    await asyncio.gather(wave(world), world.lobby.pool_leave(anna))
    games = len(world.server.opened_games)
    assert world.lobby.waiting(anna.id) is None
    assert (await world.waiting()).keys() == ({bert.id} if games == 0 else set())
    assert [message["why"] for message in world.messages(anna, "pool.gone")] == ["paired" if games else "left"]
