"""Mini boards, television and streams over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.integration.match import Match, begin, match
from tests.integration.nodes import told_by_any
from tests.realtime.until import until
from tests.server_process import ServerProcess, is_several
from tests.wire_client import WAIT_S, Client, Message, guest, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

LIMITS = "connections=20000,guests=20000,rate=1000,silence_s=300"
"""No socket is closed for unanswered pings while its client does not read."""

TOPICS = 1000
"""What a socket may listen to."""

AT_ONCE = 16
"""Requests of a socket that may wait for the database."""


async def look(client: Client, game: str) -> Message:
    """Subscribe to a mini board; its first message."""
    start = len(client.messages)
    await client.request("sub", topic=f"game:{game}", position=True)
    return await client.wait(lambda m: m["t"] == "mini" and m["g"] == game, start)


async def mini(client: Client, game: str, **fields: Any) -> Message:
    """The first mini board of a game that has these fields."""
    return await client.wait(
        lambda m: m["t"] == "mini" and m["g"] == game and all(m[name] == value for name, value in fields.items())
    )


async def alone(client: Client, count: int) -> list[str]:
    """So many games against oneself; their ids."""

    async def one() -> str:
        g: str = (await client.request("challenge", tc=None, to="self"))["g"]
        return g

    games: list[str] = []
    while len(games) < count:
        games += await asyncio.gather(*(one() for _ in range(min(AT_ONCE, count - len(games)))))
    return games


async def every(games: list[str], do: Any) -> None:
    """Do something to each game, some at a time."""
    for start in range(0, len(games), AT_ONCE):
        await asyncio.gather(*(do(game) for game in games[start : start + AT_ONCE]))


class TestMiniBoards:
    async def test_mini_board_follows_a_game_to_its_end_in_both_codecs(self, url: str) -> None:
        async with match(url) as m, Client(url, codec="json") as one, Client(url) as other:
            for client in (one, other):
                first = await look(client, m.g)
                assert (first["ply"], first["players"]["w"]["online"], first["watchers"]) == (0, True, 0)
            await m.play("f2f3", "e7e5", "g2g4", "d8h4")
            for client in (one, other):
                last = await mini(client, m.g, status="over")
                assert (last["last"], last["check"], last["result"], last["reason"]) == (
                    "d8h4",
                    True,
                    "0-1",
                    "checkmate",
                )
                assert last["seq"] == 5
                assert all(message["t"] in ("welcome", "ok", "mini") for message in client.messages)
            assert m.snapshot()["watchers"] == 0

    async def test_mini_board_and_full_game_replace_each_other(self, url: str) -> None:
        async with match(url) as m, Client(url) as client:
            await look(client, m.g)
            await client.sub(m.g)
            await m.play("e2e4")
            await client.event(m.g, 1)
            await look(client, m.g)
            there = len(client.messages)
            await m.play("e7e5", "g1f3")
            await mini(client, m.g, ply=3)
            assert {message["t"] for message in client.messages[there:]} == {"mini"}
            await client.request("unsub", topic=m.topic)
            there = len(client.messages)
            await m.play("b8c6")
            await client.request("ping")
            await client.sub(m.g)
            assert "mini" not in {message["t"] for message in client.messages[there:]}

    async def test_mini_board_of_an_unknown_game_is_refused(self, url: str) -> None:
        async with Client(url) as client:
            assert await client.refused("sub", topic="game:nosuch", position=True) == "not_found"
            assert await client.refused("sub", topic="game:nosuch", position=1) == "bad_message"

    async def test_mini_board_does_not_count_as_presence(self, url: str) -> None:
        async with match(url, "e2e4") as m:
            there = len(m.white.messages)
            await look(m.black, m.g)
            away = {"w": True, "b": False}
            await m.white.wait(lambda message: message["t"] == "crowd" and message["online"] == away, there)

    async def test_mini_board_is_delayed(self, url: str) -> None:
        async with match(url, delay_s=900) as m, Client(url) as client:
            await look(client, m.g)
            await look(m.black, m.g)
            await m.play("e2e4")
            await mini(m.black, m.g, ply=1)
            await client.request("ping")
            assert [message["ply"] for message in client.messages if message["t"] == "mini"] == [0]

    async def test_one_socket_has_at_most_a_thousand_mini_boards(self, url: str) -> None:
        async with Client(url, guest(url)[0]) as one, Client(url, guest(url)[0]) as other, Client(url) as client:
            halves = {one: await alone(one, TOPICS // 2), other: await alone(other, TOPICS // 2 + 1)}
            games = [game for half in halves.values() for game in half]
            last = games.pop()
            await every(games, lambda game: client.request("sub", topic=f"game:{game}", position=True))
            assert await client.refused("sub", topic=f"game:{last}", position=True) == "rate_limited"
            assert await client.refused("sub", topic="lobby") == "rate_limited"
            await client.request("sub", topic=f"game:{games[0]}", position=True)
            for player, half in halves.items():
                await every(half, lambda game, who=player: who.request("move", g=game, move="e2e4", ply=0))
            for game in games:
                assert (await mini(client, game, ply=1))["last"] == "e2e4"
            await client.request("unsub", topic=f"game:{games[0]}")
            assert (await look(client, last))["ply"] == 1

    async def test_slow_reader_gets_the_newest_mini_board(self, url: str) -> None:
        """The socket is not closed, although more was to be sent than its buffer holds."""
        async with Client(url, guest(url)[0]) as player, Client(url) as quick, slow_reader(url) as slow:
            games = await alone(player, 150)
            for game in games:
                await look(quick, game)
                await slow.send(json.dumps({"t": "sub", "topic": f"game:{game}", "position": True}))
            told: list[Message] = []
            while len(told) < len(games):
                told += await read_minis(slow)
            # From here on the client does not read.
            moves = ["g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"]
            for ply, move in enumerate(moves):
                await every(games, lambda game, m=move, p=ply: player.request("move", g=game, move=m, ply=p))
                for game in games:
                    await mini(quick, game, ply=ply + 1)
            newest = dict.fromkeys(games, 0)
            while min(newest.values()) < len(moves):
                for message in await read_minis(slow):
                    told.append(message)
                    assert message["ply"] > newest[message["g"]], "none comes twice, none is older than the one before"
                    newest[message["g"]] = message["ply"]
            assert len(told) < sum(message["t"] == "mini" for message in quick.messages)


@contextlib.asynccontextmanager
async def slow_reader(url: str) -> AsyncIterator[ClientConnection]:
    """A socket that is read when the test says so, with as little room for what comes as there can be."""
    with socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        peer.setblocking(False)
        host, port = url.removeprefix("http://").split(":")
        await asyncio.get_running_loop().sock_connect(peer, (host, int(port)))
        async with connect(
            url.replace("http", "ws", 1) + "/ws",
            sock=peer,
            compression=None,
            max_size=None,
            max_queue=1,
            ping_interval=None,
        ) as reader:
            yield reader


async def read_minis(reader: ClientConnection) -> list[Message]:
    """The next message, if it is a mini board."""
    async with asyncio.timeout(WAIT_S):
        message: Message = json.loads(await reader.recv())
    return [message] if message["t"] == "mini" else []


async def test_mini_board_after_a_restart_shows_a_held_clock(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        tokens = [guest(server.url)[0] for _ in range(2)]
        async with Client(server.url, tokens[0]) as white, Client(server.url, tokens[1]) as black:
            m = Match(await begin(white, black), white, black)
            async with Client(server.url) as client:
                await look(client, m.g)
                await m.play("e2e4", "e7e5")
                assert (await mini(client, m.g, ply=2))["clock"]["run"] == "w"
                server.kill9()
        server.start()
        async with Client(server.url) as client, Client(server.url, tokens[0]) as white:
            first = await look(client, m.g)
            assert (first["ply"], first["clock"]["held"]) == (2, "restart")
            await look(white, m.g)  # which is not to be back at the table
            await white.sub(m.g)
            await client.wait(lambda m: m["t"] == "mini" and "held" not in m["clock"])
            await white.request("move", g=m.g, move="g1f3", ply=2)
            assert (await mini(client, m.g, ply=3))["last"] == "g1f3"


class Lines:
    """A stream that is being read."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.aiter_lines()

    async def next(self) -> Message:
        """The next line that is not empty."""
        async with asyncio.timeout(WAIT_S):
            while not (line := await anext(self._lines)):
                pass
        message: Message = json.loads(line)
        return message

    async def rest(self) -> list[Message]:
        """All lines to the end."""
        async with asyncio.timeout(WAIT_S):
            return [json.loads(line) async for line in self._lines if line]


@contextlib.asynccontextmanager
async def followed(url: str, path: str, viewer: Client | None = None, token: str | None = None) -> AsyncIterator[Lines]:
    token = token if viewer is None else viewer.token
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with (
        httpx.AsyncClient(base_url=url, timeout=WAIT_S) as client,
        client.stream("GET", f"/api/v1/{path}/stream", headers=headers) as response,
    ):
        assert response.status_code == 200
        assert response.headers["content-type"] == "application/x-ndjson"
        yield Lines(response)


class TestStreams:
    async def test_game_stream_equals_the_socket_until_the_end(self, url: str) -> None:
        async with match(url, "e2e4") as m, Client(url, codec="json") as client:
            await client.sub(m.g, ticks=False)
            async with followed(url, f"games/{m.g}") as stream:
                snapshot = await stream.next()
                assert (snapshot["t"], snapshot["moves"]) == ("game", ["e2e4"])
                # Who looks on at another node is counted a moment later.
                assert snapshot["watchers"] == 2 or is_several(url)
                await m.play("e7e5", "g1f3")
                await client.request("ping")
                await m.white.request("resign", g=m.g)
                told = await stream.rest()
                await client.event(m.g, 4)
                assert [told_by_any(url, one) for one in told] == [told_by_any(url, one) for one in client.events(m.g)]
                assert [event["t"] for event in told] == ["move", "move", "end"]
            await until(lambda: m.snapshot()["watchers"] == 1)
            async with followed(url, f"games/{m.g}") as stream:
                assert [line["status"] for line in await stream.rest()] == ["over"]

    async def test_delayed_game_is_streamed_to_its_players_only(self, url: str) -> None:
        async with match(url, delay_s=900) as m:
            async with followed(url, f"games/{m.g}") as public, followed(url, f"games/{m.g}", m.black) as inside:
                assert (await inside.next())["you"] == "b"
                await m.play("e2e4")
                assert (await inside.next())["move"] == "e2e4"
                first = await public.next()
                assert (first["moves"], first["you"]) == ([], None)
            async with followed(url, f"games/{m.g}") as public:
                assert (await public.next())["moves"] == []

    @pytest.mark.lone_node("each process counts the streams that it sends")
    async def test_game_streams_of_one_address_are_limited(self, url: str) -> None:
        async with match(url) as m, contextlib.AsyncExitStack() as stack:
            path = f"games/{m.g}"
            for _ in range(8):
                await stack.enter_async_context(followed(url, path, m.white))
            async with httpx.AsyncClient(base_url=url, timeout=WAIT_S) as client:
                headers = {"Authorization": f"Bearer {m.white.token}"}
                refused = await client.get(f"/api/v1/{path}/stream", headers=headers)
                assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
                assert (await client.head(f"/api/v1/{path}/stream", headers=headers)).status_code == 200
                # Guests of one address count as one: anybody makes ten a minute.
                headers = {"Authorization": f"Bearer {m.black.token}"}
                assert (await client.get(f"/api/v1/{path}/stream", headers=headers)).status_code == 429
            async with followed(url, path, token=(await asyncio.to_thread(member, url))[0]) as stream:
                await stream.next()

    async def test_game_streams_end_when_the_server_stops(self, tmp_path: Path, own_database: str) -> None:
        with ServerProcess(tmp_path / "data", database=own_database) as server:
            async with (
                match(server.url, "e2e4") as m,
                followed(server.url, f"games/{m.g}") as of_game,
                followed(server.url, "tv/best") as of_channel,
            ):
                await of_game.next()
                assert await asyncio.to_thread(server.stop) == 0
                assert await of_game.rest() == []
                assert await of_channel.rest() == []

    async def test_score_of_a_running_game_is_served(self, url: str) -> None:
        async with match(url, "e2e4") as m, httpx.AsyncClient(base_url=url, timeout=WAIT_S) as client:
            score = (await client.get(f"/api/v1/games/{m.g}/pgn")).text
            assert '[Result "*"]' in score
            assert score.endswith("*\n")


async def test_spectator_chat_is_hidden_from_players(url: str) -> None:
    async with match(url, "e2e4") as m, Client(url, guest(url)[0]) as one, Client(url, codec="json") as other:
        for client in (one, other):
            await client.sub(m.g)
        await one.request("chat", topic=m.topic, text="A king's pawn.")
        line = await other.wait(lambda message: message["t"] == "chat")
        assert (line["room"], line["text"]) == ("spectators", "A king's pawn.")
        await m.white.request("chat", topic=m.topic, text="Good luck.")
        assert (await m.black.wait(lambda message: message["t"] == "chat"))["room"] == "players"
        await look(other, m.g)
        await one.request("chat", topic=m.topic, text="And now?")
        await other.request("ping")
        heard = {client: [m["text"] for m in client.messages if m["t"] == "chat"] for client in (m.white, other)}
        assert heard == {m.white: ["Good luck."], other: ["A king's pawn."]}
