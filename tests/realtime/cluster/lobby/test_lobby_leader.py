"""Lobby of several nodes: requests at any node, decisions at the leader, events at all nodes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from game_core.errors import Refusal
from lobby.errors import Conflict, Forbidden
from lobby.pools.pools import PoolKey
from lobby.proposals import Proposal
from realtime.cluster.lobby.lobby_relay import SnapshotQuery, SnapshotReply
from tests.realtime.cluster.lobbies import Member, members
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.cluster.bus.cluster import Answer
    from realtime.postgres.database import Pool

BLITZ = {"base_s": 180, "inc_s": 2}


def wanted(**fields: object) -> Proposal:
    return Proposal(**({"tc": BLITZ} | fields))  # type: ignore[arg-type]  # as they are named


@pytest.fixture
async def three(database_url: str, pool: Pool) -> AsyncIterator[list[Member]]:
    async with members(database_url, pool, "a", "b", "c") as found:
        yield found


async def test_seek_of_one_node_is_accepted_at_another(three: list[Member]) -> None:
    a, b, c = three
    (anna, at_b), (bert, at_c) = await b.user(), await c.user()
    seek = (await b.client.seek(anna, wanted(color="w")))["seek"]
    game = (await c.client.accept(bert, seek))["g"]
    await until(lambda: bool(at_b.heard and at_c.heard))
    assert at_b.said("paired")[0]["g"] == at_c.said("paired")[0]["g"] == game
    assert [(game.white.id, game.black.id) for game in a.server.opened_games] == [(anna.id, bert.id)]


async def test_player_who_just_connected_is_paired_at_once(
    three: list[Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("realtime.cluster.bus.replicated_feed.BATCH_INTERVAL_S", 3600.0)
    _, b, c = three
    (anna, _), (bert, _) = await b.user(), await c.user()
    assert "g" not in await b.client.seek(anna, wanted(color="w"))
    assert "g" in await c.client.seek(bert, wanted(color="b"))


async def test_remote_refusal_is_same_as_local(three: list[Member]) -> None:
    _, b, _ = three
    anna, _ = await b.user()
    seek = (await b.client.seek(anna, wanted()))["seek"]
    with pytest.raises(Forbidden, match="your own seek"):
        await b.client.accept(anna, seek)


async def test_only_one_acceptor_wins_a_seek(three: list[Member]) -> None:
    a, b, c = three
    anna, _ = await a.user()
    racers = [(node, (await node.user())[0]) for node in (a, b, c) for _ in range(4)]
    for _ in range(3):
        seek = (await c.client.seek(anna, wanted(color="w")))["seek"]
        outcomes = await asyncio.gather(
            *(node.client.accept(racer, seek) for node, racer in racers), return_exceptions=True
        )
        refusals = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        assert len(refusals) == len(racers) - 1
        assert all(isinstance(refusal, Conflict) for refusal in refusals)


async def test_same_key_at_several_nodes_gets_one_answer(three: list[Member]) -> None:
    a, b, c = three
    anna, _ = await a.user()
    answers = await asyncio.gather(*(node.client.seek(anna, wanted(), key="k") for node in (a, b, c, b, c)))
    assert len({answer["seek"] for answer in answers}) == 1
    assert await a.pool.fetchval("SELECT count(*) FROM seek") == 1
    assert await c.client.reply_to(anna, "k") == answers[0]


async def test_challenge_reaches_player_at_another_node(three: list[Member]) -> None:
    _, b, c = three
    (anna, at_b), (bert, at_c) = await b.user(), await c.user()
    challenge = (await b.client.challenge(anna, wanted(), to=bert.name))["challenge"]
    await until(lambda: bool(at_c.said("challenge")))
    assert [one["t"] for one in await c.client.challenges_of(bert)] == ["challenge"]
    card = await c.client.challenge_card(challenge)
    assert card is not None
    assert card["status"] == "open"
    game = (await c.client.challenge_accept(bert, challenge))["g"]
    await until(lambda: bool(at_b.said("paired")))
    assert at_b.said("paired")[0]["g"] == game


async def test_pool_wave_pairs_players_of_two_nodes(three: list[Member]) -> None:
    a, b, c = three
    (anna, at_b), (bert, at_c) = await b.user(), await c.user()
    await until(lambda: len(a.people.everybody()) == 2)
    await b.client.pool_join(anna, PoolKey("3+2", rated=False))
    await c.client.pool_join(bert, PoolKey("3+2", rated=False))
    again = b.sit(anna)
    b.client.waiting.notify(anna.id, again.send)
    await until(lambda: bool(again.said("pool")))
    await a.leader.tick()
    await until(lambda: bool(at_b.said("paired") and at_c.said("paired")))
    assert at_b.said("paired")[0]["g"] == at_c.said("paired")[0]["g"]
    assert await a.pool.fetchval("SELECT count(*) FROM game") == 1
    assert [message["t"] for message in at_b.heard] == ["pool", "pool.gone", "paired"]


async def test_a_waiter_of_one_node_is_seen_and_taken_at_another(three: list[Member]) -> None:
    a, b, c = three
    (anna, at_b), (bert, at_c) = await b.user(), await c.user()
    await c.watch(at_c)
    place = PoolKey("5+0", rated=False, game="draughts", variant="russian")
    await b.client.pool_join(anna, place)
    for _ in range(2):
        a.lobby.relay.tick()
    await until(lambda: any("pools" in count for count in at_c.said("lobby.count")))
    assert [told["card"]["user"]["id"] for told in at_c.said("lobby.waiter")] == [anna.id]
    assert [count["pools"] for count in at_c.said("lobby.count") if "pools" in count] == [{"russian 5+0": [1, 0, 0]}]
    later = c.sit(None)
    await c.watch(later)
    assert [card["user"]["id"] for card in later.said("lobby")[0]["waiters"]] == [anna.id]
    game = (await c.client.pool_take(bert, anna.id, place, key="k"))["g"]
    await until(lambda: bool(at_b.said("paired")))
    assert at_b.said("paired")[0]["g"] == game == (await b.client.pool_take(bert, anna.id, place, key="k"))["g"]
    with pytest.raises(Conflict):
        await b.client.pool_take((await b.user())[0], anna.id, place)


async def test_new_pool_member_is_notified_once(three: list[Member]) -> None:
    """Their node asks the leader about them just after they came, when the leader has told them already."""
    _, b, c = three
    (anna, at_b), (bert, at_c) = await b.user(), await c.user()
    b.client.waiting.notify(anna.id, at_b.send)
    c.client.waiting.notify(bert.id, at_c.send)
    await b.client.pool_join(anna, PoolKey("3+2", rated=False))
    await c.client.pool_join(bert, PoolKey("3+2", rated=False))
    await c.client.pool_leave(bert)
    await until(lambda: b.client.waiting.is_idle and c.client.waiting.is_idle)
    assert [message["t"] for message in at_b.heard] == ["pool"]
    assert [message["t"] for message in at_c.heard] == ["pool", "pool.gone"]


async def test_subscribers_at_all_nodes_see_the_same_lobby(three: list[Member]) -> None:
    a, b, c = three
    anna, _ = await b.user()
    first = (await b.client.seek(anna, wanted(color="w")))["seek"]
    watchers = [node.sit(None) for node in (a, b, c, b)]
    for node, watcher in zip((a, b, c, b), watchers, strict=True):
        await node.watch(watcher)
    assert [watcher.seeks() for watcher in watchers] == [[first]] * 4
    second = (await c.client.seek(anna, wanted(color="w")))["seek"]
    await until(lambda: all(watcher.seeks() == [first, second] for watcher in watchers))
    await a.client.unseek(anna, first)
    await until(lambda: all(watcher.seeks() == [second] for watcher in watchers))
    again = b.sit(None)
    await b.watch(again, from_seq=watchers[0].said("lobby.add")[0]["seq"])
    assert [message["t"] for message in again.heard] == ["ok", "lobby.gone"]


async def test_late_subscriber_gets_current_lobby_only(three: list[Member]) -> None:
    _, b, c = three
    early, delayed = b.sit(None), b.sit(None)
    await b.watch(early)
    anna, _ = await c.user()
    first = (await c.client.seek(anna, wanted(color="w")))["seek"]
    second = (await c.client.seek(anna, wanted(color="b")))["seek"]
    await c.client.unseek(anna, first)
    await until(lambda: len(early.said("lobby.gone")) == 1)
    await b.watch(delayed)
    assert [message["t"] for message in delayed.heard] == ["ok", "lobby"]
    assert delayed.seeks() == [second]


async def test_simultaneous_subscribers_share_one_request_to_leader(
    three: list[Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b, _ = three
    asked = 0
    answer = a.lobby.relay._answer_look

    def counted(query: SnapshotQuery, take: Answer) -> None:
        nonlocal asked
        asked += 1
        answer(query, take)

    monkeypatch.setattr(a.lobby.relay, "_answer_look", counted)
    watchers = [b.sit(None) for _ in range(50)]
    await asyncio.gather(*(b.watch(watcher) for watcher in watchers))
    assert all(watcher.said("lobby") for watcher in watchers)
    assert asked == 1


async def test_player_in_a_game_stops_seeking(three: list[Member]) -> None:
    a, b, _ = three
    anna, _ = await b.user()
    await b.client.pool_join(anna, PoolKey("3+2", rated=False))
    assert b.client.is_looking(anna.id)
    await b.client.sits_down(anna.id)
    assert not a.client.is_looking(anna.id)


async def test_request_is_refused_if_no_node_leads_the_lobby(
    three: list[Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b, c = three
    monkeypatch.setattr("realtime.cluster.lobby.lobby_client.WAIT_S", 0.3)
    anna, _ = await b.user()
    for node in (a, b, c):
        node.leader._may_take = False
    await a.leader.release()
    with pytest.raises(Refusal, match="no server runs the lobby"):
        await b.client.seek(anna, wanted())


async def test_snapshot_for_a_node_of_an_earlier_version_has_nothing_that_it_would_not_update(
    three: list[Member],
) -> None:
    a, b, _ = three
    for query, has_waiters in ((SnapshotQuery(), False), (SnapshotQuery(waiters=True), True)):
        reply = await b.cluster.request(a.name, "lobby.look", query, SnapshotReply)
        shown = msgspec.msgpack.decode(reply.payload)
        assert shown["seq"] == reply.seq
        assert {"waiters", "pools"} <= shown.keys() if has_waiters else not {"waiters", "pools"} & shown.keys()
    watcher = b.sit(None)
    await b.watch(watcher)
    assert watcher.said("lobby")[0]["waiters"] == []
