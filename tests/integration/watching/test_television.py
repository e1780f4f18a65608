"""Television on a server without other games."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx

from tests.integration.match import match
from tests.integration.running_simul import fetch
from tests.integration.watching.test_watching import followed
from tests.realtime.until import until
from tests.wire_client import WAIT_S, Client

if TYPE_CHECKING:
    from tests.server_process import ServerProcess


EMBEDDED = True

TEN_PLIES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "d2d3", "d7d6")


async def got(url: str, path: str) -> Any:
    async with httpx.AsyncClient(base_url=url, timeout=WAIT_S) as client:
        response = await client.get(f"/api/v1/{path}")
    assert response.status_code == 200
    return response.json()


async def test_channel_switches_between_games(url: str) -> None:
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
            assert [m["seq"] - tv["seq"] for m in viewer.messages if m["t"] == "tv.game"] == [1, 2, 3]
            snapshot = await stream.next()
            assert (snapshot["t"], snapshot["g"], snapshot["moves"]) == ("game", first.g, ["e2e4", "e7e5"])
            await first.play("g1f3")
            assert (await stream.next())["move"] == "g1f3"
            channels = (await got(url, "tv"))["channels"]
            assert {name: card["g"] for name, card in channels.items()} == dict.fromkeys(
                ("best", "chess", "blitz"), first.g
            )
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
                best = await viewer.wait(lambda m: m["t"] == "tv.game" and (m["channel"], m["g"]) == ("chess", other.g))
                ended = (await got(url, "tv"))["channels"]["blitz"]
                assert (ended["g"], ended["status"], ended["result"]) == (first.g, "over", "1-0")
                await viewer.request("unsub", topic="tv")
                there = len(viewer.messages)
                async with match(url, "b2b3", "b7b6") as second, Client(url) as delayed:
                    await delayed.request("sub", topic="tv", **{"from": best["seq"]})
                    shown = await delayed.wait(lambda m: m["t"] == "tv.game")
                    assert (shown["seq"], shown["channel"], shown["g"]) == (best["seq"] + 1, "blitz", second.g)
                    assert (await stream.next())["g"] == second.g
                    assert not any(message["t"].startswith("tv") for message in viewer.messages[there:])
                    async with Client(url, codec="json") as again:
                        await again.request("sub", topic="tv", **{"from": tv["seq"] - 1})
                        now = await again.wait(lambda m: m["t"] == "tv")
                        assert now["channels"] == {
                            **dict.fromkeys(("best", "chess", "chess960"), other.g),
                            "blitz": second.g,
                        }


async def test_channels_survive_a_restart(server: ServerProcess) -> None:
    url = server.url
    async with (
        match(url, *TEN_PLIES, tc={"base_s": 900}) as rapid,
        match(url, *TEN_PLIES, tc={"base_s": 900}) as later,
        match(url, "e2e4", "e7e5", tc={"base_s": 900}) as tiny,
        match(url, "d2d4", "d7d5", tc={"base_s": 901}, delay_s=1) as hidden,
        match(url, "e2e4", tc={"base_s": 902}) as unbegun,
        match(url, "c2c4", "c7c5", tc={"base_s": 60}) as bullet,
    ):
        await rapid.black.request("resign", g=rapid.g)
        await later.black.request("resign", g=later.g)
        await tiny.black.request("resign", g=tiny.g)
        await hidden.black.request("resign", g=hidden.g)
        await unbegun.black.request("abort", g=unbegun.g)
        await asyncio.to_thread(server.kill9)
        await asyncio.to_thread(server.start)
        shown: dict[str, Any] = {}

        async def is_told() -> bool:
            shown.update((await asyncio.to_thread(fetch, url, "tv"))["channels"])
            return {"best", "bullet", "rapid"} <= shown.keys()

        await until(is_told)
        assert shown["bullet"]["g"] == bullet.g
        card = shown["rapid"]
        assert (card["g"], card["status"], card["result"]) == (later.g, "over", "1-0")
        assert card["created"] < card["ended"]
        assert set(shown) <= {"best", "chess", "bullet", "blitz", "rapid", "chess960"}
        async with Client(url) as viewer:
            await viewer.request("sub", topic="tv")
            assert (await viewer.wait(lambda m: m["t"] == "tv"))["channels"]["rapid"] == later.g
