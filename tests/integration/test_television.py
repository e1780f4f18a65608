"""Television on a server where nothing else is played."""

from __future__ import annotations

from typing import Any

import httpx

from tests.integration.match import match
from tests.integration.test_watching import followed
from tests.wire_client import WAIT_S, Client


async def got(url: str, path: str) -> Any:
    async with httpx.AsyncClient(base_url=url, timeout=WAIT_S) as client:
        response = await client.get(f"/api/v1/{path}")
    assert response.status_code == 200
    return response.json()


async def test_a_channel_goes_from_game_to_game(url: str) -> None:
    async with Client(url) as viewer, followed(url, "tv/blitz") as stream:
        empty = await viewer.request("sub", topic="tv")
        tv = await viewer.wait(lambda m: m["t"] == "tv")
        assert (tv["seq"], tv["channels"]) == (empty["seq"], {})
        assert await got(url, "tv") == {"channels": {}}
        async with (
            match(url, "e2e4", delay_moves=3) as hidden,
            match(url, "d2d4", "d7d5", tc=None) as slow,
            match(url, "e2e4", "e7e5") as first,
        ):
            await viewer.wait(lambda m: m["t"] == "tv.game" and (m["channel"], m["g"]) == ("best", first.g))
            await viewer.wait(lambda m: m["t"] == "tv.game" and (m["channel"], m["g"]) == ("blitz", first.g))
            assert [m["seq"] for m in viewer.messages if m["t"] == "tv.game"] == [tv["seq"] + 1, tv["seq"] + 2]
            snapshot = await stream.next()
            assert (snapshot["t"], snapshot["g"], snapshot["moves"]) == ("game", first.g, ["e2e4", "e7e5"])
            await first.play("g1f3")
            assert (await stream.next())["move"] == "g1f3"
            channels = (await got(url, "tv"))["channels"]
            assert {name: card["g"] for name, card in channels.items()} == {"best": first.g, "blitz": first.g}
            assert channels["best"]["last"] == "g1f3"
            listed = {card["g"] for card in (await got(url, "live"))["games"]}
            assert listed == {slow.g, first.g}
            assert [card["g"] for card in (await got(url, "live?speed=blitz&variant=standard"))["games"]] == [first.g]
            assert hidden.g not in listed
            async with match(url, "c2c4", "c7c5", variant="chess960", position=518) as other:
                shown = await viewer.wait(lambda m: m["t"] == "tv.game" and m["channel"] == "chess960")
                assert shown["g"] == other.g
                await first.black.request("resign", g=first.g)
                assert (await stream.next())["result"] == "1-0"
                best = await viewer.wait(lambda m: m["t"] == "tv.game" and (m["channel"], m["g"]) == ("best", other.g))
                ended = (await got(url, "tv"))["channels"]["blitz"]
                assert (ended["g"], ended["status"], ended["result"]) == (first.g, "over", "1-0")
                await viewer.request("unsub", topic="tv")
                there = len(viewer.messages)
                async with match(url, "b2b3", "b7b6") as second, Client(url) as late:
                    await late.request("sub", topic="tv", **{"from": best["seq"]})
                    shown = await late.wait(lambda m: m["t"] == "tv.game")
                    assert (shown["seq"], shown["channel"], shown["g"]) == (best["seq"] + 1, "blitz", second.g)
                    assert (await stream.next())["g"] == second.g
                    assert not any(message["t"].startswith("tv") for message in viewer.messages[there:])
                    async with Client(url, codec="json") as again:
                        await again.request("sub", topic="tv", **{"from": tv["seq"] - 1})
                        now = await again.wait(lambda m: m["t"] == "tv")
                        assert now["channels"] == {"best": other.g, "blitz": second.g, "chess960": other.g}
