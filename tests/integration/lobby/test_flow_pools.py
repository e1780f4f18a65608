"""Quick pairing over real sockets, on every socket of a player."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest

from tests.server_process import ServerProcess
from tests.wire_client import Client, Message, Refusal, guest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.timeout(120)


async def heard(client: Client, kind: str) -> Message:
    """The first message of ``kind``."""
    return await client.wait(lambda m: m["t"] == kind)


def told(client: Client, kind: str) -> list[Message]:
    """All of ``kind`` so far."""
    return [message for message in client.messages if message["t"] == kind]


def games_of(client: Client) -> set[str]:
    """Return the games for which a client was paired."""
    return {message["g"] for message in told(client, "paired")} | set(client.welcome["games"])


async def test_two_players_in_a_pool_are_paired(url: str) -> None:
    async with Client(url, guest(url)[0]) as anna, Client(url, guest(url)[0], "json") as bert:
        assert (await anna.request("pool.join", pool="3+2"))["pool"] == "3+2"
        waiting = await heard(anna, "pool")
        assert (waiting["pool"], waiting["rated"]) == ("3+2", False)
        async with Client(url, anna.token) as elsewhere:
            assert await heard(elsewhere, "pool") == waiting
            await bert.request("pool.join", pool="3+2")
            for socket in (anna, elsewhere, bert):
                assert (await heard(socket, "pool.gone"))["why"] == "paired"
            one, same, other = [await heard(socket, "paired") for socket in (anna, elsewhere, bert)]
        assert one == same
        assert one["g"] == other["g"]
        assert {one["color"], other["color"]} == {"w", "b"}
        snapshot = await anna.sub(one["g"])
        assert (snapshot["tc"], snapshot["rated"]) == ({"base_s": 180, "inc_s": 2}, False)


async def test_every_socket_is_told_of_leaving_a_pool(url: str) -> None:
    async with Client(url, guest(url)[0]) as anna, Client(url, anna.token) as elsewhere:
        await anna.request("pool.join", pool="1+0")
        await elsewhere.request("pool.leave")
        assert (await heard(anna, "pool.gone"))["why"] == "left"
        assert (await heard(elsewhere, "pool.gone"))["why"] == "left"
        async with Client(url, anna.token) as later:
            await later.request("ping")
            assert told(later, "pool") == []


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"pool": "7+7"}, "bad_message"),
        ({"pool": 3}, "bad_message"),
        ({"pool": "3+2", "variant": "none"}, "bad_message"),
        ({"pool": "3+2", "game": "draughts"}, "bad_message"),
        ({}, "bad_message"),
        ({"pool": "3+2", "rated": True}, "forbidden"),
    ],
)
async def test_unknown_pool_is_refused(url: str, fields: dict[str, object], code: str) -> None:
    async with Client(url, guest(url)[0]) as anna:
        with pytest.raises(Refusal) as refused:
            await anna.request("pool.join", **fields)
        assert refused.value.code == code


async def test_a_casual_waiter_is_seen_in_the_lobby_and_taken(url: str) -> None:
    async with Client(url, guest(url)[0]) as anna, Client(url, guest(url)[0], "json") as bert:
        await bert.request("sub", topic="lobby")
        await anna.request("pool.join", pool="10+5", game="draughts", variant="russian")
        card = (await heard(bert, "lobby.waiter"))["card"]
        assert (card["user"], card["pool"], card["variant"]) == (anna.welcome["user"], "10+5", "russian")
        count = await bert.wait(lambda m: m["t"] == "lobby.count" and "russian 10+5" in m.get("pools", {}))
        assert count["pools"]["russian 10+5"] == [1, 0, 0]
        async with Client(url, guest(url)[0]) as carl:
            await carl.request("sub", topic="lobby")
            snapshot = await heard(carl, "lobby")
            assert card in snapshot["waiters"]
            assert snapshot["pools"]["russian 10+5"] == [1, 0, 0]
        wanted = {"user": card["user"]["id"], "pool": "10+5", "game": "draughts", "variant": "russian"}
        game = (await bert.request("pool.take", **wanted, key="k"))["g"]
        assert (await heard(anna, "paired"))["g"] == game
        assert (await bert.request("pool.take", **wanted, key="k"))["g"] == game
        assert (await heard(bert, "lobby.waiter_gone"))["user"] == card["user"]["id"]
        with pytest.raises(Refusal) as refused:
            await bert.request("pool.take", **wanted)
        assert refused.value.code == "conflict"


async def test_many_players_at_once_are_all_paired(url: str) -> None:
    async with contextlib.AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(Client(url, guest(url)[0])) for _ in range(20)]
        await asyncio.gather(*(client.request("pool.join", pool="5+3", key="k") for client in crowd))
        games = [(await heard(client, "paired"))["g"] for client in crowd]
        assert sorted(games.count(game) for game in set(games)) == [2] * 10
        # Whoever lost the answer asks again, and does not wait for a second game.
        await asyncio.gather(*(client.request("pool.join", pool="5+3", key="k") for client in crowd))
        assert all(len(told(client, "pool")) == 1 for client in crowd)


async def test_pool_players_get_one_game_despite_a_crash(tmp_path: Path) -> None:
    """The server is killed during a wave: committed pairings stand, other players keep waiting, and a repeated key
    starts no second game.
    """
    with ServerProcess(tmp_path / "data", "--limit", "connections=200,guests=200,rate=1000") as server:
        url = server.url
        async with contextlib.AsyncExitStack() as stack:
            crowd = [await stack.enter_async_context(Client(url, guest(url)[0])) for _ in range(40)]
            await asyncio.gather(*(client.request("pool.join", pool="5+3", key="k") for client in crowd))
            await heard(crowd[0], "paired")
            server.kill9()
        tokens = [client.token for client in crowd]
        before = {game for client in crowd for game in games_of(client)}
        assert server.start() == url
        async with contextlib.AsyncExitStack() as stack:
            crowd = [await stack.enter_async_context(Client(url, token)) for token in tokens]
            await asyncio.gather(*(client.request("pool.join", pool="5+3", key="k") for client in crowd))
            for client in crowd:
                await client.wait(lambda m: m["t"] == "paired" or bool(m.get("games")))
            found = [games_of(client) for client in crowd]
            assert all(len(games) == 1 for games in found)
            games = [game for (game,) in found]
            assert sorted(games.count(game) for game in set(games)) == [2] * 20
            assert before <= set(games)
