"""Robots at one node, their opponents at another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.integration.robots.robots_beside import robots
from tests.integration.two_nodes import two_nodes
from tests.realtime.until import until
from tests.wire_client import Client, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.integration.two_nodes import Pair


@pytest.fixture
def pair(own_database: str, tmp_path: Path, token_file: Path) -> Iterator[Pair]:
    with two_nodes(own_database, tmp_path, "--token-file", str(token_file)) as pair:
        yield pair


async def test_robots_play_people_at_other_nodes_and_stay_when_the_leader_dies(pair: Pair, token_file: Path) -> None:
    first, second, _ = pair
    token = guest(first.url)[0]
    async with robots(second.url, token_file) as moves:

        async def begins(client: Client) -> bool:
            try:
                game = (await client.request("challenge", tc={"base_s": 600}, to="robot", level=4, color="w"))["g"]
            except Refusal as refusal:
                if refusal.code != "unavailable":
                    raise
                return False
            await client.sub(game)
            await client.request("move", g=game, move="e2e4", ply=0)
            await client.wait(lambda m: m["t"] == "move" and m["g"] == game and m["ply"] == 1)
            return True

        async with Client(first.url, token) as client:
            await client.request("sub", topic="lobby")
            await client.wait(lambda m: m.get("robots") is not None)
            await until(lambda: begins(client))
        first.kill9()
        async with Client(second.url, token) as client:
            await until(lambda: begins(client))
        assert len({job.game_id for job in moves.jobs}) >= 2


async def test_hints_come_from_robots_at_another_node_and_survive_the_owner(pair: Pair, token_file: Path) -> None:
    first, second, _ = pair
    token = guest(first.url)[0]
    async with robots(second.url, token_file) as moves:
        async with Client(first.url, token) as client:
            await client.request("sub", topic="lobby")
            await client.wait(lambda m: m.get("robots") is not None)
            terms = {"tc": None, "to": "robot", "level": 1, "color": "w", "hints": True}
            game = (await client.request("challenge", **terms))["g"]
            await client.sub(game)
            await client.wait(lambda m: m["t"] == "crowd" and m["online"]["b"])
            assert (await client.request("hint", g=game))["ply"] == 0
        async with Client(second.url, token) as client:
            await client.sub(game)
            assert (await client.request("hint", g=game))["better"] == "equal"
        first.kill9()
        async with Client(second.url, token) as client:
            await client.sub(game)

            async def hinted() -> bool:
                try:
                    await client.request("hint", g=game)
                except Refusal as refusal:
                    if refusal.code != "unavailable":
                        raise
                    return False
                return True

            await until(hinted)
            assert next(m for m in client.messages if m["t"] == "game")["hints"] is True
        assert all(job.is_hint for job in moves.jobs)
