"""Watching in a browser: the wall, all games being played, television, a game in a page of somebody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.scripted_games import ScriptedGames

if TYPE_CHECKING:
    from playwright.async_api import Locator

    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(180)

GAMES = 12


def tile(watcher: Person, g: str) -> Locator:
    """Of a game on the page."""
    return watcher.page.locator(f"[data-tile='{g}']")


def small(watcher: Person, g: str) -> Locator:
    """The game itself on its tile."""
    return tile(watcher, g).get_by_test_id("live-game")


async def order(watcher: Person, games: list[str]) -> None:
    """Wait until these games are on the wall, in this order, and in its address."""
    await expect(watcher.see("tiles")).to_have_attribute("data-count", str(len(games)))
    for index, g in enumerate(games):
        await expect(watcher.see("tiles").locator("> li").nth(index)).to_have_attribute("data-tile", g)
    await watcher.page.wait_for_url(f"**/wall?games={','.join(games)}" if games else "**/wall")


async def test_twelve_games_hang_side_by_side(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    async with ScriptedGames(server.url, GAMES) as games:
        await games.play(2)
        await watcher.open(f"/wall?games={','.join(games.ids)}")
        for g in games.ids:
            await expect(small(watcher, g)).to_have_attribute("data-ply", "2")
        assert await violations(watcher.page) == []
        await games.play(3)
        for g in games.ids:
            await expect(small(watcher, g)).to_have_attribute("data-ply", "5")
        # A bishop has come out in the first game: b5, as White sees it.
        bishop = tile(watcher, games[0].g).locator("piece.bishop.white")
        await expect(bishop.last).to_have_attribute("style", "transform: translate(100%, 300%);")
        await games[0].resign()
        await expect(tile(watcher, games[0].g).get_by_test_id("tile-end")).to_have_text("0-1 resignation")
        await expect(small(watcher, games[0].g)).to_have_attribute("data-status", "over")
        await expect(small(watcher, games[1].g)).to_have_attribute("data-status", "live")
        # As many hang on a telephone, one below the other.
        await watcher.page.set_viewport_size({"width": 390, "height": 844})
        await expect(tile(watcher, games[11].g)).to_be_attached()
        wide = await watcher.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390
        assert await violations(watcher.page) == []


async def test_a_wall_is_hung_otherwise_and_found_again(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    async with ScriptedGames(server.url, 3) as games:
        one, two, three = games.ids
        await watcher.open("/wall")
        await expect(watcher.see("empty-wall")).to_be_visible()
        await watcher.see("wall-add").fill(f"{one} {watcher.home}/game/{two}#3 nothing!")
        await watcher.see("wall-add").press("Enter")
        await expect(watcher.see("fault")).to_contain_text("nothing!")
        await order(watcher, [one, two])
        await watcher.see("wall-add").fill(f"{watcher.home}/embed/game/{three}")
        await watcher.see("wall-add").press("Enter")
        await order(watcher, [one, two, three])
        await expect(watcher.see("fault")).to_have_count(0)
        # By the keyboard: what was pressed keeps the focus.
        later = tile(watcher, one).get_by_test_id("wall-later")
        await later.press("Enter")
        await order(watcher, [two, one, three])
        await expect(later).to_be_focused()
        await later.press("Enter")
        await order(watcher, [two, three, one])
        await expect(tile(watcher, one).get_by_test_id("wall-earlier")).to_be_focused()
        # By hand.
        await tile(watcher, one).drag_to(tile(watcher, two))
        await order(watcher, [one, two, three])
        await tile(watcher, two).get_by_test_id("wall-off").click()
        await order(watcher, [one, three])
        # It is there again at the next visit, and a link shows it to others.
        link = watcher.page.url
        await watcher.open("/")
        await watcher.watch("Wall")
        await order(watcher, [one, three])
        other = await invite()
        await other.open(link.removeprefix(other.home))
        await order(other, [one, three])
        await games[0].play(1)
        for somebody in (watcher, other):
            await expect(small(somebody, one)).to_have_attribute("data-ply", "1")


async def test_a_wall_survives_games_that_are_not_there_and_a_lost_line(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    async with ScriptedGames(server.url, 1) as games:
        await watcher.open(f"/wall?games={games[0].g},nosuchgame")
        await expect(tile(watcher, "nosuchgame").get_by_test_id("tile-wait")).to_have_text("No such game")
        await expect(small(watcher, games[0].g)).to_have_attribute("data-ply", "0")
        await watcher.context.set_offline(True)
        await watcher.page.evaluate("dispatchEvent(new Event('offline'))")
        await games.play(2)
        await watcher.context.set_offline(False)
        await watcher.page.evaluate("dispatchEvent(new Event('online'))")
        await expect(small(watcher, games[0].g)).to_have_attribute("data-ply", "2", timeout=20_000)
        await tile(watcher, "nosuchgame").get_by_test_id("wall-off").click()
        await order(watcher, [games[0].g])
