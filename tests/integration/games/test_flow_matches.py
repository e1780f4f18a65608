"""Matches of several games, and games with a handicap, over real sockets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest

from tests.integration.match import BLITZ, begin, snapshot
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from tests.wire_client import Message

pytestmark = pytest.mark.timeout(120)

SHORT: dict[str, Any] = {"base_s": 30, "inc_s": 0}


async def rematch(g: str, offers: Client, accepts: Client) -> str:
    """The next game of the two."""
    await offers.request("rematch", g=g, do="offer")
    return str((await accepts.request("rematch", g=g, do="accept"))["g"])


def pgn(url: str, g: str) -> str:
    """The score. Blocking."""
    with urlopen(f"{url}/api/v1/games/{g}/pgn", timeout=10) as response:
        text: str = response.read().decode()
    return text


async def seen(client: Client, g: str) -> Message:
    return await client.sub(g, ticks=False)


async def test_match_score_is_in_each_game(url: str) -> None:
    async with Client(url, guest(url)[0]) as anna, Client(url, guest(url)[0]) as bert:
        first = await begin(anna, bert)
        assert (await seen(anna, first))["match"] is None
        await anna.request("resign", g=first)
        second = await rematch(first, anna, bert)
        # Colours are reversed: Bert, who has the point, is White.
        assert (await seen(anna, second))["match"] == {"games": 1, "w": 1, "b": 0}
        await bert.request("draw", g=second, do="offer")
        await anna.request("draw", g=second, do="accept")
        third = await rematch(second, bert, anna)
        expected = {"games": 2, "w": 0.5, "b": 1.5}
        assert (await seen(bert, third))["match"] == expected
        assert snapshot(url, third)["match"] == expected
        await anna.request("abort", g=third)
        fourth = await rematch(third, anna, bert)
        assert (await seen(bert, fourth))["match"] == {"games": 2, "w": 1.5, "b": 0.5}
        assert snapshot(url, fourth)["players"]["w"]["user"]["id"] == bert.welcome["user"]["id"]


async def test_handicap_is_shown_and_kept(url: str) -> None:
    async with Client(url, guest(url)[0]) as anna, Client(url, guest(url)[0]) as bert:
        g = await begin(anna, bert, color="b", opponent_tc=SHORT)
        shown = await seen(anna, g)
        assert (shown["tcs"], shown["tc"], shown["speed"]) == ({"w": SHORT, "b": BLITZ}, SHORT, "blitz")
        assert (shown["clock"]["w"], shown["clock"]["b"]) == (30_000, 300_000)
        for number, (client, move) in enumerate(((bert, "e2e4"), (anna, "e7e5"), (bert, "g1f3"), (anna, "g8f6"))):
            await client.request("move", g=g, move=move, ply=number)
        after = (await anna.event(g, 4))["clock"]
        # Only Black has an increment.
        assert after["w"] <= 30_000
        assert 300_000 < after["b"] <= 303_000
        score = pgn(url, g)
        assert '[WhiteTimeControl "30"]' in score
        assert '[BlackTimeControl "300+3"]' in score
        await bert.request("resign", g=g)
        second = await rematch(g, bert, anna)
        assert snapshot(url, second)["tcs"] == {"w": BLITZ, "b": SHORT}


async def test_game_without_handicap_omits_the_field(url: str) -> None:
    async with Client(url, guest(url)[0]) as anna, Client(url, guest(url)[0]) as bert:
        assert "tcs" not in await seen(anna, await begin(anna, bert, opponent_tc=BLITZ))
