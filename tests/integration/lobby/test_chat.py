"""Chat over real sockets: two rooms a game, and their backlog."""

from __future__ import annotations

from tests.integration.match import match
from tests.server_process import is_several
from tests.wire_client import Client, Message, guest


def said(client: Client) -> list[tuple[str, str]]:
    """Room and text of the lines that ``client`` was sent one by one."""
    return [(m["room"], m["text"]) for m in client.messages if m["t"] == "chat"]


async def backlog(client: Client) -> Message:
    """The backlog ``client`` was sent."""
    return await client.wait(lambda m: m["t"] == "chat.lines")


async def test_players_and_spectators_have_separate_chat_rooms(url: str) -> None:
    async with match(url, "e2e4") as m, Client(url, guest(url)[0], "json") as spectator, Client(url) as stranger:
        for watcher in (spectator, stranger):
            await watcher.sub(m.g, ticks=False)
        await m.white.request("chat", topic=m.topic, text="Good luck!")
        await m.black.request("chat", topic=m.topic, text="You too")
        await spectator.request("chat", topic=m.topic, text="Who wins?")
        assert await stranger.refused("chat", topic=m.topic, text="I do") == "unauthenticated"
        assert await spectator.refused("chat", topic=m.topic, text=" \n ") == "bad_message"
        assert await spectator.refused("chat", topic="game:nothing", text="hello") == "not_found"
        for client in (spectator, stranger):  # who watch are told a turn of the loop later
            await client.wait(lambda message: message["t"] == "chat")
        for client in (m.white, m.black, spectator, stranger):
            await client.request("ping")
        assert said(m.white) == said(m.black) == [("players", "Good luck!"), ("players", "You too")]
        assert said(spectator) == said(stranger) == [("spectators", "Who wins?")]


async def test_chat_backlog_is_that_of_the_room_of_the_viewer(url: str) -> None:
    async with match(url, "e2e4") as m, Client(url) as early:
        await early.sub(m.g, ticks=False)
        await m.white.request("chat", topic=m.topic, text="Good luck!", key="1")
        async with Client(url, m.black.token) as again, Client(url) as delayed:
            snapshot = await again.sub(m.g, ticks=False)
            lines = await backlog(again)
            assert [(line["user"], line["text"]) for line in lines["lines"]] == [
                (m.white.welcome["user"], "Good luck!")
            ]
            assert (lines["topic"], lines["room"]) == (m.topic, "players")
            assert again.messages.index(lines) > again.messages.index(snapshot)
            await delayed.sub(m.g, ticks=False)
            await delayed.request("ping")
            assert not any(message["t"].startswith("chat") for message in (*early.messages, *delayed.messages))
        async with Client(url, m.black.token) as third:
            await third.request("sub", topic=m.topic, **{"from": 1})
            assert (await backlog(third))["lines"] == lines["lines"]
            # A node that had not shown the game yet knows no single events.
            assert is_several(url) or "game" not in [message["t"] for message in third.messages]


async def test_sixth_chat_line_in_a_burst_is_refused(url: str) -> None:
    async with match(url) as m:
        for number in range(5):
            await m.white.request("chat", topic=m.topic, text=str(number))
        assert await m.white.refused("chat", topic=m.topic, text="5") == "rate_limited"
        await m.black.request("chat", topic=m.topic, text="calm down")
