"""Resumption of the lobby topic. The server is its own: no other test's game is announced."""

from __future__ import annotations

from tests.integration.lobby.test_flow_lobby import RING, guests, lobby_events, tc, watch_lobby
from tests.wire_client import Client

__all__ = ["tc"]  # a fixture


async def test_lobby_resume_delivers_missed_events(url: str, tc: dict[str, int]) -> None:
    async with guests(url, 2) as (one, watcher):
        await watch_lobby(watcher)
        for _ in range(3):
            await one.request("unseek", seek=(await one.request("seek", tc=tc))["seek"])
        await watcher.request("ping")
        events = lobby_events(watcher)[-6:]
        last = events[-1]["seq"]
        for codec in ("msgpack", "json"):
            for missed in (0, 1, 6):
                async with Client(url, codec=codec) as back:
                    answer = await back.request("sub", topic="lobby", **{"from": last - missed})
                    await back.request("ping")
                    assert answer["seq"] == last
                    assert lobby_events(back) == events[len(events) - missed :]
                    assert not [message for message in back.messages if message["t"] == "lobby"]
        for seen in (last + 1, last - RING - 1, 0):
            async with Client(url) as back:
                assert (await watch_lobby(back, **{"from": seen}))["seq"] == last
                assert lobby_events(back) == []
