"""Simuls by HTTP at a node that does not lead them."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import pytest

from game_core.errors import Refusal
from realtime.simuls.live import reading
from realtime.simuls.live.reading import ReadRequest
from realtime.simuls.store.simul_lists import list_simuls
from tests.realtime.cluster.simul_nodes import Nodes, nodes
from tests.realtime.simuls.replica.test_simul_replicas import Evening, evening
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.postgres.database import Pool

DELAY_S = 60


@pytest.fixture
async def two(pool: Pool, database_url: str) -> AsyncIterator[Nodes]:
    async with nodes(pool, database_url, "a", "c", "b", apart_ms=0) as two:
        yield two


async def read(nodes: Nodes, party: Evening, at: str, what: Any, user: str | None = None) -> bytes:
    return await nodes[at].house.simuls.reading.whole(ReadRequest(simul=party.simul, what=what, user=user))


@pytest.mark.parametrize("what", ["shown", "table.json", "table.csv"])
async def test_reading_at_other_node_equals_leader(two: Nodes, monkeypatch: pytest.MonkeyPatch, what: Any) -> None:
    monkeypatch.setattr(reading, "PIECE_BYTES", 100)
    party = await evening(two, host_at="b")
    await party.host.ask("start", simul=party.simul)
    await party.play(1, "e2e4", 0)
    await party.all_have()
    player = party.players[0].user
    assert player is not None
    for socket in party.all:
        socket.leave()
    for at in two.by_name.values():
        at.house.simuls.tick()
    for user in (None, player.id):
        here = await read(two, party, "a", what, user)
        for name in "bc":
            assert two[name].house.simuls.replicas is not None
            assert two[name].house.simuls.replicas.peek(party.simul) is None  # type: ignore[union-attr]  # there is
            there = await read(two, party, name, what, user)
            if what == "shown":
                assert {**json.loads(there), "watchers": 0} == {**json.loads(here), "watchers": 0}
            else:
                assert there == here
    with pytest.raises(Refusal, match="no such"):
        await two["b"].house.simuls.reading.whole(ReadRequest(simul="nobody12", what=what, user=None))


async def test_stream_of_games_is_forwarded(two: Nodes) -> None:
    party = await evening(two, host_at="b")
    await party.host.ask("start", simul=party.simul)
    wanted = ReadRequest(simul=party.simul, what="games", user=None, address="https://chess.example/game")
    async with aclosing(two["c"].house.simuls.reading.pieces(wanted)) as pieces:
        assert await anext(pieces) == b"\n"
        boards = [await anext(pieces) for _ in range(3)]
        assert all(b"https://chess.example/game/" in board for board in boards)
        await party.play(2, "d2d4", 0)
        assert b"1. d4" in await anext(pieces)
    leader = two["a"].house.simuls
    await until(lambda: not leader.reading._opened and not leader.broadcasts._broadcasts)


async def test_stream_ends_with_the_leader(two: Nodes) -> None:
    party = await evening(two, host_at="b")
    await party.host.ask("start", simul=party.simul)
    async with aclosing(
        two["c"].house.simuls.reading.pieces(ReadRequest(simul=party.simul, what="games", user=None))
    ) as pieces:
        for _ in range(4):
            await anext(pieces)
        await two.kill("a")
        assert [piece async for piece in pieces] == []


async def test_hidden_results_are_hidden_at_every_node(two: Nodes) -> None:
    party = await evening(two, host_at="b", delay_s=DELAY_S)
    await party.host.ask("start", simul=party.simul)
    player = party.players[0].user
    assert player is not None
    for name in "abc":
        with pytest.raises(Refusal, match="public"):
            await read(two, party, name, "table.json")
        assert json.loads(await read(two, party, name, "table.json", player.id))["boards"]
        assert json.loads(await read(two, party, name, "shown"))["boards"] == []


async def test_list_lines_equal_those_of_the_leader(two: Nodes) -> None:
    party = await evening(two, host_at="b")
    await party.host.ask("start", simul=party.simul)
    rows = [row for row in await list_simuls(two.pool, "running", None, None, 50) if row.id == party.simul]
    (here,) = await two["a"].house.simuls.listing.cards(rows)
    assert here["score"]["live"] == 3
    for name in "bc":
        assert await two[name].house.simuls.listing.cards(rows) == [here]
    await two.kill("a")
    (line,) = await two["b"].house.simuls.listing.cards(rows)
    assert line["simul"] == party.simul


async def test_open_simuls_of_all_nodes_are_listed(two: Nodes) -> None:
    party = await evening(two, host_at="b")
    other = await evening(two, host_at="b", created_at="c")
    for at in two.by_name.values():
        at.house.simuls.tick()
    wanted = [other.simul, party.simul]
    for at in two.by_name.values():
        await until(lambda at=at: sorted(card["simul"] for card in at.house.simuls.open_cards()) == sorted(wanted))
    await two.kill("a")
    assert [card["simul"] for card in two["b"].house.simuls.open_cards()] == [other.simul]
