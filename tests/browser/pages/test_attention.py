"""Effects of the browser outside the page: the tab calls the player, the screen stays on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(120)

CALLING, CALM = "/icon-move.svg", "/icon.svg"

LOCKS = """
window.locks = [];
Object.defineProperty(navigator, 'wakeLock', { value: {
  async request() {
    if (window.refused) throw new DOMException('low battery', 'NotAllowedError');
    const lock = { released: false, async release() { lock.released = true; } };
    locks.push(lock);
    return lock;
  },
} });
window.hide = (hidden) => {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  if (hidden) for (const lock of locks) lock.released = true;
  document.dispatchEvent(new Event('visibilitychange'));
};
"""
"""Headless browsers have no screen: a lock as the standard describes it (Screen Wake Lock §6.1: a document that is
hidden has its locks released), and a way to hide the page."""


async def wears(person: Person, icon: str) -> None:
    await expect(person.page.locator("link[rel=icon]")).to_have_attribute("href", icon)


async def holds(person: Person, made: int, *, held: bool) -> None:
    """Wait until the page has asked for that many locks, and the last of them is held or not."""
    await person.page.wait_for_function(
        "([made, held]) => locks.length === made && locks.at(-1).released !== held", arg=[made, held]
    )


async def test_title_and_icon_alert_the_side_to_move(invite: Invite) -> None:
    white, black = await invite(), await invite()
    await white.open("/?create")
    await white.choose("White")
    await white.click("challenge")
    await white.page.wait_for_url("**/challenge/*")
    await wears(white, CALM)
    await black.open(white.page.url.removeprefix(white.home))
    await black.click("accept")
    await black.at_game()
    await white.at_game()
    for number, move in enumerate(("e2e4", "e7e5", "g1f3")):
        mover, waiter = (white, black) if number % 2 == 0 else (black, white)
        await expect(mover.page).to_have_title(re.compile("^Your move · "))
        await wears(mover, CALLING)
        await expect(waiter.page).not_to_have_title(re.compile("^Your move"))
        await wears(waiter, CALM)
        await mover.play(move)
    # Also from another page, and no more when the game is over.
    await black.watch("Live games")
    await wears(black, CALLING)
    await white.click("resign")
    if await white.see("resign").count():
        await white.click("resign")
    await wears(black, CALM)
    await expect(black.page).to_have_title(re.compile("^Games in progress"))
    for icon in (CALLING, CALM):
        answer = await white.context.request.get(white.home + icon)
        assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")


async def test_wake_lock_lasts_while_playing(invite: Invite) -> None:
    somebody = await invite()
    await somebody.page.add_init_script(LOCKS)
    await somebody.open("/?create")
    assert await somebody.page.evaluate("locks.length") == 0
    await somebody.click("self")
    await somebody.at_game()
    await holds(somebody, 1, held=True)
    # What the browser took when the page was hidden is asked for again when it is shown, once.
    await somebody.page.evaluate("hide(true)")
    await holds(somebody, 1, held=False)
    await somebody.page.evaluate("hide(false)")
    await holds(somebody, 2, held=True)
    await somebody.play("e2e4")
    await holds(somebody, 2, held=True)
    await somebody.page.get_by_role("link", name="Play", exact=True).click()
    await holds(somebody, 2, held=False)
    await somebody.page.evaluate("hide(true); hide(false)")
    await holds(somebody, 2, held=False)


async def test_refused_wake_lock_is_no_error(invite: Invite) -> None:
    somebody = await invite()
    await somebody.page.add_init_script(LOCKS + "window.refused = true;")
    await somebody.open("/?create")
    await somebody.click("self")
    await somebody.at_game()
    await somebody.play("e2e4")
    await somebody.sees_plies(1)
    await somebody.page.evaluate("window.refused = false; hide(true); hide(false)")
    await holds(somebody, 1, held=True)
