"""Hints against robots, by the public interface."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from lobby.robots.robot_accounts import robot_tokens
from realtime.commands.service_token import read_service_token
from robots.client import BotClient, BotRefused
from tests.integration import match
from tests.integration.conftest import served
from tests.integration.robots.robots_beside import robots
from tests.integration.robots.test_robots import begin, snapshot_of
from tests.realtime.until import until
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.robots.stub_moves import StubMoves
    from tests.server_process import ServerProcess


@pytest.fixture(scope="module")
def token_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("robots") / "token"


@pytest.fixture(scope="module")
def server(
    server_database: str | None, tmp_path_factory: pytest.TempPathFactory, token_file: Path
) -> Iterator[ServerProcess]:
    data = tmp_path_factory.mktemp("server") / "data"
    with served(data, "--token-file", str(token_file), database=server_database) as server:
        yield server


@pytest.fixture
async def moves(url: str, token_file: Path) -> AsyncIterator[StubMoves]:
    async with robots(url, token_file) as moves:
        yield moves


@pytest.fixture
async def client(url: str) -> AsyncIterator[Client]:
    async with Client(url, guest(url)[0]) as client:
        yield client


async def test_player_gets_a_hint_on_their_own_move(url: str, client: Client, moves: StubMoves) -> None:
    game = await begin(client, hints=True)
    assert snapshot_of(client, game)["hints"] is True
    moves.score = 500
    async with Client(url) as spectator:
        await spectator.sub(game)
        hint = await client.request("hint", g=game)
        assert (hint["ply"], hint["better"], hint["winning"]) == (0, "w", True)
        await client.request("move", g=game, move=hint["move"], ply=0)
        await client.wait(lambda m: m["t"] == "move" and m["ply"] == 1)
        moves.score = -150
        hint = await client.request("hint", g=game)
        assert (hint["ply"], hint["better"], hint["winning"]) == (2, "b", False)
        assert not any("hint" in m["t"] for m in spectator.messages)
    assert not any("hint" in m["t"] for m in client.messages)
    assert [(job.level, job.is_hint) for job in moves.jobs] == [(8, True), (3, False), (8, True)]


@pytest.mark.usefixtures("moves")
async def test_hints_are_refused_to_others_and_where_there_are_none(url: str, client: Client) -> None:
    without = await begin(client)
    assert "hints" not in snapshot_of(client, without)
    assert await client.refused("hint", g=without) == "forbidden"
    game = await begin(client, hints=True)
    async with Client(url, guest(url)[0]) as stranger:
        assert await stranger.refused("hint", g=game) == "forbidden"
        assert await stranger.refused("hint.give", g=game, ply=0, move="e2e4", better="w") == "forbidden"
        assert await stranger.refused("hint", g="nosuch") == "not_found"
        # The position of a game with a person must not be found out here.
        played = await match.begin(client, stranger)
        assert await client.refused("hint", g=game) == "conflict"
        await stranger.request("abort", g=played)
        assert (await client.request("hint", g=game))["ply"] == 0
    assert await client.refused("hint.give", g=game, ply=0, move="e2e4", better="w") == "forbidden"
    for wanted in ({"to": "robot", "level": 5}, {"to": "self"}, {}):
        assert await client.refused("challenge", tc=None, hints=True, **wanted) == "bad_message"
    await client.request("resign", g=game)
    assert await client.refused("hint", g=game) == "game_over"


async def test_hint_is_for_ones_own_move_in_the_present_position(client: Client, moves: StubMoves) -> None:
    game = await begin(client, hints=True)
    moves.gate.clear()
    asked = asyncio.create_task(client.refused("hint", g=game))
    await until(lambda: len(moves.jobs) == 1)
    await client.request("move", g=game, move="e2e4", ply=0)
    assert await client.refused("hint", g=game) == "not_your_turn"
    assert await asked == "stale_ply"
    moves.gate.set()


async def test_two_tabs_share_an_open_question(url: str, moves: StubMoves) -> None:
    token = guest(url)[0]
    async with Client(url, token) as one, Client(url, token) as other:
        game = await begin(one, hints=True)
        moves.gate.clear()
        asked = [asyncio.create_task(client.request("hint", g=game)) for client in (one, other, one)]
        await until(lambda: bool(moves.jobs))
        await other.request("ping")
        moves.gate.set()
        first, second, third = await asyncio.gather(*asked)
        assert first["move"] == second["move"] == third["move"]
        assert len(moves.jobs) == 1


async def test_hints_are_limited(client: Client, moves: StubMoves) -> None:
    game = await begin(client, hints=True)
    for _ in range(10):
        await client.request("hint", g=game)
    assert await client.refused("hint", g=game) == "rate_limited"
    assert len(moves.jobs) == 10


async def test_hint_is_unavailable_without_robots_or_if_they_are_busy(
    url: str, token_file: Path, client: Client
) -> None:
    async with robots(url, token_file) as moves:
        game = await begin(client, hints=True)
        moves.gate.clear()
        assert await client.refused("hint", g=game) == "unavailable"
    assert await client.refused("hint", g=game) == "unavailable"
    async with robots(url, token_file):
        await client.wait(lambda m: m["t"] == "crowd" and m["online"]["b"], len(client.messages))
        assert (await client.request("hint", g=game))["ply"] == 0


async def test_robot_can_answer_only_where_it_was_asked(url: str, token_file: Path, client: Client) -> None:
    tokens = robot_tokens(read_service_token(token_file))
    async with robots(url, token_file) as moves:
        game, other = await begin(client, hints=True), await begin(client, hints=True, level=2)
        moves.gate.clear()
        answer = {"ply": 0, "move": "e2e4", "better": "equal"}
        async with BotClient(url, tokens[3]) as third, BotClient(url, tokens[2]) as second:
            for robot, g, code in ((third, game, "conflict"), (third, other, "forbidden")):
                with pytest.raises(BotRefused) as refused:
                    await robot.request("hint.give", g=g, **answer)
                assert refused.value.code == code
            asked = asyncio.create_task(client.request("hint", g=game))
            await until(lambda: bool(moves.jobs))
            for robot, fields, code in (
                (second, {}, "forbidden"),
                (third, {"ply": 2}, "stale_ply"),
                (third, {"move": "e2e5"}, "illegal_move"),
            ):
                with pytest.raises(BotRefused) as refused:
                    await robot.request("hint.give", g=game, **{**answer, **fields})
                assert refused.value.code == code
            await third.request("hint.give", g=game, **answer)
            assert (await asked)["move"] == "e2e4"
            with pytest.raises(BotRefused, match="forbidden"):
                await third.request("hint", g=game)


@pytest.mark.usefixtures("moves")
async def test_rematch_has_hints_too(client: Client) -> None:
    game = await begin(client, hints=True)
    for ply in (0, 2):
        await client.request("move", g=game, move=("e2e4", "d2d4")[ply // 2], ply=ply)
        await client.wait(lambda m, ply=ply: m["t"] == "move" and m["ply"] == ply + 1)  # type: ignore[misc]  # a default
    await client.request("resign", g=game)
    await client.request("rematch", g=game, do="offer")
    answer = await client.wait(lambda m: m["t"] == "offer" and m["do"] == "accept")
    await client.sub(answer["next"])
    assert snapshot_of(client, answer["next"])["hints"] is True
