"""Closed accounts and accounts that became bots: their seeks, challenges and simuls end, and opponents are notified."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from lobby.accounts.closing import become_bot, close_account, delete_account
from lobby.errors import Conflict
from lobby.moderation.reports import NewReport, add_report
from lobby.pools.pools import PoolKey
from tests.lobby.conftest import World, code, wanted
from tests.lobby.slow_server import SlowServer, until_blocked

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from lobby.wire.lobby import ChatLineWire

pytestmark = pytest.mark.timeout(60)


async def close(world: World, user: User) -> None:
    """As ``zeitnot users close`` does it; the lobby has not heard of it."""
    async with world.pool.acquire() as connection, connection.transaction():
        await close_account(connection, user.id)


async def heard(world: World, user: User) -> None:
    """The server has heard that something about ``user`` has changed, and has done what follows from it."""
    world.lobby.rename(user)
    await world.lobby.close()


async def test_closed_account_gets_no_game(world: World) -> None:
    anna, bert = await world.member(), await world.guest()
    named = (await world.lobby.challenge(bert, wanted(), to=anna.name))["challenge"]
    link = (await world.lobby.challenge(anna, wanted()))["challenge"]
    seek = (await world.lobby.seek(anna, wanted(min_rating=1400)))["seek"]
    await world.lobby.pool_join(anna, PoolKey("3+2", rated=False))
    await world.lobby.pool_join(bert, PoolKey("3+2", rated=False))
    await close(world, anna)
    assert await code(world.lobby.challenge_accept(anna, named)) == "conflict"
    assert await code(world.lobby.challenge_accept(bert, link)) == "conflict"
    assert await code(world.lobby.accept(bert, seek)) == "conflict"
    assert await code(world.lobby.seek(anna, wanted(tc={"days": 1}))) == "conflict"
    assert await code(world.lobby.pool_join(anna, PoolKey("5+0", rated=False))) == "conflict"
    assert await code(world.lobby.challenge(anna, wanted())) == "conflict"
    assert await code(world.lobby.challenge(anna, wanted(), to="self")) == "conflict"
    await world.tick(4)
    assert await world.games() == set()
    assert await world.waiting() == {bert.id: "3+2"}


async def test_closing_an_account_withdraws_its_seeks_and_challenges(world: World) -> None:
    anna, bert = await world.member(), await world.guest()
    challenges = [
        (await world.lobby.challenge(bert, wanted(), to=anna.name))["challenge"],
        (await world.lobby.challenge(anna, wanted(), to=bert.name))["challenge"],
    ]
    kept = (await world.lobby.challenge(bert, wanted()))["challenge"]
    await world.lobby.seek(anna, wanted())
    await world.lobby.pool_join(anna, PoolKey("3+2", rated=False))
    await close(world, anna)
    await heard(world, anna)
    assert await world.stored() == world.listed() == set()
    assert await world.waiting() == {}
    assert world.lobby.waiting(anna.id) is None
    gone = world.messages(bert, "challenge.gone")
    assert sorted(message["challenge"] for message in gone) == sorted(challenges)
    assert {message["why"] for message in gone} == {"cancelled"}
    assert [message["challenge"] for message in await world.lobby.challenges_of(bert)] == [kept]


async def test_challenges_of_accounts_closed_while_the_server_was_down_are_swept(world: World) -> None:
    anna, bert = await world.member(), await world.guest()
    await world.lobby.challenge(anna, wanted(), to=bert.name)
    await close(world, anna)
    await world.restart()
    await world.tick()
    assert await world.lobby.challenges_of(bert) == []


async def test_unrelated_account_change_withdraws_nothing(world: World) -> None:
    anna = await world.member()
    seek = (await world.lobby.seek(anna, wanted()))["seek"]
    await world.lobby.pool_join(anna, PoolKey("3+2", rated=False))
    await world.lobby.challenge(anna, wanted())
    await heard(world, anna)
    assert world.listed() == {seek}
    assert await world.waiting() == {anna.id: "3+2"}
    assert len(await world.lobby.challenges_of(anna)) == 1


async def test_account_that_becomes_a_bot_leaves_its_pool(world: World) -> None:
    anna = await world.member()
    await world.lobby.pool_join(anna, PoolKey("3+2", rated=False))
    await world.lobby.seek(anna, wanted())
    bot = await become_bot(world.pool, anna)
    await heard(world, bot)
    assert await world.waiting() == {}
    assert [dict(message) for message in world.messages(anna, "pool.gone")] == [{"t": "pool.gone", "why": "left"}]
    assert len(world.listed()) == 1
    # By a socket that does not know it yet.
    assert await code(world.lobby.pool_join(anna, PoolKey("3+2", rated=False))) == "forbidden"


async def test_player_being_seated_cannot_become_a_bot(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bert = await world.member(), await world.guest()
    challenge = (await world.lobby.challenge(bert, wanted()))["challenge"]
    slow = SlowServer(world, monkeypatch)
    accepting = asyncio.create_task(world.lobby.challenge_accept(anna, challenge))
    await slow.reached.wait()
    changing = asyncio.create_task(become_bot(world.pool, anna))
    await until_blocked(world)
    slow.go_on.set()
    await accepting
    with pytest.raises(Conflict):
        await changing


async def test_deleting_an_account_waits_for_an_acceptance_in_progress(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The acceptance has locked the challenge and then locks both people: deletion must lock in the same order."""
    anna, bert = await world.member(), await world.guest()
    challenge = (await world.lobby.challenge(anna, wanted(), to=bert.name))["challenge"]
    slow = SlowServer(world, monkeypatch)
    accepting = asyncio.create_task(world.lobby.challenge_accept(bert, challenge, key="k"))
    await slow.reached.wait()
    leaving = asyncio.create_task(delete_account(world.pool, anna))
    await until_blocked(world)
    slow.go_on.set()
    assert set(await accepting) == {"g"}
    with pytest.raises(Conflict, match="finish or resign"):
        await leaving
    await world.finish()
    await delete_account(world.pool, anna)


@pytest.mark.parametrize("status", ["created", "running"])
async def test_account_with_an_open_simul_cannot_be_deleted(world: World, status: str) -> None:
    host, player = await world.member(), await world.member()
    await world.pool.execute(
        "INSERT INTO simul (id, host, name, setup, status) VALUES ('left', $1, 'Friday', '{}', $2)", host.id, status
    )
    await world.pool.execute("INSERT INTO simul_player VALUES ('left', $1)", player.id)
    for person in (host, player):
        with pytest.raises(Conflict, match="simuls"):
            await delete_account(world.pool, person)
    await world.pool.execute("UPDATE simul SET status = 'finished'")
    for person in (host, player):
        await delete_account(world.pool, person)


async def test_reported_lines_of_a_deleted_account_get_the_replacement_name(world: World) -> None:
    anna, bert, carl = await world.member(), await world.member(), await world.member()

    def line(user: User, text: str) -> ChatLineWire:
        wire = msgspec.to_builtins(user)
        return {"user": wire, "text": text, "at": 1}

    lines = [line(anna, "one"), line(bert, "two"), line(anna, "three")]
    await add_report(world.pool, carl, NewReport(bert, None, "chat", "listen", lines))
    await add_report(world.pool, carl, NewReport(anna, None, "other", "nothing was said"))
    gone, _ = await delete_account(world.pool, anna)
    stored = await world.pool.fetch("SELECT lines FROM report ORDER BY subject = $1", anna.id)
    assert [(said["user"]["name"], said["text"]) for said in stored[0]["lines"]] == [
        (gone.name, "one"),
        (bert.name, "two"),
        (gone.name, "three"),
    ]
    assert stored[1]["lines"] == []
    assert anna.name not in str([dict(row) for row in stored])
