"""A game by the Laws between players at two nodes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.integration.by_laws import UNSUPERVISED, LawsMatch, agree
from tests.integration.match import snapshot
from tests.wire_client import Client, Refusal, guest

if TYPE_CHECKING:
    from tests.integration.two_nodes import Pair


async def test_game_by_the_laws_across_two_nodes_survives_a_kill_of_its_owner(pair: Pair) -> None:
    white_token, black_token = guest(pair.a.url)[0], guest(pair.b.url)[0]
    async with Client(pair.b.url, black_token) as black, Client(pair.b.url) as watcher:
        async with Client(pair.a.url, white_token) as white:
            g = await met(white, black)
            assert await black.refused("sub", topic=f"game:{g}") == "unsupported"
            for client in (white, black):
                await client.sub(g, ticks=False, legal=True, laws=True)
            await watcher.sub(g)
            m = LawsMatch(g, white, black)
            await m.heard(2)
            assert [event["t"] for event in black.events(g)] == ["seated", "seated"]
            await m.play("e2e4", "e7e5")
            await m.play("f1a3")  # over its own pawns, which nobody is told
            await m.black.request("touch", g=g, square="g8")
            bound = await black.wait(lambda message: message["t"] == "legal" and "g8f6" in (message["bound"] or ()))
            assert sorted(bound["bound"]) == ["g8e7", "g8f6", "g8h6"]
            await m.claim()
            end = await m.told("end")
            assert (end["result"], end["reason"]) == ("0-1", "illegal_move")
            assert [event["t"] for event in watcher.events(g)] == [event["t"] for event in black.events(g)]
            second = await met(white, black)
            m = LawsMatch(second, white, black)
            for client in (white, black):
                await client.sub(second, ticks=False, laws=True)
            await m.heard(2)
            await m.make("e2e4")
            await m.told("made")
        await asyncio.to_thread(pair.a.kill9)
        async with Client(pair.b.url, white_token) as again:
            shown = await again.sub(second, ticks=False, laws=True)
            assert shown["laws"]["made"]["move"] == "e2e4"
            m = LawsMatch(second, again, black)
            await m.press(key="p")
            m.played.append("e2e4")
            await m.play("e7e5")
            shown = await asyncio.to_thread(snapshot, pair.b.url, second)
            assert shown["moves"] == ["e2e4", "e7e5"]


async def met(white: Client, black: Client) -> str:
    """Start a game, as soon as the two nodes have found each other; its id."""
    while True:
        try:
            return await agree(white, black, laws=UNSUPERVISED)
        except Refusal as refusal:
            if refusal.code not in ("unavailable", "not_found"):
                raise
            await asyncio.sleep(0.1)
