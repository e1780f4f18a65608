"""The header: chips of games, searches and simuls fit into it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.games.test_game_page import alone, middle
from tests.browser.header import HEADER

if TYPE_CHECKING:
    from tests.browser.conftest import Invite

pytestmark = pytest.mark.timeout(120)


async def test_chips_fit_into_the_header(invite: Invite) -> None:
    somebody, friend, other = await invite(), await invite(), await invite()
    for games in (1, 2, 3):
        await somebody.open("/?create")
        await somebody.click("self")
        path = await somebody.at_game()
        chip = somebody.see("own-game" if games == 2 else "activity")
        await expect(chip).to_have_count(0 if games == 1 else 1)
        for width in (320, 390, 768, 1024, 1200):
            await somebody.page.set_viewport_size({"width": width, "height": 800})
            assert await somebody.page.evaluate(HEADER) == [], (games, width)
    # The list of games closes when one is chosen, that of invitations when one is accepted.
    await somebody.click("activity")
    await somebody.see("activity-list").locator("a").first.click()
    await expect(somebody.page).not_to_have_url(re.compile(path))
    await expect(somebody.see("activity-list")).to_be_hidden()
    await somebody.open("/")
    for sender in (friend, other):
        await sender.open(f"/?to={(await somebody.see('user').inner_text()).strip()}")
        await sender.click("invite")
        await sender.page.wait_for_url("**/challenge/*")
    await expect(somebody.see("inbox").get_by_text("2")).to_be_visible()
    await somebody.click("inbox")
    await somebody.see("inbox-accept").first.click()
    await somebody.at_game()
    await expect(somebody.see("invitations")).to_be_hidden()


async def test_press_outside_of_a_menu_only_closes_it(invite: Invite) -> None:
    somebody = await invite()
    await alone(somebody)
    for menu, opened in (("inbox", "invitations"), ("watch", "")):
        await somebody.click(menu)
        shown = somebody.see(opened) if opened else somebody.page.locator("#watch-menu")
        await expect(shown).to_be_visible()
        await somebody.page.get_by_role("link", name="Simuls", exact=True).click()
        await expect(shown).to_be_hidden()
        await somebody.click(menu)
        await expect(shown).to_be_visible()
        await somebody.page.mouse.click(*await middle(somebody, "e2"))
        await expect(shown).to_be_hidden()
        await expect(somebody.see("board").locator("square.selected")).to_have_count(0)
    await somebody.at_game()
    # The next press counts, and a menu closes by its own button.
    await somebody.click("inbox")
    await somebody.click("inbox")
    await expect(somebody.see("invitations")).to_be_hidden()
    await somebody.play("e2e4")


async def test_tap_outside_of_a_menu_only_closes_it(invite: Invite) -> None:
    somebody = await invite(viewport={"width": 390, "height": 844}, has_touch=True)
    await alone(somebody)
    await somebody.see("inbox").tap()
    await expect(somebody.see("invitations")).to_be_visible()
    await somebody.page.touchscreen.tap(*await middle(somebody, "e2"))
    await expect(somebody.see("invitations")).to_be_hidden()
    await expect(somebody.see("board").locator("square.selected")).to_have_count(0)
    await somebody.page.touchscreen.tap(*await middle(somebody, "e2"))
    await expect(somebody.see("board").locator("square.selected")).to_have_count(1)
