"""Games by the Laws that the public sees later: what belongs to a move is as late as that move."""

from __future__ import annotations

import asyncio

from tests.integration.by_laws import RAPID, SEATED, UNSUPERVISED, by_laws
from tests.integration.match import snapshot
from tests.wire_client import Client

KINDS = ("touch", "made", "move", "ruling")


async def test_parts_of_a_move_are_as_late_as_the_move(url: str) -> None:
    """With a delay of one move of each side."""
    async with by_laws(url, delay_moves=1) as m, Client(url) as stranger:
        shown = await stranger.sub(m.g)
        assert shown["laws"]["seated"] == {"w": False, "b": False}
        await m.white.request("touch", g=m.g, square="e2")
        await m.make("e2e5")
        await m.press()
        await m.play("e2e4", "e7e5")
        start = stranger.messages.index(await stranger.request("ping"))
        assert [event["t"] for event in stranger.events(m.g)] == ["seated", "seated"]
        public = await asyncio.to_thread(snapshot, url, m.g)
        assert (public["seq"], public["laws"]["illegal"], public["laws"]["touched"]) == (SEATED, {"w": 0, "b": 0}, [])
        await m.play("g1f3")
        await stranger.wait(lambda message: message["t"] == "move" and message["ply"] == 0, start)
        told = stranger.events(m.g)[SEATED:]
        assert [event["t"] for event in told] == ["touch", "made", "ruling", "made", "move"]
        assert [event["seq"] for event in told] == [3, 4, 5, 6, 7]
        await m.white.request("resign", g=m.g)
        await stranger.wait(lambda message: message["t"] == "end")
        seen = [(event["seq"], event["t"]) for event in stranger.events(m.g)]
        assert seen == [(event["seq"], event["t"]) for event in m.white.events(m.g)]


async def test_touches_are_shown_after_the_seconds_agreed(url: str) -> None:
    async with by_laws(url, delay_s=1, tc=RAPID, laws=UNSUPERVISED) as m, Client(url) as stranger:
        await stranger.sub(m.g)
        await m.white.request("touch", g=m.g, square="e2")
        await m.told("touch")
        assert "touch" not in {event["t"] for event in stranger.events(m.g)}
        await stranger.wait(lambda message: message["t"] == "touch")
