"""The mark of a bot beside its name, everywhere."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.members import member as member_at
from tests.browser.people.test_people import ask
from tests.wire_client import PASSWORD, Client, member

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)

MARKED, CALLED = re.compile(r"Robby\s+Bot"), "Robby (bot)"


async def test_a_bot_is_marked_wherever_it_is_named(server: ServerProcess, invite: Invite) -> None:
    token, _ = await asyncio.to_thread(member, server.url, "Robby")
    await asyncio.to_thread(ask, server.url, "/api/v1/account/bot", token, {"password": PASSWORD})
    one, watcher = await member_at(invite, "Isaac", viewport={"width": 390, "height": 844}), await invite()
    async with Client(server.url, token) as bot:
        await bot.request("seek", tc=None, color="w")
        await bot.request("challenge", tc=None, to="Isaac")
        await expect(one.see("said")).to_contain_text(f"{CALLED} invites you")
        # Announced once.
        await expect(one.see("inbox-status")).to_be_empty()
        seek = one.see("seeks").get_by_role("listitem").filter(has_text="Robby")
        await expect(seek).to_contain_text(MARKED)
        await one.click("view-graph")
        await expect(one.see("graph").locator("title")).to_have_text([f"{CALLED} no clock"])
        await one.click("view-list")
        await seek.get_by_test_id("accept").click()
        g = (await one.at_game()).rpartition("/")[2]
        await bot.sub(g)
        await bot.request("move", g=g, move="e2e4", ply=0)
        await one.play("e7e5")
        await bot.request("chat", topic=f"game:{g}", text="beep")
        await expect(one.see("player-w").locator(".side")).to_contain_text("Bot")
        await expect(one.see("chat-lines")).to_contain_text(MARKED)
        await one.click("about-w")
        await expect(one.page.locator("#about-w")).to_contain_text(MARKED)
        assert await violations(one.page) == []
        await one.page.keyboard.press("Escape")
        await one.page.locator("a.brand").click()
        await expect(one.see("own-game")).to_contain_text(MARKED)

        await watcher.open("/")
        await expect(watcher.see("live-game")).to_contain_text(MARKED)
        await watcher.open(f"/game/{g}")
        await expect(watcher.see("player-w").locator(".side")).to_contain_text("Bot")
        for path, place in (("/games", "games"), ("/user/Robby", "person")):
            await watcher.open(path)
            await expect(watcher.see(place)).to_contain_text(MARKED)
        await bot.request("resign", g=g)
