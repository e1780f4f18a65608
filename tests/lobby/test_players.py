"""Players in a game never wait in a pool, in any order of requests."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from lobby.pools.pools import PoolKey
from tests.lobby.conftest import World, code, wanted
from tests.lobby.slow_server import SlowServer, until_blocked

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from lobby.accounts.user import User

pytestmark = pytest.mark.timeout(60)

DAYS = {"days": 3}


async def play(world: World, one: User, other: User, **fields: Any) -> None:
    """``one`` and ``other`` begin a game by name."""
    challenge = (await world.lobby.challenge(one, wanted(**fields), to=other.name))["challenge"]
    await world.lobby.challenge_accept(other, challenge)


async def test_player_in_a_game_leaves_the_pool(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await play(world, anna, bert)
    for user in (anna, bert):
        assert await code(world.lobby.pool_join(user, PoolKey("3+2", rated=False))) == "conflict"
    assert await world.waiting() == {}
    await world.finish()
    assert await code(world.lobby.pool_join(anna, PoolKey("3+2", rated=False))) is None


async def test_player_in_a_game_may_seek(world: World) -> None:
    """One socket carries any number of games, so a seek is allowed during a game."""
    anna, bert, carl = [await world.guest() for _ in range(3)]
    await play(world, anna, bert)
    seek = (await world.lobby.seek(anna, wanted()))["seek"]
    assert await code(world.lobby.accept(bert, seek)) is None
    assert await code(world.lobby.seek(anna, wanted(tc=DAYS, min_rating=2000))) is None
    await play(world, carl, anna)
    assert (await world.at_live_games())[anna.id] == 3


async def test_games_without_clock_or_opponent_allow_pools(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await world.lobby.challenge(anna, wanted(), to="self")
    await play(world, anna, bert, tc=None)
    await play(world, anna, bert, tc=DAYS)
    for user in (anna, bert):
        assert await code(world.lobby.pool_join(user, PoolKey("3+2", rated=False))) is None


async def test_player_being_seated_cannot_join_a_pool(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bert = await world.guest(), await world.guest()
    seek = (await world.lobby.seek(bert, wanted()))["seek"]
    slow = SlowServer(world, monkeypatch)
    accepting = asyncio.create_task(world.lobby.accept(anna, seek))
    await slow.reached.wait()
    waiting = [
        asyncio.create_task(code(world.lobby.pool_join(anna, PoolKey("3+2", rated=False)))),
        asyncio.create_task(code(world.lobby.pool_join(bert, PoolKey("3+2", rated=False)))),
    ]
    await until_blocked(world)
    slow.go_on.set()
    assert await asyncio.gather(*waiting) == ["conflict"] * 2
    await accepting
    assert await world.waiting() == {}
    assert await world.stored() == world.listed() == set()


async def test_concurrent_requests_never_leave_a_player_in_pool_and_game(world: World) -> None:
    crowd = [await world.guest() for _ in range(8)]
    for turn in range(6):
        open_seeks = sorted(world.listed())
        requests: list[Awaitable[Any]] = [world.tick(2)]
        for number, user in enumerate(crowd):
            requests.append(code(world.lobby.pool_join(user, PoolKey("3+2", rated=False))))
            requests.append(code(world.lobby.seek(user, wanted(tc={"base_s": 60 * (1 + (number + turn) % 3)}))))
            requests += [code(world.lobby.accept(user, seek)) for seek in open_seeks[number % 2 :: 2]]
        await asyncio.gather(*requests)
        live = await world.at_live_games()
        assert not live.keys() & (await world.waiting()).keys()
        if turn == 3:
            await world.finish()


async def test_waiting_player_with_a_game_does_not_block_others(world: World) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    for user in (anna, bert, carl):
        await world.lobby.pool_join(user, PoolKey("3+2", rated=False))
        world.now_ms += 300  # the wave takes anna and bert, who have waited longest, for the nearest
    # A game of which the lobby has heard nothing.
    await world.pool.execute(
        "INSERT INTO game (id, game, variant, profile, rated, speed, white, black)"
        " VALUES ('elsewhere', 'chess', 'standard', 'online', false, 'blitz', $1, $2)",
        anna.id,
        (await world.guest()).id,
    )
    await world.tick(6)
    (game,) = world.server.opened_games
    assert {game.white.id, game.black.id} == {bert.id, carl.id}
    assert await world.waiting() == {}
    assert [message["why"] for message in world.messages(anna, "pool.gone")] == ["left"]
