"""A person who waits in a casual pool, taken by a click, on a real database."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lobby.accounts.user import User
from lobby.errors import Conflict
from lobby.pools import pool_store
from lobby.pools.pools import PoolKey
from lobby.seeks.seeks import AWAY_MS
from tests.lobby.conftest import World, code, wanted
from tests.lobby.pools.test_pool_desk import join, played, wave
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lobby.ports import Connection

pytestmark = pytest.mark.timeout(60)

CASUAL = PoolKey("3+2", rated=False)


async def take(world: World, user: User, person: User, place: PoolKey = CASUAL, key: str | None = None) -> str:
    """Take ``person``; return the game."""
    game: str = (await world.lobby.pool_take(user, person.id, place, key=key))["g"]
    return game


async def test_a_click_begins_the_game(world: World) -> None:
    anna, bert = await world.guest(), await world.member(1900)
    await join(world, anna)
    await world.tick()
    assert [card["user"]["id"] for card in world.lobby.casual_waiters(9)] == [anna.id]
    game = await take(world, bert, anna)
    (opened,) = world.server.opened_games
    assert (opened.id, {opened.white, opened.black}, opened.rated) == (game, {anna, bert}, False)
    assert world.messages(anna, "pool.gone") == [{"t": "pool.gone", "why": "paired"}]
    assert world.messages(anna, "paired")[0]["g"] == world.messages(bert, "paired")[0]["g"] == game
    assert (await world.waiting(), world.lobby.casual_waiters(9), world.lobby.waiting_counts()) == ({}, [], {})


async def test_every_variant_can_be_taken(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    russian = PoolKey("5+0", rated=False, game="draughts", variant="russian")
    await world.lobby.pool_join(anna, russian)
    await take(world, bert, anna, russian)
    (opened,) = world.server.opened_games
    assert (opened.game, opened.variant) == ("draughts", "russian")


async def test_who_had_black_less_often_gets_it(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await played(world, bert, await world.guest())
    await join(world, anna)
    await take(world, bert, anna)
    assert world.server.opened_games[-1].white == anna


async def test_the_same_request_again_gets_the_same_game(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna)
    games = await asyncio.gather(*(take(world, bert, anna, key="k") for _ in range(3)))
    games.append(await take(world, bert, anna, key="k"))
    assert len(set(games)) == len(world.server.opened_games) == 1


async def test_of_many_who_click_at_once_one_gets_the_game(world: World) -> None:
    anna = await world.guest()
    racers = [await world.guest() for _ in range(8)]
    await join(world, anna)
    outcomes = await asyncio.gather(*(take(world, racer, anna) for racer in racers), return_exceptions=True)
    refusals = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert len(refusals) == len(racers) - 1
    assert all(isinstance(refusal, Conflict) for refusal in refusals)
    assert len(world.server.opened_games) == 1


async def test_two_who_click_each_other_get_one_game(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna)
    await join(world, bert, pool="5+0")
    outcomes = await asyncio.gather(
        take(world, anna, bert, PoolKey("5+0", rated=False)), take(world, bert, anna), return_exceptions=True
    )
    assert [isinstance(outcome, Conflict) for outcome in outcomes].count(True) == 1
    assert len(world.server.opened_games) == 1
    assert await world.waiting() == {}


async def test_the_wave_and_a_click_race_for_the_row(world: World) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    await join(world, anna, bert)
    outcome, _ = await asyncio.gather(take(world, carl, anna), wave(world), return_exceptions=True)
    assert len(world.server.opened_games) == 1
    assert isinstance(outcome, str | Conflict)
    assert await world.at_live_games() in ({anna.id: 1, carl.id: 1}, {anna.id: 1, bert.id: 1})


async def test_only_who_waits_there_can_be_taken(world: World) -> None:
    anna, bert, carl = await world.member(1500), await world.member(1500), await world.guest()
    await join(world, anna, rated=True)
    await join(world, bert, pool="5+0")
    for person in (anna, bert, carl):
        assert await code(take(world, carl if person != carl else bert, person)) == "conflict"
    # Nobody chooses an opponent for a rated game, whatever they ask for.
    assert await code(take(world, bert, anna, PoolKey("3+2", rated=True))) == "conflict"
    assert await code(world.lobby.pool_take(carl, "\0", CASUAL)) == "conflict"
    assert world.server.opened_games == []
    assert (await world.waiting()).keys() == {anna.id, bert.id}


async def test_who_has_just_left_is_not_taken(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The row is gone, and the book does not know yet."""
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna)
    book = world.lobby._pools
    monkeypatch.setattr(book, "stop", lambda person, n: False)
    await world.lobby.pool_leave(anna)
    assert world.lobby.waiting(anna.id) is not None
    monkeypatch.undo()
    assert await code(take(world, bert, anna)) == "conflict"
    assert world.lobby.waiting(anna.id) is None
    assert await world.games() == set()


async def test_leaving_waits_for_a_click_that_was_first(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna)
    reached, go_on = asyncio.Event(), asyncio.Event()
    start = world.server.start

    async def slow(new_game: Any, connection: Connection) -> Any:
        reached.set()
        await go_on.wait()
        return await start(new_game, connection)

    monkeypatch.setattr(world.server, "start", slow)
    taking = asyncio.create_task(take(world, bert, anna))
    await reached.wait()
    leaving = asyncio.create_task(world.lobby.pool_leave(anna))
    await until(lambda: world.pool.fetchval("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted"))
    go_on.set()
    game = await taking
    await leaving
    assert [message["why"] for message in world.messages(anna, "pool.gone")] == ["paired"]
    assert await world.games() == {game}


async def test_who_is_away_is_not_taken_and_keeps_the_place(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna)
    world.lobby.left(anna.id)
    assert world.lobby.casual_waiters(9) == []
    assert await code(take(world, bert, anna)) == "conflict"
    await world.tick(AWAY_MS // 1000 - 1)
    world.lobby.came(anna.id)
    await take(world, bert, anna)


async def test_who_has_finished_a_game_that_the_public_still_watches_is_not_listed(world: World) -> None:
    """Nobody in a pool plays. So the card would reveal the end of that game."""
    anna, bert, carl = await world.guest(), await world.guest(), await world.guest()
    await played(world, anna, carl, ago_s=100)
    await world.pool.execute("UPDATE game SET delay_s = 300")
    await join(world, anna)
    await join(world, bert)
    for _ in range(2):
        assert [card["user"]["id"] for card in world.lobby.casual_waiters(9)] == [bert.id]
        assert list(world.lobby.waiting_counts().values()) == [1]
        assert await code(take(world, carl, anna)) == "conflict"
        await world.restart()
        for person in (anna, bert, carl):
            world.lobby.came(person.id)
    world.now_ms += 211_000
    assert {card["user"]["id"] for card in world.lobby.casual_waiters(9)} == {anna.id, bert.id}
    await take(world, carl, anna)


async def test_ones_own_search_and_blocks_are_refused(world: World) -> None:
    anna, bert, carl = await world.member(), await world.member(), await world.member()
    await world.pool.execute("INSERT INTO block (person, blocked) VALUES ($1, $2), ($3, $1)", anna.id, bert.id, carl.id)
    await join(world, anna)
    for user in (anna, bert, carl, User(bert.id, bert.name, "bot")):
        assert await code(take(world, user, anna)) == "forbidden"
    assert await world.waiting() == {anna.id: "3+2"}


async def test_who_has_just_become_a_bot_takes_nobody(world: World) -> None:
    """Their session does not know it yet."""
    anna, bert = await world.guest(), await world.member()
    await join(world, anna)
    await world.pool.execute("UPDATE person SET kind = 'bot' WHERE id = $1", bert.id)
    assert await code(take(world, bert, anna)) == "forbidden"
    assert await world.waiting() == {anna.id: "3+2"}


async def test_who_aborted_is_not_taken_by_whom_they_left_for_an_hour(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await played(world, bert, anna, by=anna, result="*", reason="aborted", ago_s=pool_store.APART_S - 60)
    await join(world, anna)
    assert await code(take(world, bert, anna)) == "conflict"
    await world.pool.execute("UPDATE game SET ended_at = now() - interval '3601 seconds'")
    await take(world, bert, anna)


async def test_who_aborted_may_take_the_other_all_the_same(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await played(world, bert, anna, by=bert, result="*", reason="aborted", ago_s=1)
    await join(world, anna)
    await take(world, bert, anna)


async def test_after_a_first_move_that_did_not_come_the_two_may_meet(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await played(world, bert, anna, result="*", reason="aborted", ago_s=1)
    await join(world, anna)
    await take(world, bert, anna)


async def test_who_plays_takes_nobody(world: World) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    await join(world, anna)
    await take(world, bert, anna)
    await join(world, carl)
    with pytest.raises(Conflict, match="you are in a game"):
        await take(world, bert, carl)
    assert await world.waiting() == {carl.id: "3+2"}
    await world.finish()
    await take(world, bert, carl)


async def test_who_plays_is_taken_by_nobody_and_stops_waiting(world: World) -> None:
    """A live game that began elsewhere, before the lobby hears of it."""
    anna, bert, carl = [await world.guest() for _ in range(3)]
    await join(world, anna)
    await played(world, anna, carl, status="live", result="*", reason=None)
    with pytest.raises(Conflict, match="already in a game"):
        await take(world, bert, anna)
    assert world.messages(anna, "pool.gone") == [{"t": "pool.gone", "why": "left"}]
    assert await world.waiting() == {}


async def test_all_searches_of_both_end(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await world.lobby.seek(anna, wanted(min_rating=2000))
    await join(world, anna)
    await join(world, bert, pool="10+0")
    await take(world, bert, anna)
    assert await world.stored() == world.listed() == set()
    assert await world.waiting() == {}
    assert world.messages(bert, "pool.gone") == [{"t": "pool.gone", "why": "paired"}]


ACTION = st.tuples(st.sampled_from(["join", "leave", "take", "wave", "end"]), st.integers(0, 3), st.integers(0, 3))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=15)
@given(st.lists(st.lists(ACTION, min_size=1, max_size=5), max_size=6))
async def test_nobody_plays_twice_however_requests_coincide(
    world: World, rounds: list[list[tuple[str, int, int]]]
) -> None:
    await world.finish()
    await world.pool.execute("DELETE FROM waiting")
    await world.restart()
    people = [await world.guest() for _ in range(4)]

    async def act(what: str, one: int, other: int) -> None:
        user = people[one]
        if what == "join":
            await code(world.lobby.pool_join(user, CASUAL))
        elif what == "leave":
            await code(world.lobby.pool_leave(user))
        elif what == "take":
            await code(take(world, user, people[other]))
        elif what == "end":
            await world.finish()
        else:
            await wave(world)

    for steps in rounds:
        await asyncio.gather(*(act(*step) for step in steps))
        await check(world, people)


async def check(world: World, people: Iterable[User]) -> None:
    """Each plays one live game at most or waits, and the book is as the database."""
    live = await world.at_live_games()
    waiting = (await world.waiting()).keys()
    assert set(live.values()) <= {1}
    assert not live.keys() & waiting
    assert {user.id for user in people if world.lobby.waiting(user.id)} == waiting
