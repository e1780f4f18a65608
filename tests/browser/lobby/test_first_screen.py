"""The lobby's first screen: people who wait in pools, counts, the featured game, and places that do not move."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.members import member
from tests.browser.scripted_games import ScriptedGames
from tests.tiers import tiered

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)

PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1440, "height": 900}

PLACES = ".lobby-quick, .pools, .lobby-tv, .featured .still, .lobby-simuls, .lobby-seeks"

WATCH = f"""
(() => {{
  window.places = new Set();
  const look = () => {{
    const found = [...document.querySelectorAll({PLACES!r})];
    const at = found.map((place) => {{
      const {{ x, y, width, height }} = place.getBoundingClientRect();
      return [place.classList[0], ...[x, y, width, height].map(Math.round)].join(' ');
    }});
    if (found.length > 0) places.add(at.join('; '));
    requestAnimationFrame(look);
  }};
  look();
}})();
"""
"""Runs before the page's own scripts: collects where the places are in each frame."""


async def test_a_casual_waiter_is_taken_by_a_click(invite: Invite) -> None:
    one, other, third = await invite(), await invite(), await invite()
    await one.open("/")
    await other.open("/")
    await third.open("/")
    await one.click("quick-15+10")
    await expect(one.see("pool")).to_be_visible()
    name = await one.see("user").text_content() or ""
    for person in (other, third):
        row = person.see("seeks").get_by_role("listitem").filter(has_text=name)
        await expect(row).to_have_attribute("data-fit", "fits")
        await expect(row).to_contain_text("15+10")
        await expect(person.see("counts-15+10")).to_have_text("1 waiting")
    # Nobody waits for themselves.
    await expect(one.see("counts-15+10")).to_have_text("")
    await expect(one.see("seeks").get_by_role("listitem").filter(has_text=name)).to_have_attribute("data-fit", "own")
    assert await violations(other.page) == []

    # One's own row ends the search, and the row is gone for all.
    await one.see("seeks").get_by_test_id("unseek").click()
    await expect(one.see("pool")).to_have_count(0)
    row = other.see("seeks").get_by_role("listitem").filter(has_text=name)
    await expect(row).to_have_count(0)
    await one.click("quick-30+20")
    await row.get_by_test_id("accept").click()
    assert await other.at_game() == await one.at_game()
    await expect(third.see("seeks").get_by_role("listitem").filter(has_text=name)).to_have_count(0)
    await expect(one.see("pool")).to_have_count(0)
    await one.click("abort")


async def test_rated_pools_show_counts_only(invite: Invite) -> None:
    one, other = await member(invite, "Rita"), await member(invite, "Rolf")
    await one.click("quick-1+0")
    await expect(one.see("pool")).to_contain_text("1+0, rated")
    await expect(other.see("counts-1+0")).to_have_text("1 waiting")
    # The list of who is online may name them; the open challenges do not.
    await expect(other.see("seeks").get_by_text("Rita")).to_have_count(0)
    # They look for a casual game: nobody waits for one, and they are told of the rated one.
    await other.see("quick-rated").uncheck()
    await expect(other.see("counts-1+0")).to_have_text("1 rated waiting")
    await other.click("quick-1+0")
    await expect(other.see("quick-hint")).to_contain_text("1 player is waiting for a rated 1+0 game.")
    assert await violations(other.page) == []
    # So is who waits, of the casual one; it is one click to play.
    await expect(one.see("quick-hint")).to_contain_text("1 player is waiting for a casual 1+0 game.")
    await other.click("quick-else")
    assert await other.at_game() == await one.at_game()
    await one.click("abort")


async def test_a_guest_is_told_of_rated_and_other_games(invite: Invite) -> None:
    one, other, third = await member(invite, "Runa"), await invite(), await invite()
    await one.click("quick-3+2")
    await expect(one.see("pool")).to_contain_text("3+2, rated")
    await other.open("/")
    await other.click("quick-3+2")
    await expect(other.see("quick-hint").get_by_role("link", name="Sign up")).to_be_visible()
    await one.click("pool-stop")
    await third.open("/")
    await third.click("quick-5+3")
    # After ten seconds.
    await third.see("quick-else").click(timeout=20_000)
    assert await third.at_game() == await other.at_game()
    await third.click("abort")


async def test_the_best_game_is_shown_and_counted(invite: Invite) -> None:
    white, black, watcher = await invite(), await invite(), await invite()
    await white.open("/")
    await white.click("quick-10+5")
    await expect(white.see("pool")).to_be_visible()
    await black.open("/")
    await black.click("quick-10+5")
    path = await white.at_game()
    await black.at_game()
    if await white.see("board").get_attribute("data-bottom") == "b":
        white, black = black, white
    await white.play("e2e4")
    await black.play("e7e5")
    await watcher.open("/")
    shown = watcher.see("featured-game")
    await expect(shown).to_have_attribute("href", path)
    await expect(watcher.see("featured-state")).to_have_text("Live")
    await expect(shown).to_have_attribute("data-ply", "2")
    await expect(watcher.see("counts-10+5")).to_have_text("2 playing")
    await white.play("g1f3")
    await expect(shown).to_have_attribute("data-ply", "3")
    await white.click("resign")
    if await white.see("resign").count():
        await white.click("resign")
    await expect(watcher.see("featured-state")).to_have_text("Just finished")
    await expect(shown).to_have_attribute("data-status", "over")


@pytest.mark.parametrize(
    "viewport", tiered([PHONE, DESKTOP], quick=[DESKTOP], why="more screens"), ids=["phone", "desktop"]
)
async def test_nothing_moves_when_data_arrives(invite: Invite, viewport: dict[str, int]) -> None:
    waiting, person = await invite(), await invite(viewport=viewport)
    await waiting.open("/")
    await waiting.click("quick-5+0")
    await expect(waiting.see("pool")).to_be_visible()
    await person.page.add_init_script(WATCH)
    await person.open("/")
    await expect(person.see("counts-5+0")).to_have_text("1 waiting")
    await expect(person.see("featured").locator(".featured-state")).to_be_visible()
    await expect(person.see("count")).to_contain_text("online")
    await asyncio.sleep(1)
    assert len(await person.page.evaluate("[...places]")) == 1, await person.page.evaluate("[...places].join('\\n')")
    await waiting.click("pool-stop")


async def test_the_lobby_names_who_is_online(invite: Invite) -> None:
    one, other = await member(invite, "Oona"), await invite()
    await other.open("/")
    names = other.see("online-names")
    # The server renews the list every ten seconds, the lobby asks every minute.
    await expect(names.get_by_role("link", name="Online now")).to_have_attribute("href", "/players")
    async with asyncio.timeout(30):
        while not await names.get_by_role("link", name="Oona").count():
            await asyncio.sleep(1)
            await other.open("/")
    await other.see("count").get_by_role("link", name="online").click()
    await expect(other.see("online")).to_contain_text("Oona")
    assert await violations(other.page) == []
    # One's own name is not news.
    await one.open("/")
    await expect(one.see("online-names").get_by_role("link", name="Oona")).to_have_count(0)


@pytest.mark.slow("waits for a page to change by itself")
async def test_a_replay_stands_still_on_request(invite: Invite, server: ServerProcess) -> None:
    async with ScriptedGames(server.url, 1) as games:
        await games.play(12)
        await games[0].resign()
        still = await invite(reduced_motion="reduce", forced_colors="active")
        await still.open("/")
        shown = still.see("featured-game")
        # First the end of the last game, if it was the best one; then replays.
        await expect(still.see("featured")).to_contain_text("Replay", timeout=30_000)
        await expect(shown).to_have_attribute("data-status", "over")
        await asyncio.sleep(3)
        await expect(shown).to_have_attribute("data-status", "over")
        assert await violations(still.page) == []
        look = "getComputedStyle(document.querySelector('.featured .still')).forcedColorAdjust"
        assert await still.page.evaluate(look) == "none"
        await still.page.get_by_role("button", name="Play replay").click()
        await expect(shown).to_have_attribute("data-ply", "2")
        await still.page.get_by_role("button", name="Pause replay").click()
        ply = await shown.get_attribute("data-ply") or ""
        await asyncio.sleep(2)
        await expect(shown).to_have_attribute("data-ply", ply)
        # The choice is kept.
        await still.open("/")
        await expect(still.page.get_by_role("button", name="Play replay")).to_be_visible(timeout=30_000)
