"""A board from outside the lobby: the player's live seeks end."""

from __future__ import annotations

import pytest

from lobby.pools.pools import PoolKey
from tests.lobby.conftest import World, wanted

pytestmark = pytest.mark.timeout(60)


async def test_sitting_down_ends_live_seeks_and_pool_place(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    live = [(await world.lobby.seek(anna, wanted(color=color)))["seek"] for color in ("w", "b")]
    slow = (await world.lobby.seek(anna, wanted(tc={"days": 3})))["seek"]
    other = (await world.lobby.seek(bert, wanted(tc={"base_s": 60})))["seek"]
    await world.lobby.pool_join(anna, PoolKey("3+2", rated=False))
    assert world.lobby.is_looking(anna.id)
    await world.lobby.sits_down(anna.id)
    assert world.listed() == await world.stored() == {slow, other}
    assert world.lobby.waiting(anna.id) is None
    gone = [event for event in world.server.events if event["t"] == "lobby.gone"]
    assert sorted(event["seek"] for event in gone) == sorted(live)
    assert [message["why"] for message in world.messages(anna, "pool.gone")] == ["paired"]


async def test_sitting_down_without_seeks_changes_nothing(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    seek = (await world.lobby.seek(bert, wanted()))["seek"]
    assert not world.lobby.is_looking(anna.id)
    await world.lobby.sits_down(anna.id)
    assert world.listed() == await world.stored() == {seek}
