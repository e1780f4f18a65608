"""Lobby when its leader dies, is suspended, leaves or is unreachable."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from lobby.errors import Forbidden, Unavailable
from lobby.pools.pools import PoolKey
from realtime.cluster.bus.bus import Exchange
from realtime.cluster.lobby.lobby_requests import CALLS
from tests.realtime.cluster.lobbies import Member, Watcher, members
from tests.realtime.cluster.lobby.test_lobby_leader import wanted
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from lobby.accounts.user import User
    from lobby.lobby import Lobby
    from realtime.cluster.lobby.lobby_requests import LobbyRequest
    from realtime.postgres.database import Pool

HALF_AN_HOUR_S = 1800
"""Less than what a clock is wrong by, and more than any of this takes."""


@pytest.fixture
def exchange() -> Exchange:
    return Exchange()


@pytest.fixture
async def three(database_url: str, pool: Pool, exchange: Exchange) -> AsyncIterator[list[Member]]:
    async with members(database_url, pool, "a", "b", "c", exchange=exchange) as found:
        yield found


async def seeker(node: Member, **fields: object) -> tuple[User, Watcher, str]:
    user, socket = await node.user()
    return user, socket, (await node.client.seek(user, wanted(**fields)))["seek"]


async def leader_of(nodes: list[Member]) -> Member:
    """Wait until one of them has taken the role and the others follow it."""

    async def is_found() -> bool:
        for node in nodes:
            await node.cluster.look()
            await node.leader.look()
        return {node.leader.holder for node in nodes} <= {node.name for node in nodes}

    await until(is_found)
    (leader,) = (node for node in nodes if node.leader.is_here)
    return leader


async def test_stored_lobby_survives_its_leader(three: list[Member]) -> None:
    a, b, c = three
    anna, at_b, seek = await seeker(b, color="w")
    watcher = c.sit(None)
    await c.watch(watcher)
    old_seq = watcher.said("lobby")[0]["seq"]
    bert, _ = await c.user()
    await c.client.pool_join(bert, PoolKey("3+2", rated=False))
    await until(lambda: all(len(node.people.everybody()) == 2 for node in three))
    await a.crash()
    leader = await leader_of([b, c])
    await until(lambda: len(watcher.said("lobby")) > 1)
    assert watcher.seeks() == [seek]
    assert watcher.said("lobby")[1]["seq"] > old_seq
    carl, _ = await c.user()
    await b.client.pool_join(anna, PoolKey("3+2", rated=False))
    await leader.leader.tick()
    await until(lambda: bool(at_b.said("paired")))
    assert await c.pool.fetchval("SELECT count(*) FROM game") == 1
    with pytest.raises(Exception, match="there is no seek"):
        await c.client.accept(carl, "x")


async def test_leader_dies_during_pairing(three: list[Member]) -> None:
    a, b, c = three
    _, at_b, seek = await seeker(b, color="w")
    bert, at_c = await c.user()
    a.server.is_open.clear()
    accepting = asyncio.create_task(c.client.accept(bert, seek, key="k"))
    await a.server.starting.wait()
    await a.crash()
    await leader_of([b, c])
    game = (await accepting)["g"]
    await until(lambda: bool(at_b.said("paired") and at_c.said("paired")))
    assert [row["id"] for row in await c.pool.fetch("SELECT id FROM game")] == [game]
    assert await c.pool.fetchval("SELECT count(*) FROM seek") == 0


async def test_suspended_leader_decides_nothing(three: list[Member]) -> None:
    a, b, c = three
    anna, _ = await a.user()
    await a.fall_asleep()
    await b.cluster.look()
    await b.leader.look()
    assert b.leader.is_here
    assert a.leader.is_here, "it has not heard of it"
    await a.wake_up()
    # Its requests go to the new leader.
    seek = (await a.client.seek(anna, wanted(color="w")))["seek"]
    assert not a.leader.is_here
    assert b.leader.lobby.is_looking(anna.id)
    bert, _ = await c.user()
    await c.client.accept(bert, seek)
    assert not a.server.opened_games
    assert len(b.server.opened_games) == 1


async def test_takeover_waits_for_open_decision(three: list[Member]) -> None:
    a, b, _ = three
    _, _, seek = await seeker(a, color="w")
    bert, _ = await a.user()
    a.server.is_open.clear()
    accepting = asyncio.create_task(a.client.accept(bert, seek))
    await a.server.starting.wait()
    await a.fall_asleep()
    await b.cluster.look()
    taking = asyncio.create_task(b.leader.look())
    done, _ = await asyncio.wait([taking], timeout=0.2)
    assert not done
    a.server.is_open.set()
    game = (await accepting)["g"]
    await taking
    assert b.leader.is_here
    assert not b.leader.lobby.snapshot(games=0, online=0)["seeks"]
    assert await a.pool.fetchval("SELECT id FROM game") == game


async def test_new_node_waits_for_open_decision_of_single_leader(database_url: str, pool: Pool) -> None:
    exchange = Exchange()
    async with members(database_url, pool, "a", exchange=exchange) as (a,):
        assert a.cluster.is_alone
        _, _, seek = await seeker(a, color="w")
        bert, _ = await a.user()
        a.server.is_open.clear()
        accepting = asyncio.create_task(a.client.accept(bert, seek))
        await a.server.starting.wait()
        await a.fall_asleep()
        b = Member(database_url, pool, "b", exchange)
        coming = asyncio.create_task(b.come())
        done, _ = await asyncio.wait([coming], timeout=0.2)
        assert not done
        a.server.is_open.set()
        await accepting
        await coming
        assert b.leader.is_here
        assert not b.leader.lobby.snapshot(games=0, online=0)["seeks"]
        await b.die()


async def test_leaving_leader_hands_over_at_once(three: list[Member]) -> None:
    a, b, c = three
    anna, _, seek = await seeker(a, color="w")
    watchers = [node.sit(None) for node in (a, b, c)]
    for node, watcher in zip((a, b, c), watchers, strict=True):
        await node.watch(watcher)
    asked = [asyncio.create_task(node.client.seek(anna, wanted(color="w"), key=node.name)) for node in (a, b, c)]
    await a.leader.release()
    seeks = {seek} | {(await task)["seek"] for task in asked}
    assert len(seeks) == 4
    await until(lambda: all(set(watcher.seeks()) == seeks for watcher in watchers))
    assert not a.leader.is_here
    last = (await a.client.seek(anna, wanted(color="w")))["seek"]
    await until(lambda: all(set(watcher.seeks()) == seeks | {last} for watcher in watchers))


async def test_lost_lobby_events_are_repaired(three: list[Member], exchange: Exchange) -> None:
    a, b, c = three
    watchers = [b.sit(None), c.sit(None)]
    await b.watch(watchers[0])
    await c.watch(watchers[1])
    anna, _ = await a.user()
    seeks = [(await a.client.seek(anna, wanted(color="w")))["seek"]]
    await until(lambda: watchers[0].seeks() == seeks)
    exchange.is_lost = lambda sender, node, data: node == "b"
    seeks.append((await a.client.seek(anna, wanted(color="w")))["seek"])
    await until(lambda: watchers[1].seeks() == seeks)
    exchange.is_lost = lambda sender, node, data: False
    seeks.append((await a.client.seek(anna, wanted(color="w")))["seek"])
    await until(lambda: watchers[0].seeks() == seeks and watchers[1].seeks() == seeks)
    assert len(watchers[0].said("lobby")) == 2
    assert len(watchers[1].said("lobby")) == 1


async def test_client_ahead_of_replica_gets_no_older_state(three: list[Member], exchange: Exchange) -> None:
    a, b, c = three
    at_b, at_c = b.sit(None), c.sit(None)
    await b.watch(at_b)
    await c.watch(at_c)
    anna, _ = await a.user()
    exchange.is_lost = lambda sender, node, data: node == "b"
    seek = (await a.client.seek(anna, wanted(color="w")))["seek"]
    await until(lambda: at_c.seeks() == [seek])
    seen = at_c.said("lobby.add")[0]["seq"]
    exchange.is_lost = lambda sender, node, data: False
    moving = b.sit(None)
    await b.watch(moving, from_seq=seen)
    assert [message["seq"] for message in moving.heard] == [seen] * len(moving.heard)
    # A number that no client can have seen is not waited for.
    liar = b.sit(None)
    await b.watch(liar, from_seq=seen + 10**9)
    assert liar.seeks() == [seek]


async def test_client_of_new_leader_is_not_shown_the_old_one(
    three: list[Member], exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("realtime.cluster.lobby.lobby_relay.FETCHED_S", 0.0)
    # Numbers begin by the time, and where the role is taken within milliseconds they are but a few more.
    monkeypatch.setattr("realtime.cluster.lobby.lobby_relay.AHEAD", 0)
    a, b, c = three
    await b.watch(b.sit(None))
    await a.crash()
    exchange.is_lost = lambda sender, node, data: node == "b"
    await leader_of([c])
    at_c = c.sit(None)
    await c.watch(at_c)
    seen = at_c.said("lobby")[0]["seq"]
    assert b.lobby.relay.seq < seen
    exchange.is_lost = lambda sender, node, data: False
    moving = b.sit(None)
    await b.watch(moving, from_seq=seen)
    assert all(message["seq"] >= seen for message in moving.heard if "seq" in message)


async def test_lost_answer_of_leader_repeats_no_action(
    three: list[Member], exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("realtime.cluster.lobby.lobby_client.REQUEST_TIMEOUT_S", 0.2)
    a, b, _ = three
    anna, _ = await b.user()
    is_deaf, questions = True, 0

    def lose(sender: str, node: str, data: bytes) -> bool:
        nonlocal questions
        questions += sender == "b" and b"lobby.do" in data
        return is_deaf and (sender, node) == ("a", "b")

    exchange.is_lost = lose
    asking = asyncio.create_task(b.client.seek(anna, wanted(color="w"), key="k"))
    await until(lambda: questions == 2)
    is_deaf = False
    seek = (await asking)["seek"]
    assert [row["id"] for row in await a.pool.fetch("SELECT id FROM seek")] == [seek]
    # Without a key the result is unknown; the request is not repeated.
    monkeypatch.setattr("realtime.cluster.lobby.lobby_client.WAIT_S", 0.4)
    is_deaf = True
    with pytest.raises(Unavailable, match="check the state before you try again"):
        await b.client.seek(anna, wanted(color="w"))
    assert await a.pool.fetchval("SELECT count(*) FROM seek") == 2


async def test_busy_leader_is_waited_for(three: list[Member], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realtime.cluster.lobby.lobby_client.REQUEST_TIMEOUT_S", 0.05)
    _, b, _ = three
    seeking = CALLS["seek"]

    async def slowly(lobby: Lobby, asked: LobbyRequest) -> Any:
        await asyncio.sleep(0.2)  # longer than an answer is waited for before a question is put again
        return await seeking(lobby, asked)

    monkeypatch.setitem(CALLS, "seek", slowly)
    anna, _ = await b.user()
    seek = (await b.client.seek(anna, wanted(color="w")))["seek"]
    assert [row["id"] for row in await b.pool.fetch("SELECT id FROM seek")] == [seek]


async def test_repeated_request_to_busy_leader_is_queued_once(
    three: list[Member], exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise each request that waits longer than the timeout would be queued twice and wait twice as long."""
    monkeypatch.setattr("realtime.cluster.lobby.lobby_client.REQUEST_TIMEOUT_S", 0.05)
    _, b, _ = three
    seeking, may_go = CALLS["seek"], asyncio.Event()
    questions = begun = 0

    def count(sender: str, node: str, data: bytes) -> bool:
        nonlocal questions
        questions += sender == "b" and b"lobby.do" in data
        return False

    async def slowly(lobby: Lobby, asked: LobbyRequest) -> Any:
        nonlocal begun
        begun += 1
        await may_go.wait()
        return await seeking(lobby, asked)

    monkeypatch.setitem(CALLS, "seek", slowly)
    exchange.is_lost = count
    anna, _ = await b.user()
    asking = asyncio.create_task(b.client.seek(anna, wanted(color="w"), key="k"))
    await until(lambda: questions == 4)  # the requests before have reached the leader
    assert begun == 1
    may_go.set()
    seek = (await asking)["seek"]
    assert [row["id"] for row in await b.pool.fetch("SELECT id FROM seek")] == [seek]
    # A refusal is not remembered for its key.
    with pytest.raises(Forbidden):
        await b.client.seek(anna, wanted(rated=True), key="another")
    assert (await b.client.seek(anna, wanted(color="b"), key="another"))["seek"] != seek


async def test_new_leader_knows_who_is_present(three: list[Member]) -> None:
    a, b, c = three
    anna, _, hers = await seeker(b, color="w")
    bert, at_a, his = await seeker(a, color="w")
    await until(lambda: all(len(node.people.everybody()) == 2 for node in three))
    await a.crash()
    leader = await leader_of([b, c])
    book = leader.leader.lobby._book
    now_ms = leader.leader.lobby._now_ms()
    assert book.due(now_ms) == []
    assert book.due(now_ms + 40_000) == [his]
    carl, _ = await c.user()
    await c.client.accept(carl, hers)
    assert anna.id != bert.id
    assert not at_a.said("paired")


async def test_leader_continues_after_short_loss_of_lease(three: list[Member]) -> None:
    a, b, _ = three
    _, _, seek = await seeker(a, color="w")
    lobby = a.leader.lobby
    await a.fall_asleep()
    await a.wake_up()
    await a.leader.look()
    assert a.leader.is_here
    assert a.leader.lobby is lobby
    bert, _ = await b.user()
    await b.client.accept(bert, seek)


async def test_two_candidates_make_one_leader(three: list[Member]) -> None:
    a, b, c = three
    await a.crash()
    await asyncio.gather(b.cluster.look(), c.cluster.look())
    await asyncio.gather(b.leader.look(), c.leader.look())
    await leader_of([b, c])
    assert b.leader.is_here != c.leader.is_here
    assert b.leader.holder == c.leader.holder


@pytest.mark.parametrize("ahead_s", [(-3600, 3600), (3600, -3600)], ids=["from slow to fast", "from fast to slow"])
async def test_expiry_in_lobby_uses_database_clock(database_url: str, pool: Pool, ahead_s: tuple[int, int]) -> None:
    """The ages of seeks, challenges and pool members are by the database's clock, which all nodes use."""
    async with members(database_url, pool, "a", "b", ahead_s=ahead_s) as (a, b):
        anna, at_b, seek = await seeker(b, color="w")
        bert, bert_at_b = await b.user()
        challenge = (await b.client.challenge(anna, wanted(), to=bert.name))["challenge"]
        await b.client.pool_join(bert, PoolKey("3+2", rated=False))
        await until(lambda: bert_at_b.said("challenge") != [])
        await a.crash()
        leader = await leader_of([b])
        await leader.leader.tick()
        watcher = b.sit(None)
        await b.watch(watcher)
        assert watcher.seeks() == [seek]
        assert at_b.said("lobby.gone") == []
        assert [one["t"] for one in await b.client.challenges_of(bert)] == ["challenge"]
        card = await b.client.challenge_card(challenge)
        assert card is not None
        assert card["status"] == "open"
        (waiter,) = leader.leader.lobby._pools._waiting.values()
        assert abs(leader.leader.lobby._now_ms() - waiter.since_ms) < HALF_AN_HOUR_S * 1000
        for instant in (
            "created_at) FROM seek",
            "since) FROM waiting",
            "(expires_at - interval '14 days')) FROM challenge",
        ):
            age_s = await pool.fetchval(f"SELECT extract(epoch FROM now() - {instant}")
            assert abs(age_s) < HALF_AN_HOUR_S
