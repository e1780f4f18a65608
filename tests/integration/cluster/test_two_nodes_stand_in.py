"""A stand-in at another server than the one that leads the simul. That server is killed while they play."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest

from tests.integration.cluster.simul_on_two_nodes import (
    MOVES,
    evening,
    has_all,
    heard,
    insist,
    insisting,
    led_anew,
    sees,
)
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from tests.integration.running_simul import RunningSimul
    from tests.integration.two_nodes import Pair


async def taken_over(party: RunningSimul, deputy: Client) -> None:
    """Name the stand-in, who takes over from the host."""
    await party.ask("edit", stand_in=deputy.welcome["user"]["name"])
    await party.event("you", deputy, you="stand_in")
    await party.ask("hand_over")
    await party.event("away", deputy, offered=True)
    await party.ask("take_over", deputy)
    for socket in (party.host, deputy, *party.players):
        await party.event("away", socket, acting=True)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("mode", ["clock", "round"])
async def test_stand_in_plays_at_another_server(pair: Pair, mode: str) -> None:
    """The first server leads it. Host and stand-in are at the second, a tab of each at the first."""
    first, second, _ = pair
    async with contextlib.AsyncExitStack() as stack:
        party = await stack.enter_async_context(evening(first, second, mode=mode, countdown_s=300))
        token, _ = guest(second.url)
        deputy, tab = [await stack.enter_async_context(Client(server.url, token)) for server in (second, first)]
        stranger = await stack.enter_async_context(Client(second.url, guest(second.url)[0]))
        await heard(deputy, party.id)
        await taken_over(party, deputy)
        game = party.boards[1]
        assert (await deputy.sub(game))["you"] == "w"
        assert (await party.host.sub(game))["you"] is None
        assert (await stranger.sub(game))["you"] is None
        host_tab = await stack.enter_async_context(Client(first.url, party.host.token))
        for socket in (party.host, host_tab, stranger):
            assert await socket.refused("move", g=game, move=MOVES[0], ply=0) == "forbidden"
        assert await party.refused("next") == "conflict"
        await party.move(1, 0, MOVES[0], who=deputy)
        await sees(party, party.players[0], 1, 1)
        if mode == "clock":
            await party.move(1, 1, MOVES[1])
            await party.move(1, 2, MOVES[2], who=tab)
            await sees(party, deputy, 1, 3)
        # Both tabs of the host take it back at once: that is once.
        await asyncio.gather(party.ask("take_over"), party.ask("take_over", host_tab))
        await party.event("away", deputy, acting=False, offered=False)
        assert await deputy.refused("move", g=party.boards[2], move=MOVES[0], ply=0) == "forbidden"
        if mode == "round":
            await party.at(2)
        await party.move(2, 0, MOVES[0])
        await party.ask("end")
        await has_all(party, party.host, deputy, *party.players)


@pytest.mark.timeout(120)
async def test_stand_in_goes_on_after_a_kill(pair: Pair) -> None:
    """All are at the second server, which takes the simul over."""
    first, second, _ = pair
    async with contextlib.AsyncExitStack() as stack:
        party = await stack.enter_async_context(evening(first, second, (1, 1)))
        deputy = await stack.enter_async_context(Client(second.url, guest(second.url)[0]))
        await heard(deputy, party.id)
        await taken_over(party, deputy)
        await party.move(1, 0, MOVES[0], who=deputy)
        await sees(party, party.players[0], 1, 1)
        before = await asyncio.to_thread(party.shown)
        first.kill9()
        after = await led_anew(party, before)
        assert (after["acting"], after["stand_in"], after["away_since"]) == (True, before["stand_in"], None)
        for old, new in zip(before["boards"], after["boards"], strict=True):
            lost_ms = old["clock"]["w"] - new["clock"]["w"]
            assert lost_ms <= max(0, after["boards"][0]["clock"]["at"] - before["boards"][0]["clock"]["at"])
        await insist(party, 1, 1)
        await insist(party, 1, 2, deputy)
        await insist(party, 2, 0, deputy)
        assert await party.host.refused("move", g=party.boards[1], move=MOVES[4], ply=4) == "forbidden"
        await insisting(party, "take_over")
        await party.event("away", deputy, acting=False, offered=False)
        await insist(party, 2, 1)
        await insist(party, 2, 2)
        await insisting(party, "end", rest="draw")
        await has_all(party, party.host, deputy, *party.players)
