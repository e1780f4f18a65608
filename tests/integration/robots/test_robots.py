"""Games against the robots of a server, by the public interface."""

from __future__ import annotations

import asyncio
import stat
from typing import TYPE_CHECKING, Any

import pytest

from game_core.registry import registered, rules_for
from lobby.robots.robot_accounts import robot_tokens
from realtime.commands.service_token import read_service_token
from robots.client import BotClient, BotDisconnected, BotRefused
from tests.integration.robots.robots_beside import robots
from tests.realtime.until import until
from tests.wire_client import Client, Refusal, guest, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.robots.stub_moves import StubMoves
    from tests.server_process import ServerProcess
    from tests.wire_client import Message

ROBOTS = True

RAPID = {"base_s": 600}


@pytest.fixture
async def moves(url: str, token_file: Path) -> AsyncIterator[StubMoves]:
    async with robots(url, token_file) as moves, Client(url) as watcher:
        await watcher.request("sub", topic="lobby")
        await watcher.wait(lambda m: m.get("robots") is not None)
        yield moves


async def begin(client: Client, **fields: Any) -> str:
    """Challenge a robot, as soon as there are robots, and subscribe to the game."""
    wanted = {"tc": RAPID, "to": "robot", "level": 3, "color": "w", **fields}
    games: list[str] = []

    async def began() -> bool:
        try:
            games.append((await client.request("challenge", **wanted))["g"])
        except Refusal as refusal:
            if refusal.code != "unavailable":
                raise
        return bool(games)

    await until(began)
    await client.sub(games[0])
    return games[0]


async def play(client: Client, game: str, snapshot: Message, most: int = 400) -> Message | None:
    """Play the first legal move whenever it is our turn, to the end or for ``most`` half-moves. Returns ``end``."""
    rules = rules_for(snapshot["game"], snapshot["variant"])
    position, seq, ply = rules.start(snapshot["fen"]), snapshot["seq"], len(snapshot["moves"])
    for move in snapshot["moves"]:
        position = rules.play(position, move).position
    for _ in range(most):
        if rules.turn(position) == snapshot["you"]:
            await client.request("move", g=game, move=rules.legal_moves(position)[0], ply=ply)
        while True:
            seq += 1
            event = await client.event(game, seq)
            if event["t"] == "end":
                return event
            if event["t"] == "move":
                position, ply = rules.play(position, event["move"]).position, ply + 1
                if rules.outcome(position) is None:
                    break
    return None


def snapshot_of(client: Client, game: str) -> Message:
    return next(m for m in client.messages if m["t"] == "game" and m["g"] == game)


async def test_challenge_is_unavailable_without_robots(url: str) -> None:
    async with Client(url, guest(url)[0]) as client:
        assert await client.refused("challenge", tc=RAPID, to="robot", level=3) == "unavailable"
        assert await client.refused("challenge", tc=RAPID, to="robot", level=3, rated=True) == "bad_message"
        await client.request("sub", topic="lobby")
        lobby = await client.wait(lambda m: m["t"] == "lobby")
        assert lobby["robots"] is None


@pytest.mark.usefixtures("moves")
async def test_lobby_tells_what_robots_play(url: str) -> None:
    async with Client(url) as client:
        await client.request("sub", topic="lobby")
        lobby = await client.wait(lambda m: m.get("robots") is not None)
        played = {(game, variant) for game, variants in lobby["robots"]["games"].items() for variant in variants}
        assert played == set(registered())
        assert lobby["robots"]["busy"] is False
        assert lobby["online"] <= 2, "robots are not counted"


@pytest.mark.parametrize(
    ("game", "variant", "color"),
    [("chess", "antichess", "w"), ("draughts", "russian", "b"), ("draughts", "losing-english", "w")],
)
async def test_game_is_played_to_the_end(url: str, moves: StubMoves, game: str, variant: str, color: str) -> None:
    async with Client(url, guest(url)[0]) as client:
        played = await begin(client, game=game, variant=variant, color=color, level=5)
        snapshot = snapshot_of(client, played)
        assert snapshot["players"][{"w": "b", "b": "w"}[color]]["user"]["name"] == "Robot-5"
        assert (snapshot["rated"], snapshot["you"]) == (False, color)
        end = await play(client, played, snapshot)
        assert end is not None
        assert {job.level for job in moves.jobs} == {5}
        greeting = [line["text"] for m in client.messages for line in (m, *m.get("lines", ())) if "text" in line]
        assert greeting == ["Hello! I am the robot of level 5. Have a good game!"]
        # A rematch begins at once, with colours reversed.
        await client.request("rematch", g=played, do="offer")
        answer = await client.wait(lambda m: m["t"] == "offer" and m["do"] == "accept" and m["what"] == "rematch")
        await client.sub(answer["next"])
        await play(client, answer["next"], snapshot_of(client, answer["next"]), most=4)


@pytest.mark.usefixtures("moves")
async def test_takeback_and_pause_against_a_robot(url: str) -> None:
    async with Client(url, guest(url)[0]) as client:
        game = await begin(client)
        await client.request("move", g=game, move="e2e4", ply=0)
        await client.event(game, 2)
        await client.request("takeback", g=game, do="offer")
        taken = await client.wait(lambda m: m["t"] == "takeback" and m["g"] == game)
        assert taken["plies"] == 2
        await client.request("move", g=game, move="d2d4", ply=0)
        await client.wait(lambda m: m["t"] == "move" and m["ply"] == 1 and m["seq"] > taken["seq"])
        await client.request("move", g=game, move="g1f3", ply=2)
        await client.wait(lambda m: m["t"] == "move" and m["ply"] == 3)
        await client.request("pause", g=game, on=True)
        await client.request("pause", g=game, on=False)
        await client.request("move", g=game, move="b1c3", ply=4)
        await client.wait(lambda m: m["t"] == "move" and m["ply"] == 5)


@pytest.mark.usefixtures("moves")
async def test_challenge_by_name_is_one_to_the_level(url: str) -> None:
    async with Client(url, guest(url)[0]) as client:
        game = await begin(client, to="robot-2", level=None)
        assert snapshot_of(client, game)["players"]["b"]["user"]["name"] == "Robot-2"
        assert await client.refused("challenge", tc=RAPID, to="Robot-2", rated=True) == "bad_message"


async def test_busy_robots_are_unavailable(url: str, moves: StubMoves) -> None:
    async with Client(url, guest(url)[0]) as client:
        await client.request("sub", topic="lobby")
        moves.has_room = False
        await client.wait(lambda m: (m.get("robots") or {}).get("busy") is True)
        assert await client.refused("challenge", tc=RAPID, to="robot", level=1) == "unavailable"
        moves.has_room = True
        await client.wait(lambda m: m["t"] == "lobby.robots" and m["robots"]["busy"] is False)
        await begin(client)


async def test_games_go_on_with_the_next_process(url: str, token_file: Path) -> None:
    async with Client(url, guest(url)[0]) as client:
        await client.request("sub", topic="lobby")
        async with robots(url, token_file) as first:
            await client.wait(lambda m: m.get("robots") is not None)
            game = await begin(client)
            await client.request("move", g=game, move="e2e4", ply=0)
            await client.event(game, 2)
            start = len(client.messages)
            assert first.jobs
            async with robots(url, token_file) as second:
                await asyncio.sleep(0)
                assert second.jobs == []
        # Both have left: the game waits.
        await client.wait(lambda m: m["t"] == "lobby.robots" and m["robots"] is None, start)
        await client.request("move", g=game, move="d2d4", ply=2)
        async with robots(url, token_file) as third:
            await client.wait(lambda m: m["t"] == "move" and m["ply"] == 3)
            assert [job.game_id for job in third.jobs] == [game]
            assert not any(m["t"] == "chat" for m in client.messages[start:])


async def test_offers_made_while_no_robot_played_are_answered(url: str, token_file: Path) -> None:
    async with Client(url, guest(url)[0]) as client:
        await client.request("sub", topic="lobby")
        async with robots(url, token_file):
            await client.wait(lambda m: m.get("robots") is not None)
            over, running = await begin(client), await begin(client)
            for game in (over, running):
                await client.request("move", g=game, move="e2e4", ply=0)
                await client.event(game, 2)
        await client.request("takeback", g=running, do="offer")
        await client.request("resign", g=over)
        await client.request("rematch", g=over, do="offer")
        async with robots(url, token_file):
            taken = await client.wait(lambda m: m["t"] == "takeback" and m["g"] == running)
            assert taken["plies"] == 2
            answer = await client.wait(lambda m: m["t"] == "offer" and m["g"] == over and m["do"] == "accept")
            await client.sub(answer["next"])


async def test_second_process_waits_and_takes_over(url: str, token_file: Path) -> None:
    async with Client(url, guest(url)[0]) as client:
        await client.request("sub", topic="lobby")
        async with robots(url, token_file) as second_moves:
            await client.wait(lambda m: m.get("robots") is not None)
            async with robots(url, token_file) as first_moves:
                game = await begin(client)
                await client.request("move", g=game, move="e2e4", ply=0)
                await client.event(game, 2)
                assert (len(second_moves.jobs), len(first_moves.jobs)) == (1, 0)
            await client.request("move", g=game, move="d2d4", ply=2)
            await client.wait(lambda m: m["t"] == "move" and m["ply"] == 3)


def test_token_file_is_private_and_the_tokens_are_those_of_bots(token_file: Path, server: ServerProcess) -> None:
    assert stat.S_IMODE(token_file.stat().st_mode) == 0o600
    assert len(robot_tokens(read_service_token(token_file))) == 8


async def test_bot_client_says_what_is_wrong(url: str) -> None:
    with pytest.raises(BotDisconnected) as refused:
        async with BotClient(url, "x" * 43):
            pass
    assert refused.value.status == 401
    with pytest.raises(BotDisconnected):
        async with BotClient("http://127.0.0.1:1"):
            pass
    async with BotClient(url, guest(url)[0]) as bot:
        with pytest.raises(BotRefused) as error:
            await bot.request("sub", topic="game:nosuch")
        assert error.value.code == "not_found"
        with pytest.raises(BotRefused, match="forbidden"):
            await bot.request("robots", holder="somebody")
        assert (await bot.get("/api/v1/games", user="Robot-1", limit="1"))["games"] is not None
        with pytest.raises(BotRefused, match="not_found"):
            await bot.get("/api/v1/games", user="nobody-at-all")


async def test_names_of_robots_cannot_be_taken(url: str) -> None:
    with pytest.raises(Exception, match="422"):
        await asyncio.to_thread(member, url, "Robot-3")
