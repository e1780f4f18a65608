"""The host of a simul, connected to the server that leads it. That server is killed; the simul goes on at the other."""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.cluster.simul_on_two_nodes import (
    MOVES,
    evening,
    has_all,
    heard,
    insist,
    insisting,
    led_anew,
    numbers,
    sees,
)
from tests.realtime.until import until
from tests.wire_client import Client

if TYPE_CHECKING:
    from tests.integration.running_simul import RunningSimul
    from tests.integration.two_nodes import Pair
    from tests.wire_client import Message

TERMS: dict[str, dict[str, Any]] = {
    "clock": {"mode": "clock"},
    "round": {"mode": "round", "countdown_s": 300, "tc": {"base_s": 600}},
}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("mode", TERMS)
async def test_simul_continues_at_another_server(pair: Pair, mode: str) -> None:
    first, second, _ = pair
    async with contextlib.AsyncExitStack() as stack:
        party = await stack.enter_async_context(evening(first, second, (1, 0, 1), host_at=0, **TERMS[mode]))
        begun_s = time.monotonic()
        for board in (1, 2):
            if mode == "round":
                await party.at(board)
            await party.move(board, 0, MOVES[0])
        if mode == "clock":
            await party.move(1, 1, MOVES[1])
        else:
            await party.at(3)
        await party.ask("edit", board=3, note="plays the Dutch")
        before = await asyncio.to_thread(party.shown, party.host)
        told = numbers(party.host, party.id)
        # Something is on its way when the server dies: nobody knows whether it was done.
        board, ply = (1, 2) if mode == "clock" else (3, 0)
        move = asyncio.create_task(
            party.host.request("move", g=party.boards[board], move=MOVES[ply], ply=ply, key=f"{board}-{ply}")
        )
        await asyncio.sleep(0)
        first.kill9()
        killed_s = time.monotonic()
        with contextlib.suppress(ConnectionError):
            await move
        party.url = second.url
        await led_anew(party, before)
        back_s = time.monotonic()
        party.host = await stack.enter_async_context(Client(second.url, party.host.token))
        party.players[1] = await stack.enter_async_context(Client(second.url, party.players[1].token))
        # The host asks for what came after the last event that they received. As no node has all of it, they get a
        # snapshot.
        await party.host.request("sub", topic=f"simul:{party.id}", **{"from": told[-1]})
        shown = await party.host.wait(lambda m: m["t"] == "simul" and m["simul"] == party.id)
        assert shown["notes"] == {"3": "plays the Dutch"}
        assert [one["g"] for one in shown["boards"]] == [one["g"] for one in before["boards"]]
        for was, now in zip(before["boards"], shown["boards"], strict=True):
            known = was["ply"], was["ply"] + (was["board"] == board)
            assert now["ply"] in known, "moves seen by the host exist, and no unrequested ones"
        await heard(party.players[1], party.id)
        await insist(party, board, ply)
        moved_s = time.monotonic()
        await _pays_for_his_own_time(party, before, mode, thought_s=killed_s - begun_s + moved_s - back_s)
        if mode == "round":
            await until(partial(_counts_down, party, 1))
            board, ply = 1, 0
        await _goes_on(party, board, ply)


async def _pays_for_his_own_time(party: RunningSimul, before: Message, mode: str, *, thought_s: float) -> None:
    after = await asyncio.to_thread(party.shown, party.host)
    board = before["boards"][0 if mode == "clock" else 2]["board"]
    assert after["boards"][board - 1]["ply"] == before["boards"][board - 1]["ply"] + 1
    if mode == "clock":
        charged_ms = before["boards"][0]["clock"]["w"] - after["boards"][0]["clock"]["w"]
    else:
        charged_ms = before["host_clock"]["left"] - after["host_clock"]["left"]
    assert charged_ms <= thought_s * 1000


async def _counts_down(party: RunningSimul, board: int) -> bool:
    shown = await asyncio.to_thread(party.shown)
    return shown["at"] == board and shown["countdown"] is not None


async def _goes_on(party: RunningSimul, board: int, ply: int) -> None:
    """Play on at every node and end the simul: every socket receives all its events in order."""
    await insist(party, board, ply + 1)
    await sees(party, party.host, board, ply + 2)
    await insisting(party, "end", rest="draw")
    await has_all(party, party.host, *party.players)
