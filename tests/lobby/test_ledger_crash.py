"""Ledger after a crash of PostgreSQL that reuses the number of the lost transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lobby.errors import Unavailable
from lobby.pools.pools import PoolKey
from tests.commit_crash import Crash, postgres
from tests.lobby.conftest import World, wanted

if TYPE_CHECKING:
    from tests.conftest import Server

__all__ = ["postgres"]

pytestmark = pytest.mark.timeout(60)


@pytest.mark.parametrize("key", ["k", None])
async def test_change_lost_in_a_crash_is_not_acknowledged(
    world: World, monkeypatch: pytest.MonkeyPatch, postgres: Server, database_url: str, key: str | None
) -> None:
    anna = await world.guest()
    said = None
    while said != "committed":  # PostgreSQL writes its log by itself every ten seconds: then the number was not lost
        with monkeypatch.context() as patched:
            crash = Crash(patched, postgres, database_url)
            with pytest.raises(Unavailable):
                await world.lobby.seek(anna, wanted(), key=key)
        said = crash.said
        await world.lobby.tick()
        assert world.listed() == await world.stored() == set()
        assert world.server.events == []
    reply = await world.lobby.seek(anna, wanted(), key=key)
    assert world.listed() == await world.stored() == {reply["seek"]}


async def test_change_committed_before_a_crash_is_acknowledged(
    world: World, monkeypatch: pytest.MonkeyPatch, postgres: Server, database_url: str
) -> None:
    anna = await world.guest()
    with monkeypatch.context() as patched:
        Crash(patched, postgres, database_url, is_committed=True)
        reply = await world.lobby.challenge(anna, wanted(), key="k")
    assert await world.lobby.challenge_card(reply["challenge"]) is not None
    assert await world.lobby.challenge(anna, wanted(), key="k") == reply


async def test_game_of_a_lost_pairing_is_not_opened(
    world: World, monkeypatch: pytest.MonkeyPatch, postgres: Server, database_url: str
) -> None:
    anna, bert = await world.guest(), await world.guest()
    for user in (anna, bert):
        await world.lobby.pool_join(user, PoolKey("3+2", rated=False))
    said = None
    while said != "committed":
        with monkeypatch.context() as patched:
            crash = Crash(patched, postgres, database_url)
            await world.lobby._waiting.pair()
        said = crash.said
        assert world.server.opened_games == []
        assert await world.games() == set()
        assert await world.waiting() == {anna.id: "3+2", bert.id: "3+2"}
    await world.lobby._waiting.pair()
    assert {game.id for game in world.server.opened_games} == await world.games()
    assert len(world.server.opened_games) == 1
