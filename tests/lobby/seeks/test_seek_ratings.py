"""Seeks and challenges with rating ranges and blocks."""

from __future__ import annotations

import pytest

from lobby.seeks import seek_desk
from tests.lobby.conftest import World, code, wanted

pytestmark = pytest.mark.timeout(60)


async def test_seek_shows_the_rating_of_its_speed(world: World) -> None:
    anna, bert, carl = await world.member(1623), await world.member(1900, perf="bullet"), await world.guest()
    for user in (anna, bert, carl):
        world.now_ms += 1
        await world.lobby.seek(user, wanted(min_rating=3000))
    shown = [(event["rating"], event["provisional"]) for event in world.server.events]
    assert shown == [(1623, False), (1500, True), (None, None)]
    await world.restart()
    seeks = world.lobby.snapshot(games=0, online=0)["seeks"]
    assert [(seek["rating"], seek["provisional"]) for seek in seeks] == shown


async def test_only_players_in_the_rating_range_can_accept(world: World) -> None:
    anna = await world.member(1500)
    low, high, fitting = await world.member(1399), await world.member(1601), await world.member(1600)
    seek = (await world.lobby.seek(anna, wanted(rated=True, min_rating=1400, max_rating=1600)))["seek"]
    assert await code(world.lobby.accept(low, seek)) == "forbidden"
    assert await code(world.lobby.accept(high, seek)) == "forbidden"
    await world.lobby.accept(fitting, seek)
    (game,) = world.server.opened_games
    assert game.rated


async def test_missing_rating_counts_as_1500(world: World) -> None:
    anna, guest, member = await world.member(2000), await world.guest(), await world.member()
    above = (await world.lobby.seek(anna, wanted(min_rating=1501)))["seek"]
    for user in (guest, member):
        assert await code(world.lobby.accept(user, above)) == "forbidden"
    around = (await world.lobby.seek(anna, wanted(min_rating=1500, max_rating=1500, tc={"days": 2})))["seek"]
    assert await code(world.lobby.accept(guest, around)) is None


async def test_seeks_are_paired_when_both_rating_ranges_hold(world: World) -> None:
    anna, bert, carl = await world.member(1500), await world.member(1700), await world.member(1600)
    await world.lobby.seek(anna, wanted(rated=True, max_rating=1650))
    assert "g" not in await world.lobby.seek(bert, wanted(rated=True))
    assert "g" in await world.lobby.seek(carl, wanted(rated=True, max_rating=1550))
    (game,) = world.server.opened_games
    assert {game.white, game.black} == {anna, carl}


@pytest.mark.parametrize("by_owner", [True, False])
async def test_blocked_players_cannot_accept(world: World, *, by_owner: bool) -> None:
    anna, bert = await world.member(), await world.member()
    pair = (anna, bert) if by_owner else (bert, anna)
    seek = (await world.lobby.seek(anna, wanted()))["seek"]
    link = (await world.lobby.challenge(anna, wanted()))["challenge"]
    await world.pool.execute("INSERT INTO block (person, blocked) VALUES ($1, $2)", pair[0].id, pair[1].id)
    assert await code(world.lobby.accept(bert, seek)) == "forbidden"
    assert "g" not in await world.lobby.seek(bert, wanted())
    assert await code(world.lobby.challenge_accept(bert, link)) == "forbidden"
    assert await code(world.lobby.challenge(anna, wanted(), to=bert.name)) == "forbidden"
    assert await code(world.lobby.challenge(bert, wanted(), to=anna.name)) == "forbidden"
    assert await world.games() == set()
    # Both wait on for others, and the one who comes gets the one who has waited longest.
    carl = await world.guest()
    assert "g" in await world.lobby.seek(carl, wanted())
    assert anna in (world.server.opened_games[0].white, world.server.opened_games[0].black)


async def test_challenge_checks_the_rating_range(world: World) -> None:
    anna, low, high = await world.member(1500), await world.member(1200), await world.member(1800)
    link = (await world.lobby.challenge(anna, wanted(min_rating=1700)))["challenge"]
    assert await code(world.lobby.challenge_accept(low, link)) == "forbidden"
    assert await code(world.lobby.challenge_accept(high, link)) is None


async def test_full_lobby_refuses_seeks_but_still_pairs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seek_desk, "LOBBY_SEEKS", 2)
    anna, bert = await world.guest(), await world.guest()
    for base_s in (60, 120):
        await world.lobby.seek(anna, wanted(tc={"base_s": base_s}))
    assert await code(world.lobby.seek(bert, wanted(tc={"base_s": 240}))) == "conflict"
    assert "g" in await world.lobby.seek(bert, wanted(tc={"base_s": 60}))
