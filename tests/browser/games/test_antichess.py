"""Antichess on pages: the form, forced captures, promotion to a king, the win of the side without pieces."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.seats import middle

if TYPE_CHECKING:
    from tests.browser.conftest import Invite

pytestmark = pytest.mark.timeout(120)

START = "1n6/P7/8/8/8/8/K7/7r w - - 0 1"

LINE = ("a7b8k", "h1h8", "b8c8", "h8c8", "a2b2", "c8c2", "b2c2")
"""The first capture, the fourth move and the last are compulsory."""

NOTATION = ["axb8=K", "Rh8", "Kc8", "Rxc8", "Kb2", "Rc2", "Kxc2"]


async def test_a_game_of_antichess(invite: Invite) -> None:
    white, black, watcher = await invite(), await invite(), await invite()
    await white.open("/?create")
    await white.choose("Antichess", "White", "10+5")
    await white.see("how").locator("summary").click()
    await expect(white.see("how")).to_contain_text("Lose all your pieces")
    await white.advanced()
    await white.see("position").check()
    await white.see("fen").fill("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    await expect(white.see("fen-fault")).to_contain_text("castling right")
    await white.see("fen").fill(START)
    await expect(white.see("fen-fault")).to_have_text("")
    await expect(white.see("setup-board")).to_have_attribute("data-fen", START)
    await white.click("challenge")
    await expect(white.see("terms")).to_contain_text("Antichess")
    assert await violations(white.page) == []
    await black.open((await white.see("link").input_value()).removeprefix(black.home))
    await black.click("accept")
    path, _ = await asyncio.gather(white.at_game(), black.at_game())
    await watcher.open(path)
    await expect(white.page.locator(".about-game")).to_contain_text("Antichess")

    # Only where it captures may the pawn go, and the king, which could step aside, nowhere.
    shown = white.see("board").locator("cg-board square.move-dest")
    await white.page.mouse.click(*await middle(white, "a2"))
    await expect(shown).to_have_count(0)
    await white.page.mouse.click(*await middle(white, "a7"))
    await expect(shown).to_have_count(1)
    await white.page.mouse.click(*await middle(white, "b8"))
    chooser = white.see("promotion").locator("button")
    await expect(chooser).to_have_count(5)
    await expect(white.see("promote-k")).to_have_attribute("aria-label", "King")
    assert await violations(white.page) == []
    await white.click("promote-k")
    for ply, move in list(enumerate(LINE))[1:]:
        await (white, black)[ply % 2].play(move)
    for person in (white, black, watcher):
        await person.sees_plies(len(LINE))
        assert [move for move in await person.score() if move != "…"] == NOTATION
        await expect(person.see("result")).to_have_text("0-1")
        await expect(person.see("end")).to_contain_text("all pieces captured")
        await expect(person.see("board").locator("square.check")).to_have_count(0)
    await expect(white.see("outcome")).to_have_text("You lose")
    await expect(black.see("outcome")).to_have_text("You win")
    pgn = await watcher.page.request.get(f"{watcher.home}{await watcher.see('pgn').get_attribute('href')}")
    text = await pgn.text()
    assert '[Variant "Antichess"]' in text
    assert "axb8=K" in text
