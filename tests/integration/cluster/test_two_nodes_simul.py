"""A simul on two servers with one database and NATS between them: played across both, killed, drained."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.integration.cluster.simul_on_two_nodes import (
    MOVES,
    assert_no_gap,
    evening,
    has_all,
    heard,
    insist,
    insisting,
    led_anew,
    numbers,
    sees,
)
from tests.integration.running_simul import fetch
from tests.realtime.until import until
from tests.tiers import tiered
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from tests.integration.two_nodes import Pair
    from tests.server_process import ServerProcess

DRAIN_S = 6
"""A simul takes longer to hand over than a game."""


async def test_simul_is_played_across_two_servers(pair: Pair) -> None:
    first, second, _ = pair
    async with evening(first, second, mode="clock") as party:
        async with Client(second.url) as stranger, Client(first.url) as other:
            for socket in (stranger, other):
                await heard(socket, party.id)
            for ply in range(4):
                for board in (1, 2):
                    await party.move(board, ply, MOVES[ply])
            for board in (1, 2):
                for socket in (party.host, *party.players, stranger, other):
                    await party.event("board", socket, board=board, ply=4)
            # Who is here is told once a second: the host has come to the second server a moment ago.
            await stranger.wait(lambda m: m["t"] in ("simul", "simul.crowd") and m["host_online"])
            for socket in (party.host, *party.players, stranger, other):
                assert_no_gap(party, socket)
        shown = [fetch(server.url, f"simuls/{party.id}") for server in pair[:2]]
        for one in shown:
            for board in one["boards"]:
                del board["clock"]
        assert {**shown[0], "watchers": 0} == {**shown[1], "watchers": 0}
        tables = [fetch(server.url, f"simuls/{party.id}/table.json") for server in pair[:2]]
        assert tables[0] == tables[1]
        async with (
            httpx.AsyncClient() as web,
            web.stream("GET", f"{second.url}/api/v1/simuls/{party.id}/pgn?follow=1") as stream,
        ):
            pieces = stream.aiter_text()
            text = ""
            while text.count("[Event ") < 2:
                text += await anext(pieces)
            await party.move(1, 4, MOVES[4])
            while "3. Bc4" not in text:
                text += await anext(pieces)
        await party.ask("end")
        for socket in (party.host, *party.players):
            await party.event("finished", socket)


async def test_simul_goes_on_after_a_kill(pair: Pair) -> None:
    first, second, _ = pair
    async with evening(first, second, mode="clock") as party:
        await party.move(1, 0, MOVES[0])
        await party.move(2, 0, MOVES[0])
        await party.event("board", board=2, ply=1)
        first.kill9()
        await insist(party, 1, 1)
        await sees(party, party.host, 1, 2)
        await insist(party, 1, 2)
        # Whoever was at the first server comes to the second.
        token = party.players[1].token
        async with Client(second.url, token) as again:
            party.players[1] = again
            await heard(again, party.id)
            await insist(party, 2, 1)
            await sees(party, again, 2, 2)
            await party.ask("end")
            await has_all(party, party.host, party.players[0], again)


async def test_simul_moves_to_another_server_while_played(pair: Pair) -> None:
    first, second, _ = pair
    async with evening(first, second, mode="clock") as party:
        await party.move(1, 0, MOVES[0])
        await party.event("board", board=1, ply=1)
        process = first.process
        assert process is not None
        process.send_signal(signal.SIGTERM)
        await insist(party, 1, 1)
        await insist(party, 1, 2)
        assert await asyncio.to_thread(process.wait, 30) == 0
        await insist(party, 1, 3)
        await sees(party, party.host, 1, 4)
        token = party.players[1].token
        async with Client(second.url, token) as again:
            await heard(again, party.id)
            party.players[1] = again
            await insist(party, 2, 0)
            await insist(party, 2, 1)
            await sees(party, again, 2, 2)
        assert_no_gap(party, party.host)
        first.process = None
        if process.stdout is not None:
            process.stdout.close()


async def test_simul_goes_on_when_nats_is_back(pair: Pair) -> None:
    first, second, nats = pair
    async with evening(first, second, mode="clock") as party:
        nats.kill()
        # Host and first player are cut off from their boards; at the first server nothing has changed.
        assert fetch(first.url, f"simuls/{party.id}")["status"] == "running"
        nats.start()
        for ply in range(4):
            await insist(party, 1, ply)
        await sees(party, party.host, 1, 4)
        await until(lambda: numbers(party.host, party.id)[-1:] == numbers(party.players[1], party.id)[-1:])
        for socket in (party.host, *party.players):
            assert_no_gap(party, socket)


class Loss:
    """The server that leads a simul is killed, or drained."""

    def __init__(self, server: ServerProcess, how: str) -> None:
        self._server = server
        self._how = how

    async def __aenter__(self) -> None:
        process = self._server.process
        assert process is not None
        if self._how == "killed":
            self._server.kill9()
        else:
            process.send_signal(signal.SIGTERM)

    async def __aexit__(self, *_: object) -> None:
        process = self._server.process
        if process is not None:
            assert await asyncio.to_thread(process.wait, 30) == 0
            self._server.process = None
            if process.stdout is not None:
                process.stdout.close()


@pytest.mark.parametrize("how", tiered(["killed", "drained"], quick=["killed"], why="one test per way a node ends"))
async def test_round_resumes_at_the_same_board(pair: Pair, how: str) -> None:
    """Host and players are at the other server: the order of boards, waiting boards and prepared moves are kept."""
    first, second, _ = pair
    terms: dict[str, Any] = {"mode": "round", "countdown_s": 300, "late_join": {"minutes": 5}, "tc": {"base_s": 60}}
    async with (
        evening(first, second, (1, 1, 1, 1), **terms) as party,
        Client(second.url, guest(second.url)[0]) as fifth,
        Client(second.url, guest(second.url)[0]) as sixth,
    ):
        for board in (1, 2):
            await party.at(board)
            await party.move(board, 0)
        await party.at(3)
        await party.ask("later", board=4)
        await party.ask("edit", board=3, note="plays the Dutch")
        await party.ask("prepare", party.player(1), g=party.boards[1], ply=1, move=MOVES[1])
        await heard(fifth, party.id)
        await party.ask("join", fifth)
        await party.event("board", board=5)
        before = await asyncio.to_thread(party.shown, party.host)
        async with Loss(first, how):
            after = await led_anew(party, before)
            for field in ("status", "at", "order", "score", "away_since", "break_until", "countdown"):
                assert after[field] == before[field], field
            # Nobody has thought while nobody led it; and that is for some seconds until a dead server's lease is out.
            (old, new), lost_ms = (before["host_clock"], after["host_clock"]), 3_000 if how == "killed" else -100
            assert old["left"] - new["left"] < new["at"] - old["at"] - lost_ms
            boards = [(b["board"], b["ply"], b["last"], b["turn"], b["user"]["id"]) for b in before["boards"]]
            assert len(boards) == 5
            assert [(b["board"], b["ply"], b["last"], b["turn"], b["user"]["id"]) for b in after["boards"]] == boards
            assert (await asyncio.to_thread(party.shown, party.host))["notes"] == {"3": "plays the Dutch"}
            ready = await asyncio.to_thread(party.shown, party.player(1))
            assert ready["prepared"] == {"ply": 1, "move": MOVES[1]}
            # Somebody joins who was not there, and the round goes on as it would have.
            await heard(sixth, party.id)
            await insisting(party, "join", sixth)
            assert (await sixth.wait(lambda m: m["t"] == "paired"))["color"] == "b"
            await insist(party, 3, 0)
            await sees(party, party.host, 1, 2)
            await insist(party, 1, 2)
            await party.event("countdown", board=2)
            await insist(party, 2, 1)
            await insist(party, 2, 2)
            assert set((await asyncio.to_thread(party.shown))["order"]) == {1, 2, 3, 4, 5, 6}
            await insisting(party, "end", rest="draw")
            await has_all(party, party.host, *party.players, fifth, sixth)


@pytest.mark.parametrize("how", tiered(["killed", "drained"], quick=["drained"], why="one test per way a node ends"))
async def test_break_keeps_its_end(pair: Pair, how: str) -> None:
    first, second, _ = pair
    async with evening(first, second, (1, 1), mode="clock") as party:
        await party.move(1, 0)
        until_ms = party.host.welcome["now"] + 600_000
        await party.ask("break", until=until_ms)
        await party.event("break", party.player(2))
        before = await asyncio.to_thread(party.shown)
        assert [board["clock"]["held"] for board in before["boards"]] == ["break", "break"]
        async with Loss(first, how):
            after = await led_anew(party, before)
            assert abs(after["break_until"] - until_ms) < 1000
            assert [board["clock"]["held"] for board in after["boards"]] == ["break", "break"]
            for old, new in zip(before["boards"], after["boards"], strict=True):
                assert [new["clock"][color] for color in "wb"] == [old["clock"][color] for color in "wb"]
            await insisting(party, "break", until=None)
            await insist(party, 1, 1)
            await insist(party, 2, 0)
            await sees(party, party.host, 2, 1)
