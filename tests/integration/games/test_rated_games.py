"""Rated games of members over sockets: messages, stored ratings, games that do not count."""

from __future__ import annotations

import asyncio
import contextlib
import json
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from lobby.ratings.ratings import PAIR_LIMIT
from tests.integration.match import Match, begin, match, snapshot
from tests.wire_client import WAIT_S, Client, guest, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.server_process import ServerProcess

BULLET = {"base_s": 60, "inc_s": 0}

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6")
"""With fewer moves a game does not count."""


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


async def test_rated_game_changes_both_profiles(url: str, server: ServerProcess) -> None:
    async with members(url) as (white, black):
        m = await sat_down(white, black, rated=True)
        seats = m.snapshot()["players"]
        assert [(seats[color]["rating"], seats[color]["provisional"]) for color in "wb"] == [(1500, True)] * 2
        assert "ratings" not in m.snapshot()
        await m.play(*OPENING)
        answer = await black.request("resign", g=m.g, key="enough")
        end = await m.heard(5)
        assert (answer["seq"], end["t"], end["result"]) == (5, "end", "1-0")
        assert end["ratings"] == {"w": 1662, "b": 1338}
        over = m.snapshot()
        assert (over["ratings"], over["players"]["w"]["rating"]) == (end["ratings"], 1500)
        assert (await black.request("resign", g=m.g, key="enough"))["seq"] == 5

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


async def test_mating_move_comes_before_the_end(url: str) -> None:
    async with members(url) as (white, black):
        m = await sat_down(white, black, rated=True)
        await m.play("f2f3", "e7e5", "g2g4", "d8h4")
        assert (await m.heard(4))["move"] == "d8h4"
        end = await m.heard(5)
        assert (end["reason"], end["ratings"]) == ("checkmate", {"w": 1338, "b": 1662})


async def test_flag_fall_in_a_rated_game_counts(url: str) -> None:
    async with members(url) as (white, black):
        m = await sat_down(white, black, rated=True, tc={"base_s": 1, "inc_s": 0})
        await m.play(*OPENING)
        end = await m.heard(5)
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


async def test_rematch_of_a_rated_game_is_rated(url: str) -> None:
    async with members(url) as (white, black):
        m = await sat_down(white, black, rated=True)
        await m.play(*OPENING)
        await black.request("resign", g=m.g)
        await white.request("rematch", g=m.g, do="offer")
        await black.request("rematch", g=m.g, do="accept")
        again = (await white.wait(lambda message: message.get("next") is not None))["next"]
        seats = snapshot(url, again)
        assert (seats["rated"], seats["players"]["b"]["rating"]) == (True, 1662)


async def test_guests_have_no_rating_and_cannot_play_rated(url: str) -> None:
    async with members(url) as (white, _), Client(url, guest(url)[0]) as stranger:
        offer = await white.request("challenge", tc=BULLET, rated=True)
        assert await stranger.refused("challenge.accept", challenge=offer["challenge"]) == "forbidden"
        assert await stranger.refused("seek", tc=BULLET, rated=True) == "forbidden"
        casual = await sat_down(white, stranger)
        seats = casual.snapshot()["players"]
        assert (seats["w"]["rating"], seats["b"]["rating"], seats["b"]["provisional"]) == (1500, None, None)
    async with match(url) as m:
        assert m.snapshot()["players"]["w"]["rating"] is None


async def test_rated_game_without_a_clock_is_refused(url: str) -> None:
    async with members(url) as (white, _):
        for terms in ({"tc": None}, {"tc": BULLET, "to": "self"}):
            assert await white.refused("challenge", rated=True, **terms) == "forbidden"
        assert await white.refused("seek", rated=True, tc=None) == "forbidden"


async def test_three_rated_games_of_one_pair_count(url: str) -> None:
    async with members(url) as (white, black):
        games = [await sat_down(white, black, rated=True) for _ in range(6)]
        for m in games:
            await m.play(*OPENING)
        await asyncio.gather(*(black.request("resign", g=m.g) for m in games))
        ends = [await m.heard(5) for m in games]
        told = sorted(end["ratings"]["w"] for end in ends if end["ratings"] is not None)
        assert len(set(told)) == PAIR_LIMIT, "each counted after the one before"
        assert [end["unrated"] for end in ends if end["ratings"] is None] == ["limit"] * (6 - PAIR_LIMIT)
        assert ratings(url, white)["rating"] == told[-1]
        assert ratings(url, white)["games"] == PAIR_LIMIT


async def test_fourth_game_of_one_pair_is_casual_with_a_reason(url: str, server: ServerProcess) -> None:
    async with members(url) as (white, black):
        for _ in range(PAIR_LIMIT):
            m = await sat_down(white, black, rated=True)
            assert (m.snapshot()["rated"], "unrated" in m.snapshot()) == (True, False)
            await m.play(*OPENING)
            await black.request("resign", g=m.g)
            assert (await m.heard(5))["ratings"] is not None
        known = ratings(url, white)
        m = await sat_down(white, black, rated=True)
        assert (m.snapshot()["rated"], m.snapshot()["unrated"]) == (False, "limit")
        bullet = await sat_down(black, white, rated=True, tc=BULLET)
        assert bullet.snapshot()["rated"], "in another perf"
        await asyncio.to_thread(server.kill9)
        await asyncio.to_thread(server.start)
        assert snapshot(url, m.g)["unrated"] == "limit"
        tokens = white.token, black.token
    async with Client(url, tokens[0]) as white, Client(url, tokens[1]) as black:
        for player in (white, black):
            await player.sub(m.g, ticks=False)
        m = Match(m.g, white, black)
        await m.play(*OPENING)
        await black.request("resign", g=m.g)
        end = await black.wait(lambda message: message["t"] == "end" and message["g"] == m.g)
        assert (end["ratings"], m.snapshot()["unrated"]) == (None, "limit")
        assert ratings(url, white)["games"] == known["games"]
        await white.request("rematch", g=m.g, do="offer")
        await black.request("rematch", g=m.g, do="accept")
        again = (await white.wait(lambda message: message.get("next") is not None))["next"]
        assert (snapshot(url, again)["rated"], snapshot(url, again)["unrated"]) == (False, "limit"), "tried again"


async def test_rated_game_under_two_moves_each_does_not_count(url: str) -> None:
    async with members(url) as (white, black):
        m = await sat_down(white, black, rated=True)
        await m.play(*OPENING[:3])
        await black.request("resign", g=m.g)
        end = await m.heard(4)
        assert (end["result"], end["ratings"], end["unrated"]) == ("1-0", None, "short")
        assert m.snapshot()["unrated"] == "short"
        assert ratings(url, white) is None


async def test_delayed_game_is_rated_after_its_delay(url: str, server: ServerProcess) -> None:
    async with members(url) as (white, black):
        m = await sat_down(white, black, rated=True, delay_s=4)
        await m.play(*OPENING)
        await black.request("resign", g=m.g)
        end = await m.heard(5)
        assert (end["ratings"], end["unrated"]) == (None, "later")
        assert ratings(url, white) is None

        rated = await white.wait(lambda message: message["t"] == "rated")
        assert rated == {"t": "rated", "g": m.g, "ratings": {"w": 1662, "b": 1338}, "unrated": None}
        assert await black.wait(lambda message: message["t"] == "rated") == rated
        seen = await white.sub(m.g)
        assert (seen["ratings"], "unrated" in seen) == (rated["ratings"], False)
        assert ratings(url, white)["rating"] == 1662
    await asyncio.to_thread(server.stop)
    await asyncio.to_thread(server.start)
    async with Client(url, white.token) as again:
        assert (await again.sub(m.g))["ratings"] == rated["ratings"], "read from the journal"


@pytest.mark.lone_node("its own metrics")
async def test_metrics_do_not_reveal_the_end_of_a_delayed_game(url: str) -> None:
    async with members(url) as (white, black):
        m = await sat_down(white, black, rated=True, delay_s=600)
        counted = ended_games(url)
        await m.play(*OPENING)
        await black.request("resign", g=m.g)
        await m.heard(5)
        assert ended_games(url) == counted


def ended_games(url: str) -> list[str]:
    """What the metrics tell of games that have ended."""
    return [line for line in text(url, "/metrics").splitlines() if "games_ended" in line or "games_live" in line]
