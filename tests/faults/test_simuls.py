"""Simuls after a kill of the server: position, clocks and premoves are kept."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.running_simul import RunningSimul, listen, running
from tests.realtime.until import until
from tests.wire_client import Client, Refusal, guest

if TYPE_CHECKING:
    from tests.server_process import ServerProcess
    from tests.wire_client import Message


async def killed(server: ServerProcess, x: RunningSimul, stack: AsyncExitStack) -> tuple[RunningSimul, Message]:
    """Kill the server and start it again: the same people at the same boards, and what the host is shown."""
    server.kill9()
    await asyncio.to_thread(server.start)
    tokens = [client.token for client in (x.host, *x.players)]
    host, *players = [await stack.enter_async_context(Client(server.url, token)) for token in tokens]
    again = RunningSimul(server.url, x.id, host, players)
    again.boards = x.boards
    shown = await listen(host, x.id)
    for player in players:
        await listen(player, x.id)
    return again, shown


@pytest.mark.timeout(120)
async def test_round_simul_resumes_at_the_same_board(server: ServerProcess) -> None:
    async with AsyncExitStack() as stack:
        x = await stack.enter_async_context(running(server.url, 4, mode="round", countdown_s=300))
        for board in (1, 2):
            await x.at(board)
            await x.move(board, 0)
        await x.at(3)
        await x.ask("later", board=4)
        await x.ask("prepare", x.player(1), g=x.boards[1], ply=1, move="e7e5")
        before = await asyncio.to_thread(x.shown)
        y, after = await killed(server, x, stack)
        assert after["seq"] > before["seq"]
        for field in ("status", "at", "order", "score", "away_since", "break_until", "countdown"):
            assert after[field] == before[field], field
        # The thinking time of the last moments is charged to nobody, nor is the time in between.
        assert abs(after["host_clock"]["left"] - before["host_clock"]["left"]) < 10_000
        places = [(b["board"], b["ply"], b["last"], b["turn"], b["user"]["id"]) for b in before["boards"]]
        assert [(b["board"], b["ply"], b["last"], b["turn"], b["user"]["id"]) for b in after["boards"]] == places
        assert y.shown(y.player(1))["prepared"] == {"ply": 1, "move": "e7e5"}
        await y.move(3, 0)
        assert (await y.event("board", board=1, ply=2))["last"] == "e7e5"
        await y.move(1, 2)
        await y.event("countdown", board=2)
        await y.move(2, 1)
        await y.move(2, 2)
        await y.ask("end", rest="draw")
        score = (await y.event("finished"))["score"]
        assert (score["draws"], score["moves"]) == (4, 5)


@pytest.mark.timeout(120)
async def test_clock_mode_simul_resumes(server: ServerProcess) -> None:
    async with AsyncExitStack() as stack:
        x = await stack.enter_async_context(running(server.url, 3))
        await x.move(1, 0)
        await x.player(3).request("resign", g=x.boards[3])
        await x.ask("at", board=2)
        before = await asyncio.to_thread(x.shown)
        y, after = await killed(server, x, stack)
        assert (after["at"], after["status"], after["score"]) == (2, "running", before["score"])
        assert [board["result"] for board in after["boards"]] == ["*", "*", "1-0"]
        # The host is present: their clocks run at boards where they are to move, without a subscription to each.
        await y.host.wait(
            lambda m: (
                (m["t"] == "simul" and "held" not in m["boards"][1]["clock"])
                or (m["t"] == "simul.board" and m["board"] == 2 and "held" not in m.get("clock", {"held": ""}))
            )
        )
        await y.move(1, 1)
        await y.move(2, 0)
        await y.ask("end", rest="resign")
        assert (await y.event("finished"))["score"]["losses"] == 2
        assert y.shown()["status"] == "finished"


@pytest.mark.timeout(120)
async def test_stand_in_plays_on_after_a_crash(server: ServerProcess) -> None:
    """The host is back first, and cannot play; nobody is charged for the outage."""
    async with AsyncExitStack() as stack:
        x = await stack.enter_async_context(running(server.url, 2))
        token, user = guest(server.url)
        deputy = await stack.enter_async_context(Client(server.url, token))
        await x.ask("edit", stand_in=user["name"])
        await x.ask("hand_over")
        await x.ask("take_over", deputy, key="mine")
        await x.move(1, 0, who=deputy)
        before = await asyncio.to_thread(x.shown)
        server.kill9()
        await asyncio.to_thread(server.start)
        host = await stack.enter_async_context(Client(server.url, x.host.token))
        assert await host.refused("move", g=x.boards[2], move="e2e4", ply=0) == "forbidden"
        assert (await host.sub(x.boards[2]))["you"] is None
        again = await stack.enter_async_context(Client(server.url, token))
        assert (await again.sub(x.boards[2]))["you"] == "w"
        y = RunningSimul(server.url, x.id, host, [])
        y.boards = x.boards
        shown = await listen(host, x.id)
        await listen(again, x.id)
        assert (shown["you"], shown["acting"], shown["stand_in"]["id"]) == ("host", True, user["id"])
        for old, new in zip(before["boards"], shown["boards"], strict=True):
            # What ran since the dead server's last renewal of its lease is charged to nobody.
            assert new["clock"]["w"] - old["clock"]["w"] < 5_000
            assert old["clock"]["w"] - new["clock"]["w"] < 20_000
        await y.ask("take_over", again, key="mine")
        await y.move(2, 0, who=again)
        await y.ask("take_over")
        assert await again.refused("resign", g=x.boards[2]) == "forbidden"
        await y.ask("take_over", again, key="mine")  # an old message: it gets its old answer, and does nothing
        assert await again.refused("resign", g=x.boards[2]) == "forbidden"
        await y.ask("end")
        await y.event("finished")


@pytest.mark.timeout(120)
async def test_repeated_key_after_a_crash_gets_the_same_reply(server: ServerProcess) -> None:
    async with AsyncExitStack() as stack:
        x = await stack.enter_async_context(running(server.url, 2, late_join={"minutes": 5}))
        await x.ask("at", board=2, key="go")
        created = await x.host.request("simul.create", name="Next", tc=None, key="next")
        y, _ = await killed(server, x, stack)
        assert await y.host.request("simul.create", name="Next", tc=None, key="next") | {"id": 0} == created | {"id": 0}
        await y.ask("at", board=1)
        await y.ask("at", board=2, key="go")
        assert y.shown()["at"] == 1
        await y.ask("end")
        await y.event("finished")


async def stored(who: Client, kind: str, **fields: Any) -> bool:
    """Whether this time it is."""
    code = "ok"
    try:
        await who.request(kind, **fields)
    except Refusal as refusal:
        code = refusal.code
    assert code in ("ok", "unavailable")
    return code == "ok"


async def insist(who: Client, kind: str, **fields: Any) -> None:
    """As a page does: what was not stored is asked for again, with the same key."""
    await until(lambda: stored(who, kind, **fields))


@pytest.mark.timeout(120)
async def test_round_survives_a_kill_of_the_database(server: ServerProcess) -> None:
    async with AsyncExitStack() as stack:
        x = await stack.enter_async_context(running(server.url, 3, mode="round", countdown_s=300))
        await x.at(1)

        for board in (1, 2, 3):
            await x.at(board)
            os.kill(server.postgres_pid(), signal.SIGKILL)
            await asyncio.gather(
                insist(x.host, "move", g=x.boards[board], move="e2e4", ply=0, key=f"move {board}"),
                insist(x.host, "simul.edit", simul=x.id, name=f"Round {board}", key=f"name {board}"),
            )
        await x.event("countdown", board=1)
        shown = x.shown()
        assert (shown["at"], shown["name"]) == (1, "Round 3")
        assert [board["ply"] for board in shown["boards"]] == [1, 1, 1]
        _, after = await killed(server, x, stack)
        assert [board["ply"] for board in after["boards"]] == [1, 1, 1]
        assert after["order"] == shown["order"]
