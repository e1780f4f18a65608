"""Games on two servers with one database and NATS between them."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import httpx

from tests.integration.match import begin, snapshot
from tests.integration.two_nodes import two_nodes
from tests.realtime.until import until
from tests.wire_client import Client, Message, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.integration.two_nodes import Pair
    from tests.server_process import ServerProcess

MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6")


async def met(white: Client, black: Client) -> str:
    """Start a game, as soon as the two nodes have found each other; its id."""
    while True:
        try:
            return await begin(white, black)
        except Refusal as refusal:
            if refusal.code not in ("unavailable", "not_found"):
                raise
            await asyncio.sleep(0.1)


async def move(client: Client, game: str, ply: int) -> Message:
    """Make the move number ``ply``, however often it has to be asked for; its answer."""
    while True:
        try:
            return await client.request("move", g=game, ply=ply, move=MOVES[ply], key=f"move {ply}")
        except Refusal as refusal:
            if refusal.code != "unavailable":
                raise
            await asyncio.sleep(0.05)


def is_move(ply: int) -> Callable[[Message], bool]:
    """Whether a message is the move number ``ply``."""
    return lambda message: message["t"] == "move" and message["move"] == MOVES[ply]


def events(client: Client, game: str) -> list[tuple[int, str]]:
    """Numbers and kinds of the events that a spectator was shown."""
    return [(event["seq"], event["t"]) for event in client.events(game)]


async def test_game_across_two_nodes_survives_a_kill_of_its_owner(pair: Pair) -> None:
    white_token, black_token = guest(pair.a.url)[0], guest(pair.b.url)[0]
    async with (
        Client(pair.a.url, white_token) as white,
        Client(pair.b.url, black_token) as black,
        Client(pair.b.url) as watcher,
    ):
        game = await met(white, black)
        for client in (white, black, watcher):
            await client.sub(game, ticks=False)
        for ply in range(4):
            await move((white, black)[ply % 2], game, ply)
        for client in (white, black, watcher):
            await client.event(game, 4)
            assert events(client, game) == [(seq, "move") for seq in (1, 2, 3, 4)]
        for server in (pair.a, pair.b):
            shown = await asyncio.to_thread(snapshot, server.url, game)
            assert (shown["moves"], shown["seq"]) == (list(MOVES[:4]), 4)

        await asyncio.to_thread(pair.a.kill9)
        async with Client(pair.b.url, white_token) as again:
            await again.request("sub", topic=f"game:{game}", **{"from": 4})
            for ply in range(4, 8):
                await move((again, black)[ply % 2], game, ply)
            last = (await again.wait(is_move(7)))["seq"]
            for client, first in ((again, 5), (black, 1), (watcher, 1)):
                await client.event(game, last)
                assert [seq for seq, _ in events(client, game)] == list(range(first, last + 1))
            shown = await asyncio.to_thread(snapshot, pair.b.url, game)
            assert shown["moves"] == list(MOVES)


async def test_new_node_receives_all_messages(pair: Pair) -> None:
    async with Client(pair.a.url, guest(pair.a.url)[0]) as white, Client(pair.a.url, guest(pair.a.url)[0]) as black:
        game = await begin(white, black)
        for _ in range(3):
            pair.b.stop()
            pair.b.start()
            async with Client(pair.b.url) as watcher:
                await watcher.sub(game, ticks=False)

    assert "knows nothing of" not in pair.a.told() + pair.b.told()


async def test_games_go_on_when_a_node_stops(pair: Pair) -> None:
    white_token, black_token = guest(pair.a.url)[0], guest(pair.b.url)[0]
    async with Client(pair.b.url, black_token) as black:
        async with Client(pair.a.url, white_token) as white:
            game = await met(white, black)
            for client in (white, black):
                await client.sub(game, ticks=False)
            for ply in range(3):
                await move((white, black)[ply % 2], game, ply)
            stopping = asyncio.create_task(asyncio.to_thread(pair.a.stop))
            await move(black, game, 3)
            assert await white.wait(is_move(3))
            await until(lambda: white.closed_with is not None)
            seen = white.events(game)[-1]["seq"]
        assert white.closed_with == 1012
        async with Client(pair.b.url, white_token) as white:
            await white.request("sub", topic=f"game:{game}", **{"from": seen})
            for ply in range(4, 8):
                await move((white, black)[ply % 2], game, ply)
            last = (await white.wait(is_move(7)))["seq"]
            await black.event(game, last)
            assert [seq for seq, _ in events(black, game)] == list(range(1, last + 1))
            assert [seq for seq, _ in events(white, game)] == list(range(seen + 1, last + 1))
        await stopping


async def test_stopping_node_is_unready_before_it_refuses(own_database: str, tmp_path: Path) -> None:
    """Balancers see that it is not ready before clients are refused or sent away. SIGINT does not wait for that."""
    with two_nodes(own_database, tmp_path, "--notice-seconds", "300", "--drain-seconds", "3") as pair:
        async with Client(pair.a.url, guest(pair.a.url)[0]) as white, Client(pair.b.url, guest(pair.b.url)[0]) as black:
            game = await met(white, black)
            assert pair.a.process is not None
            pair.a.process.send_signal(signal.SIGTERM)
            await until(lambda: status(f"{pair.a.url}/readyz") == 503)
            assert status(f"{pair.a.url}/healthz") == 200
            assert status(f"{pair.b.url}/readyz") == 200
            async with Client(pair.a.url, guest(pair.a.url)[0]) as delayed:
                await delayed.sub(game, ticks=False)
                for ply in range(3):
                    await move((white, black)[ply % 2], game, ply)
                assert await delayed.wait(is_move(2))
                await interrupted(pair.a)
                await until(lambda: white.closed_with is not None and delayed.closed_with is not None)
            assert (white.closed_with, delayed.closed_with) == (1012, 1012)
            await move(black, game, 3)
        await interrupted(pair.b)


def status(url: str) -> int:
    """What a GET is answered with, on a connection of its own."""
    return httpx.get(url).status_code


async def interrupted(server: ServerProcess) -> None:
    """Send it SIGINT, and wait until it has ended well."""
    process, server.process = server.process, None
    assert process is not None
    assert process.stdout is not None
    process.send_signal(signal.SIGINT)
    assert await asyncio.to_thread(process.wait, 15) == 0
    process.stdout.close()


async def test_suspended_node_repeats_no_event_after_resuming(pair: Pair) -> None:
    white_token, black_token = guest(pair.a.url)[0], guest(pair.b.url)[0]
    async with Client(pair.a.url, white_token) as white, Client(pair.b.url, black_token) as black:
        game = await met(white, black)
        for client in (white, black):
            await client.sub(game, ticks=False)
        for ply in range(3):
            await move((white, black)[ply % 2], game, ply)
        os.kill(pair.a.pid, signal.SIGSTOP)
        try:
            await move(black, game, 3)
            async with Client(pair.b.url, white_token) as again:
                await again.request("sub", topic=f"game:{game}", **{"from": 3})
                await move(again, game, 4)
        finally:
            os.kill(pair.a.pid, signal.SIGCONT)
        await move(black, game, 5)
        # The player who stayed with the suspended node is shown what they have missed.
        last = (await white.wait(is_move(5)))["seq"]
        await move(white, game, 6)
        await move(black, game, 7)
        await white.event(game, last + 2)
        await black.event(game, last + 2)
        for client in (white, black):
            assert [seq for seq, _ in events(client, game)] == list(range(1, last + 3))


async def test_games_survive_a_nats_outage(pair: Pair) -> None:
    white_token, black_token = guest(pair.a.url)[0], guest(pair.b.url)[0]
    async with Client(pair.a.url, white_token) as white, Client(pair.b.url, black_token) as black:
        game = await met(white, black)
        for client in (white, black):
            await client.sub(game, ticks=False)
        for ply in range(3):
            await move((white, black)[ply % 2], game, ply)
        await black.event(game, 3)
        pair.nats.kill()
        made = asyncio.create_task(move(black, game, 3))
        # If the game is at the player's own node, they move; if it is at the other one, their clock is held there.
        await until(lambda: made.done() or any(message["t"] == "hold" for message in white.messages))
        pair.nats.start()
        await made
        for ply in range(4, 8):
            await move((white, black)[ply % 2], game, ply)
        last = (await white.wait(is_move(7)))["seq"]
        await black.event(game, last)
        for client in (white, black):
            assert [seq for seq, _ in events(client, game)] == list(range(1, last + 1))
