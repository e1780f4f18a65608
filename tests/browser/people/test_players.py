"""Following people, who is online, the board beside a name, and being invisible."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.members import member, tab_of
from tests.integration.match import begin
from tests.wire_client import Client
from tests.wire_client import member as members

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)


async def test_people_are_followed_from_their_profiles(invite: Invite) -> None:
    anna, bert = await member(invite, "Anna-Follows"), await member(invite, "Bert-Followed")
    await anna.open("/user/Bert-Followed")
    await anna.click("follow")
    await expect(anna.see("follow")).to_have_text("Unfollow")
    await anna.page.get_by_role("link", name="Players").click()
    followed = anna.see("follows").locator("[data-user=Bert-Followed]")
    await expect(followed).to_contain_text("online")
    await expect(followed.get_by_role("link", name="Invite Bert-Followed")).to_have_attribute(
        "href", "/?to=Bert-Followed"
    )
    await expect(anna.see("online").locator("[data-user=Bert-Followed]")).to_be_visible()
    # Somebody invisible is shown to nobody, and not counted.
    await bert.open("/settings")
    await bert.see("set-invisible").check()
    await anna.open("/players")
    await expect(anna.see("follows").locator("[data-user=Bert-Followed]")).to_contain_text("offline")
    await anna.open("/user/Bert-Followed")
    await expect(anna.see("about")).to_contain_text("offline")
    other = await tab_of(bert, "/settings")
    await expect(other.see("set-invisible")).to_be_checked()
    # A block ends the follow.
    await bert.open("/user/Anna-Follows")
    await bert.click("block")
    await expect(bert.see("block")).to_have_text("Unblock")
    await expect(bert.see("invite")).to_have_count(0)
    await anna.open("/players")
    await expect(anna.page.get_by_role("link", name="Find players")).to_be_visible()
    assert await violations(anna.page) == []


async def test_a_member_writes_a_profile(invite: Invite) -> None:
    anna = await member(invite, "Anna-Writes")
    await anna.open("/account")
    profile = anna.see("profile")
    await profile.get_by_label("About you").fill("I play the Dutch.\nAnd sometimes the English.")
    await profile.get_by_label("Country").select_option("NL")
    await profile.get_by_role("button", name="Save profile").click()
    await expect(anna.see("said")).to_contain_text("Profile saved.")
    await expect(profile.get_by_label("About you")).to_have_value("I play the Dutch.\nAnd sometimes the English.")
    reader = await invite()
    await reader.open("/user/Anna-Writes")
    await expect(reader.see("person-text")).to_have_text("I play the Dutch. And sometimes the English.")
    await expect(reader.see("about")).to_contain_text("Netherlands")
    assert await violations(reader.page) == []


async def test_a_name_shows_the_game_that_its_owner_plays(invite: Invite, server: ServerProcess) -> None:
    (token, user), (other, _) = members(server.url), members(server.url)
    async with Client(server.url, token) as white, Client(server.url, other) as black:
        g = await begin(white, black)
        await white.request("move", g=g, move="e2e4", ply=0)
        await black.request("move", g=g, move="e7e5", ply=1)
        watcher = await invite()
        await watcher.open("/players")
        name = user["name"]
        link, board = watcher.see("online").get_by_role("link", name=name, exact=True), watcher.see("game-preview")
        before = await watcher.page.evaluate("document.documentElement.scrollHeight")
        await link.hover()
        await expect(board).to_be_visible()
        await expect(board.get_by_test_id("live-game")).to_have_attribute("data-ply", "2")
        assert await watcher.page.evaluate("document.documentElement.scrollHeight") == before
        assert await violations(watcher.page) == []
        # It follows the game, and stays while the mouse is on it.
        await board.hover()
        await white.request("move", g=g, move="g1f3", ply=2)
        await expect(board.get_by_test_id("live-game")).to_have_attribute("data-ply", "3")
        await watcher.page.mouse.move(2, 600)
        await expect(board).to_have_count(0)
        # With the keyboard.
        await watcher.page.locator(".skip").focus()
        await link.focus()
        await expect(board).to_be_visible()
        await expect(link).to_have_attribute("aria-describedby", "game-preview")
        await watcher.page.keyboard.press("Escape")
        await expect(board).to_have_count(0)
        # To the game by a click on the board.
        await watcher.page.mouse.move(2, 590)
        await link.hover()
        await board.click()
        await watcher.page.wait_for_url(f"**/game/{g}")
        await expect(board).to_have_count(0)
        await watcher.sees_plies(3)


async def test_nothing_moves_for_who_asks_for_less_motion(invite: Invite) -> None:
    person = await invite(reduced_motion="reduce")
    await person.open("/")
    await person.click("quick-5+3")
    await expect(person.see("pool-stop")).to_be_visible()
    assert await person.page.evaluate("document.getAnimations().length") == 0
    # The device is asked again.
    await person.page.emulate_media(reduced_motion="no-preference")
    await expect(person.page.locator("html")).to_have_attribute("data-still", "false")
    assert await person.page.evaluate("document.getAnimations().length") > 0
    await person.page.emulate_media(reduced_motion="reduce")
    await expect(person.page.locator("html")).to_have_attribute("data-still", "true")
    assert await person.page.evaluate("document.getAnimations().length") == 0
    await person.click("pool-stop")
