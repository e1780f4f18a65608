"""Spectators on two servers: lists and television of both are the same."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.integration.cluster.test_two_nodes import met, move
from tests.integration.running_simul import fetch
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from tests.integration.two_nodes import Pair
    from tests.wire_client import Message

SEEN_S = 0.1


async def asked(url: str, path: str) -> Any:
    """What ``path`` of the API answers."""
    return await asyncio.to_thread(fetch, url, path)


async def listed(url: str, *games: str) -> dict[str, Any]:
    """The lines of ``games``, as soon as the lists of a server have just these."""
    while True:
        best = {line["g"]: line for line in (await asked(url, "live"))["games"]}
        most_watched = {line["g"] for line in (await asked(url, "games?live=1"))["games"]}
        if best.keys() == most_watched == set(games):
            return best
        await asyncio.sleep(SEEN_S)


def shows(message: Message, game: str) -> bool:
    """Whether the best game is this one, from now on."""
    if message["t"] == "tv":
        return bool(message["channels"].get("best") == game)
    return message["t"] == "tv.game" and (message["channel"], message["g"]) == ("best", game)


async def test_lists_and_television_are_the_same_at_both_nodes(pair: Pair) -> None:
    urls = pair.a.url, pair.b.url
    async with (
        Client(urls[0], guest(urls[0])[0]) as anna,
        Client(urls[0], guest(urls[0])[0]) as ben,
        Client(urls[1], guest(urls[1])[0]) as cora,
        Client(urls[1], guest(urls[1])[0]) as dora,
        Client(urls[0]) as at_a,
        Client(urls[1]) as at_b,
    ):
        for viewer in (at_a, at_b):
            await viewer.request("sub", topic="tv")
        first = await met(anna, ben)
        for ply in range(2):
            await move((anna, ben)[ply % 2], first, ply)
        for viewer in (at_a, at_b):
            await viewer.wait(lambda message: shows(message, first))
        second = await met(cora, dora)
        for ply in range(3):
            await move((cora, dora)[ply % 2], second, ply)
        for url in urls:
            lines = await listed(url, first, second)
            assert (lines[first]["plies"], lines[second]["plies"]) == (2, 3)
            assert lines[first]["clock"]["run"] == "w"
            channels = (await asked(url, "tv"))["channels"]
            assert channels["best"]["g"] == first
            assert channels["best"]["position"] == lines[first]["position"]

        await anna.request("resign", g=first)
        for url in urls:
            await listed(url, second)
        for viewer in (at_a, at_b):
            await viewer.wait(lambda message: shows(message, second))

        # The other server goes on with what is shown, and has the games of the one that is gone.
        await asyncio.to_thread(pair.a.kill9)
        await listed(urls[1], second)
        assert (await asked(urls[1], "tv"))["channels"]["best"]["g"] == second
