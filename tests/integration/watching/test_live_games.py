"""The list of games in progress."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from typing import Any

from tests.integration.match import match
from tests.realtime.until import PAUSE_S, until
from tests.wire_client import WAIT_S, Client


def listed(url: str) -> list[dict[str, Any]]:
    """The list. Blocking."""
    with urllib.request.urlopen(f"{url}/api/v1/games?live=1", timeout=WAIT_S) as response:
        games: list[dict[str, Any]] = json.load(response)["games"]
    return games


async def test_list_of_live_games_follows_starts_and_ends(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as watched, match(url, "d2d4", "d7d5") as newer, match(url, "e2e4"):
        async with Client(url) as watcher:
            await watcher.sub(watched.g, ticks=False)
            expected, games = [(watched.g, 1), (newer.g, 0)], listed(url)
            while [(game["g"], game["watchers"]) for game in games] != expected:
                await asyncio.sleep(PAUSE_S)
                games = listed(url)
            first, shown = games[0], watched.snapshot()
            for field in ("tc", "speed", "variant", "rated", "position", "turn", "status"):
                assert first[field] == shown[field]
            assert first["last"] == "e7e5"
            assert first["clock"]["run"] == "w"
        await until(lambda: [game["g"] for game in listed(url)] == [newer.g, watched.g])
        await newer.white.request("resign", g=newer.g)
        await until(lambda: [game["g"] for game in listed(url)] == [watched.g])
