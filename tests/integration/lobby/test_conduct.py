"""Moderation over real sockets and a real database: play bans, blocks, reports."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

from tests.integration.match import BLITZ, begin, match
from tests.wire_client import WAIT_S, Client, guest

if TYPE_CHECKING:
    from tests.server_process import ServerProcess

EMBEDDED = True

REQUIRED = 5
"""Aborts that bring a first ban."""


def call(client: Client, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """What the API answers ``client``. Blocking."""
    request = urllib.request.Request(
        client.url + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {client.token}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=WAIT_S) as response:
            status, text = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    return status, json.loads(text) if text else None


def name_of(client: Client) -> str:
    name: str = client.welcome["user"]["name"]
    return name


async def abort_some(url: str, aborter: Client, other: Client, count: int) -> None:
    for _ in range(count):
        g = await begin(aborter, other)
        await aborter.request("abort", g=g)


async def test_repeated_aborts_ban_the_player(server: ServerProcess) -> None:
    url = server.url
    token, _ = guest(url)
    async with Client(url, token) as aborter, Client(url, guest(url)[0]) as other:
        # Listed before, and gone by itself.
        await other.request("sub", topic="lobby")
        seek = await aborter.request("seek", tc=BLITZ, min_rating=1600)
        await abort_some(url, aborter, other, REQUIRED - 1)
        offered = await begin(aborter, other)
        challenge = await aborter.request("challenge", tc=BLITZ)
        await aborter.request("abort", g=offered)
        notice = await aborter.wait(lambda m: m["t"] == "notice")
        assert (notice["code"], notice["what"]) == ("ban", "aborted")
        assert "too many aborted games" in notice["text"]
        assert 0 < notice["until"] - aborter.welcome["now"] < 6 * 60_000
        await other.wait(lambda m: m["t"] == "lobby.gone" and m["seek"] == seek["seek"])
        for request, fields in (
            ("seek", {"tc": BLITZ}),
            ("challenge", {"tc": BLITZ}),
            ("accept", {"seek": "whatever"}),
            ("challenge.accept", {"challenge": "whatever"}),
            ("pool.join", {"pool": "3+2"}),
            ("rematch", {"g": offered, "do": "offer"}),
        ):
            assert await aborter.refused(request, **fields) == "forbidden", request
        # Nor do others begin a game with them.
        assert await other.refused("challenge.accept", challenge=challenge["challenge"]) == "conflict"
        await other.request("rematch", g=offered, do="offer")
        assert await aborter.refused("rematch", g=offered, do="accept") == "forbidden"
        # They may talk, and play against themselves.
        await aborter.request("chat", topic=f"game:{offered}", text="sorry")
        await aborter.request("challenge", tc=BLITZ, to="self")
        assert not [m for m in other.messages if m["t"] == "notice"]
    server.kill9()
    server.start()
    async with Client(server.url, token) as aborter:
        again = await aborter.wait(lambda m: m["t"] == "notice")
        assert again["until"] == notice["until"]
        assert await aborter.refused("seek", tc=BLITZ) == "forbidden"


async def test_abort_before_a_crash_counts_after_it(server: ServerProcess) -> None:
    (token, _), (other_token, _) = guest(server.url), guest(server.url)
    async with Client(server.url, token) as aborter, Client(server.url, other_token) as other:
        await abort_some(server.url, aborter, other, REQUIRED)
        server.kill9()
    server.start()
    async with Client(server.url, token) as aborter:
        notice = await aborter.wait(lambda m: m["t"] == "notice")
        assert (notice["code"], notice["what"]) == ("ban", "aborted")
        status, me = call(aborter, "GET", "/api/v1/me")
        assert (status, me["ban"]["until"]) == (200, notice["until"])
        assert await aborter.refused("seek", tc=BLITZ) == "forbidden"


async def test_blocked_player_is_neither_shown_in_chat_nor_paired(url: str) -> None:
    async with match(url, "e2e4") as m:
        white, black = m.white, m.black
        await black.request("chat", topic=m.topic, text="one")
        assert call(white, "PUT", f"/api/v1/blocks/{name_of(black)}") == (204, None)
        await black.request("chat", topic=m.topic, text="two")
        await white.request("chat", topic=m.topic, text="three")
        for player in (white, black):
            await player.wait(lambda m: m.get("text") == "three")
        assert [line["text"] for line in white.messages if line["t"] == "chat"] == ["one", "three"]
        assert [line["text"] for line in black.messages if line["t"] == "chat"] == ["one", "two", "three"]
        async with Client(url, white.token) as again:
            await again.sub(m.g, ticks=False)
            lines = await again.wait(lambda m: m["t"] == "chat.lines")
            assert [line["text"] for line in lines["lines"]] == ["three"]
        # The game goes on; there will be no other.
        await m.play("e7e5")
        await black.request("resign", g=m.g)
        await black.request("rematch", g=m.g, do="offer")
        await white.wait(lambda e: e["t"] == "offer" and e["what"] == "rematch")
        assert await white.refused("rematch", g=m.g, do="accept") == "forbidden"
        for one, other in ((white, black), (black, white)):
            challenge = await one.request("challenge", tc=BLITZ)
            assert await other.refused("challenge.accept", challenge=challenge["challenge"]) == "forbidden"
            assert await one.refused("challenge", tc=BLITZ, to=name_of(other)) == "forbidden"
            seeks = [(seeker, await seeker.request("seek", tc=BLITZ)) for seeker in (one, other)]
            assert not any("g" in seek for _, seek in seeks), "they pass each other over"
            assert await other.refused("accept", seek=seeks[0][1]["seek"]) == "forbidden"
            for seeker, seek in seeks:
                await seeker.request("unseek", seek=seek["seek"])
        assert call(white, "DELETE", f"/api/v1/blocks/{name_of(black)}") == (204, None)
        assert "g" in await white.request("rematch", g=m.g, do="accept")


async def test_report_includes_the_chat(url: str) -> None:
    async with match(url, "e2e4") as m:
        await m.black.request("chat", topic=m.topic, text="you are bad")
        body = {"user": name_of(m.black), "game": m.g, "what": "chat", "text": "see there"}
        status, answer = call(m.white, "POST", "/api/v1/reports", body)
        assert status == 201
        assert call(m.white, "POST", "/api/v1/reports", body) == (201, answer)
        assert call(m.white, "GET", "/api/v1/reports")[0] == 403
