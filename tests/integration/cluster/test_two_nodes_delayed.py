"""Delayed games on two servers: the second server reveals nothing early either."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from tests.integration.conftest import ROOM
from tests.integration.delay.test_delayed_games import CASES, play_and_look
from tests.nats_process import NatsProcess
from tests.realtime.until import until
from tests.server_process import ServerProcess
from tests.tiers import tiered
from tests.wire_client import Client, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Server

PLAYED = ("seconds, resignation, rated", "moves, mate, rated")
"""``tests/integration/delay/test_delayed_games.py`` plays all of ``CASES``."""


@pytest.fixture(scope="module")
def pair(
    postgres: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, ServerProcess, ServerProcess]]:
    """The database, and two servers on it."""
    name = postgres.create()
    with contextlib.ExitStack() as stack:
        stack.callback(postgres.drop, name)
        nats = stack.enter_context(NatsProcess())
        url = postgres.url(name)
        arguments = ("--database", url, "--nats", nats.url, "--limit", ROOM, "--drain-seconds", "0")
        directory = tmp_path_factory.mktemp("two")
        yield url, *(stack.enter_context(ServerProcess(directory / letter, *arguments)) for letter in "ab")  # type: ignore[misc]  # they are two


@pytest.mark.parametrize(
    "at_hub",
    tiered([False, True], quick=[True], why="one test for each node"),
    ids=["looked at from the hub", "played at the hub"],
)
@pytest.mark.parametrize("case", PLAYED)
async def test_delayed_game_is_not_revealed_early_at_another_node(
    pair: tuple[str, ServerProcess, ServerProcess], case: str, at_hub: bool
) -> None:
    database, *servers = pair
    played, looked_at = servers if at_hub else reversed(servers)
    await are_together(played.url, looked_at.url)
    await play_and_look(played.url, looked_at.url, database, CASES[case])


async def are_together(one: str, other: str) -> None:
    """Wait until a spectator at ``other`` sees what is done at ``one``: after a start they have to find each other."""
    async with Client(one, guest(one)[0]) as seeker, Client(other) as watcher:
        await watcher.request("sub", topic="lobby")

        async def is_told() -> bool:
            with contextlib.suppress(Refusal):
                seek = (await seeker.request("seek", tc={"base_s": 300, "inc_s": 0}))["seek"]
                await watcher.wait(lambda m: m["t"] == "lobby.add" and m["seek"] == seek)
                await seeker.request("unseek", seek=seek)
                return True
            return False

        await until(is_told)
