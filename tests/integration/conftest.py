"""A server for the tests of each module, started by the command that users give.

With ``ZEITNOT_WORKERS=2`` each of these servers is two nodes on one port, and a client reaches either. Tests that need
a single node have the marker ``lone_node`` and are skipped then.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING

import pytest

from tests.integration.match import Match, match
from tests.integration.scores import ALL
from tests.integration.traffic import Traffic
from tests.server_process import NODES, ServerProcess
from tests.wire_client import Client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

ROOM = "connections=20000,guests=20000,rate=1000"
"""Limits that no test reaches by accident; a module that tests limits sets its own as ``LIMITS``."""

PACE_S = 0.01
"""Interval between moves of the bystanders: about a hundred a second, far more than people play."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if NODES > 1:
        for item in items:
            for mark in item.iter_markers("lone_node"):
                item.add_marker(pytest.mark.skip(reason=f"needs a lone node: {mark.args[0]}"))


@pytest.fixture(scope="session")
def traffic() -> Traffic:
    return Traffic()


@pytest.fixture(scope="module", autouse=True)
def _documented(traffic: Traffic) -> Iterator[None]:
    """Check the messages and successful requests of the module's clients against the AsyncAPI document."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "hear", staticmethod(traffic.hear))
        patch.setattr(Client, "done", staticmethod(traffic.ask))
        yield
    faults, traffic.faults = traffic.faults, {}
    assert faults == {}


@pytest.fixture(scope="module")
def server(
    request: pytest.FixtureRequest,
    server_database: str | None,
    robots_arguments: tuple[str, ...],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ServerProcess]:
    limits, prepare = getattr(request.module, "LIMITS", ROOM), getattr(request.module, "PREPARE", "")
    data = tmp_path_factory.mktemp("server") / "data"
    with served(data, *robots_arguments, database=server_database, limits=limits, prepare=prepare) as server:
        yield server


@contextlib.contextmanager
def served(
    data: Path, *arguments: str, database: str | None = None, limits: str = ROOM, prepare: str = ""
) -> Iterator[ServerProcess]:
    """Run a server, and check at the end that it had no faults."""
    arguments = ("--limit", limits, "--log-format", "json", *arguments)
    with ServerProcess(data, *arguments, database=database, prepare=prepare) as server:
        yield server
    faults = [line for line in server.told().splitlines() if json.loads(line)["level"] in ("error", "critical")]
    assert not faults, "the server was at fault:\n" + "\n".join(faults)


@pytest.fixture
def url(server: ServerProcess) -> str:
    return server.url


@pytest.fixture
async def bystanders(url: str) -> AsyncIterator[Match]:
    """Play another game all the while. Each of its moves has to be acknowledged, and every event to reach both
    players."""
    score = max(ALL, key=lambda score: len(score.moves))
    async with match(url, **score.terms) as m:
        stop = asyncio.Event()

        async def play() -> None:
            for move in score.moves[:-1]:
                await m.play(move)
                if stop.is_set():
                    break
                await asyncio.sleep(PACE_S)

        playing = asyncio.create_task(play(), name="bystanders play")
        yield m
        stop.set()
        await playing
        await m.heard(len(m.played))
        for player in (m.white, m.black):
            assert [event["move"] for event in player.events(m.g)] == m.played
