"""A simul and the lobby in Firefox and WebKitGTK."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.engines.test_firefox_and_webkit import SCROLLBARS
from tests.browser.engines.visitor import DATA, PHONE
from tests.browser.scripted_games import ScriptedGames
from tests.browser.seats import TEN_MINUTES, seat
from tests.browser.simuls.test_simul_desk import CUT, FILLED

if TYPE_CHECKING:
    from tests.browser.engines.conftest import Welcome
    from tests.browser.engines.visitor import Visitor
    from tests.server_process import ServerProcess

pytestmark = [pytest.mark.slow("other browsers"), pytest.mark.timeout(300)]


async def test_simul_of_a_host_and_two_players(server: ServerProcess, welcome: Welcome) -> None:
    host, players, watcher = await welcome(), (await welcome(size=PHONE), await welcome()), await welcome()
    simul = await announced(server, host)
    for player in players:
        await player.open(simul)
        await player.click("simul-join")
        await player.reads("simul-you", "Your board opens")
    await host.click("simul-start")
    for player in players:
        await player.at_game()
    await host.shows("simul-grid", "count", "2")
    for width in (1024, 1280, 1440):
        await host.page.resize(width, 800)
        await host.until("(width) => innerWidth === width", width)
        await host.until("() => document.querySelectorAll('.simul-times i').length === 4")
        await host.until(FILLED)
        assert await host.page.call(CUT) == 0, width
        assert await host.page.call(SCROLLBARS) == [], width

    await watcher.open(simul)
    await play_at_both(host, "e2e4")
    for player in players:
        await player.sees_plies(1)
        await player.play("e7e5")
    await host.until("() => document.querySelectorAll('.simul-cell[data-turn=host]').length === 2")
    await play_at_both(host, "d1h5")
    for player in players:
        await player.sees_plies(3)
        await player.click("resign")
        await player.click("resign")
        await player.reads("end", "resignation")
    for visitor in (host, watcher):
        await visitor.shows("simul", "status", "finished")
        await visitor.reads("simul-score", "2 wins")


async def announced(server: ServerProcess, host: Visitor) -> str:
    """Let ``host`` announce a simul that accepts everybody, and open it; return its path."""
    one = await seat(server)
    terms = {"name": "Evening", "tc": {"base_s": 3600, "inc_s": 5}, "auto_accept": True, "host_color": "w"}
    async with one.client:
        path = f"/simul/{(await one.client.request('simul.create', **terms))['simul']}"
    await host.sit(one, path)
    return path


async def play_at_both(host: Visitor, move: str) -> None:
    """Play ``move`` at the board that is shown, and at the other when the page has gone on to it."""
    shown = await host.data("simul", "shown")
    await host.play(move)
    await host.until(f"(shown) => ({DATA})('simul', 'shown') !== shown", shown)
    await host.play(move)


async def test_lobby_pairs_lists_and_shows_games(server: ServerProcess, welcome: Welcome) -> None:
    one, other, waiting = await welcome(), await welcome(size=PHONE), await seat(server)
    async with waiting.client, ScriptedGames(server.url, 3) as games:
        await games.play(6)
        await waiting.client.request("seek", tc=TEN_MINUTES)
        for visitor in (one, other):
            await visitor.open("/")
            await visitor.reads("seeks", waiting.user["name"])
            await visitor.until("() => document.querySelectorAll('.mini, .still').length >= 3")
            assert await visitor.page.call(SCROLLBARS) == []
        await one.click("accept")
        path = await one.at_game()
        paired = await waiting.client.wait(lambda m: m["t"] == "paired")
        assert path == f"/game/{paired['g']}"
        await other.until("() => document.querySelector('[data-testid=seeks]') === null")
        await one.click("abort")
        await one.shows("game", "status", "over")

    await one.open("/")
    await one.click("quick-3+2")
    await other.reads("counts-3+2", "1 waiting")
    await other.click("quick-3+2")
    assert await one.at_game() == await other.at_game()
