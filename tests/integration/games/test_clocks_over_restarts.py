"""Clocks after a stop or a kill of the server: thinking time counts, the outage does not.

The tests do not wait: stored events are moved into the past.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from realtime.postgres.database import connect
from tests.integration.match import Match, begin, snapshot
from tests.integration.running_simul import running
from tests.realtime.until import until
from tests.server_process import ServerProcess
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

EMBEDDED = True

THOUGHT_S = 8
MINUTE = {"base_s": 60, "inc_s": 0}
DAY = {"days": 1}

HOUR_MS, DAY_MS = 3_600_000, 86_400_000

DOUBT_MS = 20_000
"""How long the server was up besides."""

LESS_MS = 4_000
"""A crash is charged up to the last renewal of the lease only, and a gap of the loop is nobody's time."""

EARLIER = "UPDATE event SET at = at - make_interval(secs => $2) WHERE game = $1"
DEADLINE_EARLIER = "UPDATE game SET deadline = deadline - make_interval(secs => $2) WHERE id = $1"
STOPPED_EARLIER = "UPDATE game SET stopped_at = stopped_at - make_interval(secs => $2) WHERE id = $1"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    with ServerProcess(tmp_path / "data", "--limit", "guests=100") as server:
        yield server


async def begun(server: ServerProcess, tc: dict[str, Any]) -> str:
    """A game after e4 e5, whose players have gone."""
    async with Client(server.url, guest(server.url)[0]) as white, Client(server.url, guest(server.url)[0]) as black:
        match = Match(await begin(white, black, tc=tc), white, black)
        await match.play("e2e4", "e7e5")
        return match.g


async def store(server: ServerProcess, *changes: tuple[str, str, float]) -> None:
    """Make changes to what is stored of games, by seconds."""
    async with server.opened() as url:
        connection = await connect(url, name="tests")
        try:
            for statement, game, seconds in changes:
                await connection.execute(statement, game, seconds)
        finally:
            await connection.close()


async def restarted(server: ServerProcess, how: str) -> None:
    await asyncio.to_thread(server.kill9 if how == "killed" else server.stop)
    await asyncio.to_thread(server.start)


def clock_of(server: ServerProcess, game: str) -> dict[str, Any]:
    clock: dict[str, Any] = snapshot(server.url, game)["clock"]
    return clock


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_thinking_time_before_a_restart_is_charged(server: ServerProcess, how: str) -> None:
    game = await begun(server, MINUTE)
    await store(server, (EARLIER, game, THOUGHT_S))
    await restarted(server, how)
    clock = clock_of(server, game)
    assert 60_000 - THOUGHT_S * 1000 - DOUBT_MS < clock["w"] <= 60_000 - THOUGHT_S * 1000 + LESS_MS
    assert clock["b"] == 60_000
    # Time for which it was held is nobody's, however it ends.
    await store(server, (EARLIER, game, 30), (STOPPED_EARLIER, game, 30))
    await restarted(server, how)
    assert {**clock_of(server, game), "at": clock["at"]} == clock


async def test_flag_fallen_before_a_restart_falls_when_the_clock_resumes(server: ServerProcess) -> None:
    game = await begun(server, MINUTE)
    await store(server, (EARLIER, game, 70))
    await restarted(server, "stopped")
    assert clock_of(server, game)["w"] == 0


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_correspondence_clock_runs_during_the_outage(server: ServerProcess, how: str) -> None:
    game = await begun(server, DAY)
    await store(server, (EARLIER, game, 23 * 3600), (DEADLINE_EARLIER, game, 23 * 3600))
    await restarted(server, how)
    clock = clock_of(server, game)
    assert clock.get("held") is None
    assert HOUR_MS - DOUBT_MS < clock["w"] <= HOUR_MS + LESS_MS


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_correspondence_flag_falls_without_players_online(server: ServerProcess, how: str) -> None:
    game = await begun(server, DAY)
    await store(server, (EARLIER, game, 24 * 3600 - 4), (DEADLINE_EARLIER, game, 24 * 3600 - 4))
    await restarted(server, how)
    async with server.opened() as url:
        connection = await connect(url, name="tests")
        try:
            await until(lambda: connection.fetchval("SELECT status = 'over' FROM game WHERE id = $1", game))
        finally:
            await connection.close()
    # A row is stored a moment before its event is published.
    await until(lambda: snapshot(server.url, game)["result"] != "*")
    shown = snapshot(server.url, game)
    assert (shown["result"], shown["reason"]) == ("0-1", "timeout")


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_host_clock_of_a_simul_is_charged_for_thinking_only(server: ServerProcess, how: str) -> None:
    host_tc = {"base_s": 600, "inc_s": 0}
    async with running(
        server.url, players=1, mode="round", tc=MINUTE, host_tc=host_tc, countdown_s=300
    ) as running_simul:
        await running_simul.at(1)
        await running_simul.move(1, 0)
        await running_simul.event("countdown", board=1)
        await running_simul.move(1, 1)
        await running_simul.event("board", board=1, ply=2)
    boards = list(running_simul.boards.values())
    await store(server, *((EARLIER, game, THOUGHT_S) for game in boards))
    await restarted(server, how)
    left = (await asyncio.to_thread(running_simul.shown))["host_clock"]["left"]
    assert 600_000 - THOUGHT_S * 1000 - DOUBT_MS < left <= 600_000 - THOUGHT_S * 1000 + LESS_MS


async def test_deadline_of_an_earlier_move_is_ignored(server: ServerProcess) -> None:
    """An older version of the server, which knows no deadlines, played on and left it in the database."""
    game = await begun(server, DAY)
    await store(server, (DEADLINE_EARLIER, game, 48 * 3600))
    await restarted(server, "stopped")
    clock = clock_of(server, game)
    assert DAY_MS - DOUBT_MS - THOUGHT_S * 1000 < clock["w"] <= DAY_MS
