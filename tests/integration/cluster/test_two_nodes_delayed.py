"""Delayed games on two servers: the second server reveals nothing early either."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from tests.integration.conftest import ROOM
from tests.integration.delay.test_delayed_games import CASES, play_and_look
from tests.integration.two_nodes import two_nodes
from tests.realtime.until import until
from tests.tiers import tiered
from tests.wire_client import Client, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.two_nodes import Pair

PLAYED = ("seconds, resignation, rated", "moves, mate, rated")
"""``tests/integration/delay/test_delayed_games.py`` plays all of ``CASES``."""


@pytest.fixture(scope="module")
def pair(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with two_nodes(database_url, tmp_path_factory.mktemp("two"), "--limit", ROOM, "--drain-seconds", "0") as pair:
        yield pair


@pytest.mark.parametrize(
    "at_hub",
    tiered([False, True], quick=[True], why="one test for each node"),
    ids=["looked at from the hub", "played at the hub"],
)
@pytest.mark.parametrize("case", PLAYED)
async def test_delayed_game_is_not_revealed_early_at_another_node(
    pair: Pair, database_url: str, case: str, at_hub: bool
) -> None:
    played, looked_at = (pair.a, pair.b) if at_hub else (pair.b, pair.a)
    await are_together(played.url, looked_at.url)
    await play_and_look(played.url, looked_at.url, database_url, CASES[case])


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
