"""The place of the large board at the desk of a simul: no event moves it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.browser.header import HEADER
from tests.browser.person import Person
from tests.browser.simuls.test_simul_desk import COVERED, LAID, announce, at_boards, joined, move
from tests.tiers import tiered

if TYPE_CHECKING:
    from tests.browser.conftest import Invite

pytestmark = pytest.mark.timeout(300)

STAYS = """
    const later = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => (ms === 7000 ? 0 : later(act, ms, ...more));
"""
"""Toasts stay."""


OPENING = (("e2e4", "e7e5"), ("g1f3", "b8c6"), ("f1c4", "f8c5"), ("d2d3", "d7d6"), ("c2c3", "g8f6"), ("f3e5", "c6e5"))
"""Moves of host and player; the last ones capture."""


@pytest.mark.parametrize(
    ("width", "height"), tiered([(390, 844), (1024, 768), (1440, 900)], quick=[(390, 844)], why="more screens")
)
async def test_no_event_moves_the_large_board(invite: Invite, width: int, height: int) -> None:
    size: Any = {"width": width, "height": height}
    host, one, two, watcher = await invite(viewport=size), await invite(), await invite(), await invite(viewport=size)
    await host.context.add_init_script(STAYS)
    simul = await announce(host, "White")
    await joined(one, two, simul=simul)
    await at_boards(host, one, two)
    await expect(host.see("simul")).to_have_attribute("data-at", re.compile(r"^\d"))
    await watcher.open(f"/simul/{simul}")
    await expect(watcher.page.locator(".simul-stage .squares")).to_have_attribute("style", re.compile("width"))
    laid = {who: await who.page.evaluate(LAID) for who in (host, watcher)}

    async def stands(*people: Person) -> None:
        for who in people:
            assert await who.page.evaluate(LAID) == laid[who]

    await host.see("auto-next").uncheck()
    await host.page.evaluate("scrollTo(0, 0)")
    player, other = (one, two) if await host.see("simul").get_attribute("data-shown") == "1" else (two, one)
    for ply, (mine, theirs) in enumerate(OPENING, 1):
        await move(host, mine)
        await player.play(theirs)
        await expect(host.see("moves")).to_have_attribute("data-plies", str(2 * ply))
        await stands(host)
    # The pace appears, and the material.
    await expect(host.see("simul-progress")).to_have_attribute("title", re.compile("per minute"))
    await expect(host.page.locator(".simul-stage .material piece")).to_have_count(2)
    await expect(watcher.see("simul-stage")).to_have_attribute("data-board", re.compile(r"\d"))
    await stands(host, watcher)
    # A toast covers neither the board nor what can be done there.
    await host.see("simul-jump").fill("7")
    await host.see("simul-jump").press("Enter")
    await expect(host.see("said")).to_be_visible()
    await host.page.evaluate("scrollTo(0, 0)")
    for name in ("draw", "resign"):
        assert not await host.page.evaluate(COVERED, name)
    await host.see("said").locator("button").click()
    # Chat, while it is not shown.
    await host.click("tab-tools")
    await player.see("chat-text").fill("good luck")
    await player.page.keyboard.press("Enter")
    await expect(host.see("chat-unread")).to_be_visible()
    await stands(host)
    await host.click("tab-chat")
    await expect(host.see("chat-unread")).to_have_count(0)
    await expect(host.see("chat-lines")).to_contain_text("good luck")
    await stands(host)
    # A break.
    await host.click("simul-break")
    await host.click("break-begin")
    for who in (host, watcher):
        await expect(who.see("simul-stands")).to_be_visible()
    await stands(host, watcher)
    await host.click("break-over")
    await expect(host.see("simul-stands")).to_have_count(0)
    # Another board ends.
    await other.click("resign")
    await other.click("resign")
    await expect(host.see("simul-latest")).to_be_visible()
    await stands(host, watcher)
    # The host is gone.
    await host.page.goto("about:blank")
    await expect(watcher.page.locator(".simul-stands")).to_be_visible()
    await stands(watcher)


async def test_chip_of_a_simul_moves_no_board(invite: Invite) -> None:
    host, player = await invite(viewport={"width": 390, "height": 844}), await invite()
    tab = Person(host.context, await host.context.new_page(), host.home)
    simul = await announce(tab, "White")
    await joined(player, simul=simul)
    # A game of the host, in which nothing runs.
    await host.open("/?create")
    await host.page.locator("form label").get_by_text("Unlimited", exact=True).click()
    await host.click("self")
    await host.at_game()
    field = host.page.locator(".field")
    box = await field.bounding_box()
    await tab.click("simul-start")
    await expect(host.see("hosted-simul")).to_contain_text("1 waiting")
    assert await field.bounding_box() == box
    for width in (320, 390, 768, 1024):
        await host.page.set_viewport_size({"width": width, "height": 844})
        assert await host.page.evaluate(HEADER) == [], width
    # At the board itself the number stays.
    g = await player.at_game()
    await host.open(g)
    await expect(host.see("hosted-simul")).to_contain_text("1 waiting")
    await expect(host.see("own-game")).to_be_visible()
    for width in (320, 390, 768, 1024):
        await host.page.set_viewport_size({"width": width, "height": 844})
        assert await host.page.evaluate(HEADER) == [], width
