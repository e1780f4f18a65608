"""Rated games between members over sockets: what they are told, what is kept, what does not count."""

from __future__ import annotations

import asyncio
import contextlib
import json
import urllib.request
from typing import TYPE_CHECKING, Any

from tests.integration.match import Match, begin, match, snapshot
from tests.wire_client import WAIT_S, Client, guest, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.server_process import ServerProcess

BULLET = {"base_s": 60, "inc_s": 0}


def text(url: str, path: str) -> str:
    with urllib.request.urlopen(url + path, timeout=WAIT_S) as response:
        return response.read().decode()  # type: ignore[no-any-return]  # urllib's responses are Any


def get(url: str, path: str) -> Any:
    return json.loads(text(url, path))


def ratings(url: str, player: Client, perf: str = "blitz") -> Any:
    name = player.welcome["user"]["name"]
    return get(url, f"/api/v1/users/{name}")["ratings"].get(perf)


@contextlib.asynccontextmanager
async def members(url: str) -> AsyncIterator[tuple[Client, Client]]:
    tokens = [(await asyncio.to_thread(member, url))[0] for _ in range(2)]
    async with Client(url, tokens[0]) as white, Client(url, tokens[1], "json") as black:
        yield white, black


async def sat_down(white: Client, black: Client, **terms: Any) -> Match:
    g = await begin(white, black, **terms)
    for player in (white, black):
        await player.sub(g, ticks=False)
    return Match(g, white, black)


async def test_a_rated_game_from_start_to_profile(url: str, server: ServerProcess) -> None:
    async with members(url) as (white, black):
        m = await sat_down(white, black, rated=True)
        seats = m.snapshot()["players"]
        assert [(seats[color]["rating"], seats[color]["provisional"]) for color in "wb"] == [(1500, True)] * 2
        assert "ratings" not in m.snapshot()
        await m.play("e2e4", "e7e5")
        answer = await black.request("resign", g=m.g, key="enough")
        end = await m.heard(3)
        assert (answer["seq"], end["t"], end["result"]) == (3, "end", "1-0")
        assert end["ratings"] == {"w": 1662, "b": 1338}
        over = m.snapshot()
        assert (over["ratings"], over["players"]["w"]["rating"]) == (end["ratings"], 1500)
        assert (await black.request("resign", g=m.g, key="enough"))["seq"] == 3

        won, lost = ratings(url, white), ratings(url, black)
        assert (won["rating"], won["games"], won["provisional"]) == (1662, 1, True)
        assert (lost["rating"], lost["games"]) == (1338, 1)
        name = white.welcome["user"]["name"]
        assert [rating for _, rating in get(url, f"/api/v1/users/{name}/ratings/blitz")["points"]] == [1662]
        assert get(url, "/api/v1/leaderboards/blitz")["people"] == []
        (listed,) = get(url, f"/api/v1/games?user={name}")["games"]
        assert listed["players"]["b"]["rating"] == 1500
        assert '[WhiteElo "1500"]' in text(url, f"/api/v1/games/{m.g}/pgn")

        # The next game begins with what this one has made, in a casual game too, and another perf has nothing of it.
        for terms, rating in (({"rated": True}, 1662), ({}, 1662), ({"tc": BULLET}, 1500)):
            again = await sat_down(white, black, **terms)
            assert again.snapshot()["players"]["w"]["rating"] == rating
            await white.request("abort", g=again.g)

    await asyncio.to_thread(server.stop)
    await asyncio.to_thread(server.start)
    assert snapshot(url, m.g)["ratings"] == end["ratings"], "read from the journal"


async def test_a_game_that_mates_tells_the_move_first(url: str) -> None:
    async with members(url) as (white, black):
        m = await sat_down(white, black, rated=True)
        await m.play("f2f3", "e7e5", "g2g4", "d8h4")
        assert (await m.heard(4))["move"] == "d8h4"
        end = await m.heard(5)
        assert (end["reason"], end["ratings"]) == ("checkmate", {"w": 1338, "b": 1662})


async def test_a_game_that_the_server_ends_counts(url: str) -> None:
    async with members(url) as (white, black):
        m = await sat_down(white, black, rated=True, tc={"base_s": 1, "inc_s": 0})
        await m.play("e2e4", "e7e5")
        end = await m.heard(3)
        assert (end["reason"], end["ratings"]) == ("timeout", {"w": 1338, "b": 1662})


async def test_aborted_and_casual_games_do_not_count(url: str) -> None:
    async with members(url) as (white, black):
        aborted = await sat_down(white, black, rated=True)
        await white.request("abort", g=aborted.g)
        assert (await aborted.heard(1))["ratings"] is None
        casual = await sat_down(white, black)
        await casual.play("e2e4", "e7e5")
        await white.request("resign", g=casual.g)
        assert (await casual.heard(3))["ratings"] is None
        assert "ratings" not in casual.snapshot()
        assert ratings(url, white) is ratings(url, black) is None


async def test_a_rematch_of_a_rated_game_is_rated(url: str) -> None:
    async with members(url) as (white, black):
        m = await sat_down(white, black, rated=True)
        await m.play("e2e4", "e7e5")
        await black.request("resign", g=m.g)
        await white.request("rematch", g=m.g, do="offer")
        await black.request("rematch", g=m.g, do="accept")
        again = (await white.wait(lambda message: message.get("next") is not None))["next"]
        seats = snapshot(url, again)
        assert (seats["rated"], seats["players"]["b"]["rating"]) == (True, 1662)


async def test_guests_have_no_rating_and_cannot_get_one(url: str) -> None:
    async with members(url) as (white, _), Client(url, guest(url)[0]) as stranger:
        offer = await white.request("challenge", tc=BULLET, rated=True)
        assert await stranger.refused("challenge.accept", challenge=offer["challenge"]) == "forbidden"
        assert await stranger.refused("seek", tc=BULLET, rated=True) == "forbidden"
        casual = await sat_down(white, stranger)
        seats = casual.snapshot()["players"]
        assert (seats["w"]["rating"], seats["b"]["rating"], seats["b"]["provisional"]) == (1500, None, None)
    async with match(url) as m:
        assert m.snapshot()["players"]["w"]["rating"] is None


async def test_a_rated_game_needs_a_clock(url: str) -> None:
    async with members(url) as (white, _):
        for terms in ({"tc": None}, {"tc": BULLET, "to": "self"}):
            assert await white.refused("challenge", rated=True, **terms) == "forbidden"
        assert await white.refused("seek", rated=True, tc=None) == "forbidden"


async def test_many_games_of_the_same_two_end_at_once(url: str) -> None:
    async with members(url) as (white, black):
        games = [await sat_down(white, black, rated=True) for _ in range(6)]
        for m in games:
            await m.play("e2e4", "e7e5")
        await asyncio.gather(*(black.request("resign", g=m.g) for m in games))
        ends = [await m.heard(3) for m in games]
        told = sorted(end["ratings"]["w"] for end in ends)
        assert len(set(told)) == len(games), "each counted after the one before"
        assert ratings(url, white)["rating"] == told[-1]
        assert ratings(url, white)["games"] == len(games)
