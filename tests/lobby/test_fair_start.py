"""Bans and blocks, checked when a game begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lobby.errors import Conflict, Forbidden
from lobby.lobby import Lobby
from lobby.moderation import blocks
from lobby.moderation.bans import Ban, Bans
from lobby.pairing import NewGame
from lobby.pools.pools import PoolKey
from tests.lobby.conftest import wanted

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from tests.lobby.conftest import World

A_MINUTE = 60_000


@pytest.fixture
def bans(world: World) -> Bans:
    """Of ``world``, whose lobby is made anew to go by them."""
    bans = Bans(world.pool, lambda: world.now_ms)
    world.lobby = Lobby(
        world.pool,
        world.server,
        world.server,
        now_ms=lambda: world.now_ms,
        randbelow=lambda n: world.die % n,
        bans=bans,
    )
    return bans


def ban(world: World, bans: Bans, user: User) -> None:
    bans._bans[user.id] = {1: Ban(1, user.id, "aborted", "too many aborted games", world.now_ms + A_MINUTE)}


async def test_next_tick_removes_seeks_and_pool_places_of_banned_players(world: World, bans: Bans) -> None:
    anna, bert = await world.guest(), await world.guest()
    await world.lobby.seek(anna, wanted(min_rating=1600))
    await world.lobby.pool_join(anna, PoolKey("3+2", rated=False))
    await world.lobby.seek(bert, wanted(min_rating=1700))
    ban(world, bans, anna)
    await world.lobby.tick()
    assert [seek["user"]["id"] for seek in world.lobby.snapshot(games=0, online=0)["seeks"]] == [bert.id]
    assert [dict(message) for message in world.messages(anna, "pool.gone")] == [{"t": "pool.gone", "why": "ban"}]
    assert world.lobby.waiting(anna.id) is None


async def test_seek_of_a_banned_player_cannot_be_accepted_before_the_tick(world: World, bans: Bans) -> None:
    anna, bert = await world.guest(), await world.guest()
    seek = await world.lobby.seek(anna, wanted())
    ban(world, bans, anna)
    with pytest.raises(Conflict, match=f"{anna.name} cannot start games at the moment"):
        await world.lobby.accept(bert, seek["seek"])
    assert await world.games() == set()
    world.now_ms += A_MINUTE
    assert "g" in await world.lobby.accept(bert, seek["seek"])


async def test_wave_skips_banned_players(world: World, bans: Bans) -> None:
    anna, bert, carl = await world.guest(), await world.guest(), await world.guest()
    for user in (anna, bert, carl):
        await world.lobby.pool_join(user, PoolKey("3+2", rated=False))
    ban(world, bans, anna)
    for _ in range(3):
        world.now_ms += 1000
        await world.lobby.tick()
    (game,) = world.server.opened_games
    assert {game.white.id, game.black.id} == {bert.id, carl.id}


async def test_banned_player_neither_takes_nor_is_taken(world: World, bans: Bans) -> None:
    anna, bert = await world.guest(), await world.guest()
    place = PoolKey("3+2", rated=False)
    await world.lobby.pool_join(anna, place)
    for banned in (anna, bert):
        bans._bans.clear()
        ban(world, bans, banned)
        with pytest.raises(Conflict, match=f"{banned.name} cannot start games at the moment"):
            await world.lobby.pool_take(bert, anna.id, place)
    assert await world.games() == set()
    assert world.lobby.waiting(anna.id) is not None
    world.now_ms += A_MINUTE
    assert "g" in await world.lobby.pool_take(bert, anna.id, place)


async def test_rematch_with_a_blocked_player_is_refused(world: World, bans: Bans) -> None:
    anna, bert = await world.guest(), await world.guest()
    g = (await world.lobby.accept(bert, (await world.lobby.seek(anna, wanted()))["seek"]))["g"]
    (previous,) = world.server.opened_games
    await blocks.block(world.pool, bert.id, anna.id)
    with pytest.raises(Forbidden, match="blocked"):
        await world.lobby.rematch(previous, "game2")
    assert await world.games() == {g}
    await blocks.unblock(world.pool, bert.id, anna.id)
    assert await world.lobby.rematch(previous, "game2") == "game2"


async def test_banned_player_may_play_against_themselves(world: World, bans: Bans) -> None:
    anna = await world.guest()
    ban(world, bans, anna)
    assert "g" in await world.lobby.challenge(anna, wanted(), to="self")
    (game,) = world.server.opened_games
    assert isinstance(game, NewGame)
    assert game.white == game.black == anna
