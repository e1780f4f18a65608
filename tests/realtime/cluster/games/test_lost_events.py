"""Lost messages between nodes: each client still sees every event once and in order."""

from __future__ import annotations

import asyncio
from itertools import cycle
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game_core.time_control import parse_time_control
from realtime.cluster.bus.bus import Exchange
from realtime.cluster.games import forward
from tests.realtime.cluster.fleet import Member, Socket, fleet
from tests.realtime.cluster.meeting import end_lease
from tests.realtime.until import until

if TYPE_CHECKING:
    from realtime.postgres.database import Pool

MOVES = ("g1f3", "g8f6", "f3g1", "f6g8") * 4
"""Knights go out and come back."""


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    losses=st.lists(st.booleans(), min_size=1, max_size=12).filter(lambda losses: not all(losses)),
    steps=st.lists(st.sampled_from(["move", "move", "pass", "evict", "come", "gap"]), min_size=4, max_size=16),
)
async def test_spectators_see_all_events_in_order(
    database_url: str, pool: Pool, losses: list[bool], steps: list[str]
) -> None:
    exchange = Exchange()
    async with fleet(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        new = await a.new_game()
        white, black = Socket(a, new.white), Socket(a, new.black)
        watchers = [Socket(b, None)]
        for socket in (white, black, *watchers):
            await socket.sub(new.id)
        pattern = cycle(losses)
        exchange.is_lost = lambda sender, node, data: next(pattern)
        ply = 0
        for step in steps:
            if step == "move":
                await (white, black)[ply % 2].ask("move", g=new.id, ply=ply, move=MOVES[ply])
                ply += 1
            elif step == "evict":
                forget(b, new.id)
            elif step == "come":
                watchers.append(Socket(b, None))
                await watchers[-1].sub(new.id)
            elif step == "gap":
                b.games.replicas._missed("a")
            else:
                await asyncio.sleep(0.01)
        exchange.is_lost = lambda sender, node, data: False
        await b.tables.get(new.id)
        await until(lambda: b.table(new.id).game.seq == ply)
        assert b.table(new.id).game.moves == MOVES[:ply] == a.table(new.id).game.moves
        for watcher in watchers:
            first = next(body["seq"] for body in watcher.heard if body["t"] == "game")
            assert watcher.seqs() == list(range(first + 1, ply + 1))


def forget(node: Member, game: str) -> None:
    """The table leaves memory; who listens stays."""
    table = node.tables.peek(game)
    if table is not None:
        node.tables.evict(table)


@pytest.mark.parametrize("deaf", ["a", "b"], ids=["the question", "the answer"])
async def test_lost_request_is_repeated_as_soon_as_gap_is_known(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch, deaf: str
) -> None:
    """Otherwise a player would wait for a lost answer while their clock runs. Nothing is done twice."""
    monkeypatch.setattr(forward, "ANSWER_S", 1000.0)
    monkeypatch.setattr(forward, "REQUEST_TIMEOUT_S", 1000.0)
    exchange = Exchange()
    async with fleet(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        new = await a.new_game()
        white, black = Socket(a, new.white), Socket(b, new.black)
        await white.sub(new.id)
        await black.sub(new.id)
        await white.ask("move", g=new.id, ply=0, move="e2e4")
        await until(lambda: black.seqs() == [1])
        exchange.is_lost = lambda sender, node, data: node == deaf
        number = black.request("move", g=new.id, ply=1, move="e7e5")
        if deaf == "b":
            await until(lambda: white.seqs() == [1, 2])
        else:
            await until(lambda: bool(b.cluster._requests))
        for _ in range(5):
            await asyncio.sleep(0)
        exchange.is_lost = lambda sender, node, data: False
        await until(lambda: any(body.get("id") == number for body in black.heard))
        answer = next(body for body in black.heard if body.get("id") == number)
        assert (answer["t"], answer["seq"]) == ("ok", 2)
        await until(lambda: white.seqs() == black.seqs() == [1, 2])
        assert not b.cluster._requests


async def test_request_done_by_dead_owner_is_not_repeated(database_url: str, pool: Pool) -> None:
    """This holds without a key, too: the answer was lost, and this node has become the owner."""
    exchange = Exchange()
    async with fleet(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        new = await a.new_game(parse_time_control({"base_s": 600, "inc_s": 0}))
        white, black = Socket(a, new.white), Socket(b, new.black)
        await white.sub(new.id)
        await black.sub(new.id)
        for ply, socket in enumerate((white, black)):
            await socket.ask("move", g=new.id, ply=ply, move=MOVES[ply])
        exchange.is_lost = lambda sender, node, data: node == "b"
        number = black.request("moretime", g=new.id, seconds=15)
        await until(lambda: white.seqs() == [1, 2, 3])
        exchange.is_lost = lambda sender, node, data: True
        await end_lease(a.node, pool)
        await b.cluster.look()
        await until(lambda: any(body.get("id") == number for body in black.heard))
        answer = next(body for body in black.heard if body.get("id") == number)
        assert (answer["t"], answer["seq"]) == ("ok", 3)
        assert b.table(new.id).game.gifts == (0, 1)
