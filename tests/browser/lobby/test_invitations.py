"""Invitations: declined with a reason, with odds, from a position, notifications, by name, to guests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.members import member, tab_of

if TYPE_CHECKING:
    from tests.browser.conftest import Invite

pytestmark = pytest.mark.timeout(120)

AWAY = """
    Object.defineProperty(document, 'hidden', { get: () => true });
"""
"""A tab behind others."""

NOTIFICATIONS = """
    window.Notification = class extends EventTarget {
        static permission = 'granted';
        static async requestPermission() { return 'granted'; }
        constructor(title) { super(); document.documentElement.dataset.shown = title; }
        close() {}
    };
"""
"""A device's notifications, which a browser without windows does not have. Shown ones are written down."""

PAWN_ENDING = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


async def test_an_invitation_is_declined_with_a_reason_from_any_page(invite: Invite) -> None:
    host, named = await invite(), await member(invite, "Nora")
    tab = await tab_of(named, "/settings")
    # Of two tabs the one that is looked at tells of it; here both would be.
    await tab.page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    await host.open("/?create")
    await host.see("to").press_sequentially("nor")
    await expect(host.page.locator("#people option[value=Nora]")).to_have_count(1)
    await host.see("to").fill("Nora")
    await host.choose("10+0")
    await host.click("invite")
    await expect(host.see("cancel")).to_be_visible()
    await expect(named.see("said")).to_contain_text("invites you: 10+0")
    await expect(tab.see("inbox")).to_have_text(re.compile(r"^\s*1\s*$"))
    await expect(tab.see("inbox-status")).to_have_text(re.compile(r"^Guest-\w+ invites you: 10\+0"))
    await tab.click("inbox")
    assert await violations(tab.page) == []
    await tab.click("decline-why")
    assert await violations(tab.page) == []
    await tab.click("decline-too_slow")
    await expect(host.see("message")).to_contain_text("Nora: Time control too slow")
    for person in (named, tab):
        await expect(person.see("inbox-status")).to_be_empty()

    # Elsewhere the other is told in a word.
    await host.open("/?to=Nora")
    await host.click("invite")
    await expect(host.see("cancel")).to_be_visible()
    await host.watch("Live games")
    await tab.click("inbox")
    await tab.page.keyboard.press("Escape")
    await expect(tab.see("inbox")).to_be_focused()
    await expect(tab.see("decline")).to_be_hidden()
    await tab.click("inbox")
    await tab.click("decline")
    await expect(host.see("said")).to_contain_text("Nora declined your invitation.")


async def test_the_two_may_have_different_times(invite: Invite) -> None:
    host, guest = await invite(), await invite()
    await host.open("/?create")
    await host.choose("1+0", "White")
    await host.advanced()
    await host.see("odds").check()
    await host.see("odds-time").get_by_text("10+5", exact=True).click()
    await expect(host.see("seek")).to_have_count(0)
    await host.click("challenge")
    await expect(host.see("terms")).to_contain_text("you: 1+0; your opponent: 10+5")
    await guest.open(host.page.url.removeprefix(host.home))
    await expect(guest.see("terms")).to_contain_text("you: 10+5; your opponent: 1+0")
    await guest.click("accept")
    await host.at_game()
    await guest.at_game()
    await expect(guest.see("player-w")).to_contain_text("1:00")
    await expect(guest.see("player-b")).to_contain_text("10:00")
    for person in (host, guest):
        await expect(person.see("controls")).to_have_text("White 1+0; Black 10+5")
        await expect(person.page).to_have_title(re.compile(r"White 1\+0; Black 10\+5"))
    await guest.click("abort")


async def test_a_game_begins_from_a_position(invite: Invite) -> None:
    host, guest = await invite(), await invite()
    await host.open("/?create")
    await host.advanced()
    await host.see("position").check()
    await host.see("fen").fill("4k3/8/8/8/8/8/4P3/8 w - - 0 1")
    await expect(host.see("fen-fault")).to_contain_text("exactly one king")
    await host.click("challenge")
    await expect(host.see("create-fault")).to_contain_text("king")
    # What only the server knows is told at the field too.
    await host.see("fen").fill("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    await expect(host.see("fen-fault")).to_have_text("")
    await host.click("challenge")
    await expect(host.see("fen-fault")).to_have_text("The game is already over in this position: stalemate.")
    await host.see("fen").fill(PAWN_ENDING.removesuffix(" w - - 0 1"))
    await expect(host.see("setup-board")).to_have_attribute("data-fen", PAWN_ENDING)
    assert await violations(host.page) == []
    await host.choose("White")
    await host.click("challenge")
    await expect(host.see("start")).to_be_visible()
    await guest.open(host.page.url.removeprefix(host.home))
    await expect(guest.see("start")).to_be_visible()
    await guest.click("accept")
    await host.at_game()
    await guest.at_game()
    assert await host.fen() == PAWN_ENDING
    await host.play("e2e4")
    await guest.play("e8e7")
    await guest.click("resign")
    if await guest.see("resign").count():
        await guest.click("resign")
    await expect(host.see("result")).to_have_text("1-0")


async def test_invitation_notifies_on_other_pages(invite: Invite) -> None:
    host, named = await invite(), await member(invite, "Nils")
    await named.page.add_init_script(NOTIFICATIONS)
    await named.page.reload()
    await named.page.get_by_role("link", name="Settings").click()
    await named.see("set-notify").check()
    await expect(named.see("set-notify")).to_be_checked()
    await named.page.add_init_script(AWAY)
    await named.open("/settings")
    await expect(named.see("set-notify")).to_be_checked()
    await host.open("/?to=Nils")
    await host.click("invite")
    await expect(host.see("cancel")).to_be_visible()
    await expect(named.page.locator("html")).to_have_attribute("data-shown", re.compile("invites you: "))
    # It is told once, whatever is loaded again.
    await named.page.reload()
    await expect(named.see("inbox-status")).not_to_be_empty()
    await expect(named.see("said")).to_have_count(0)
    await expect(named.page.locator("html")).not_to_have_attribute("data-shown", re.compile(""))


async def test_refused_name_is_explained_at_its_field(invite: Invite) -> None:
    one = await member(invite, "Nepomuk")
    await one.click("create")
    await one.see("to").fill("nepomuk")
    await one.click("invite")
    await expect(one.page.get_by_role("alert").filter(has_text="s you. To play both sides")).to_be_visible()
    await one.see("to").fill("Xerxes")
    await one.click("invite")
    await expect(one.see("to-fault")).to_have_text("There is no user Xerxes.")
    await expect(one.see("to")).to_be_focused()
    await expect(one.see("said")).to_have_count(0)
    assert await violations(one.page) == []
    await one.see("to").press("Backspace")
    await expect(one.see("to-fault")).to_have_count(0)


async def test_a_guest_finds_a_way_into_a_rated_invitation(invite: Invite) -> None:
    host, guest = await member(invite, "Rita"), await invite()
    await host.click("create")
    await host.choose("3+2")
    await expect(host.page.get_by_role("radio", name="Rated", exact=True)).to_be_checked()
    await host.click("challenge")
    await expect(host.see("expires")).to_contain_text("Valid until")
    link = await host.see("link").input_value()
    await guest.page.goto(link)
    await guest.connected()
    await expect(guest.see("members")).to_be_visible()
    await expect(guest.see("accept")).to_have_count(0)
    assert await violations(guest.page) == []
    await guest.click("signup")
    form = guest.page.get_by_test_id("signup")
    await form.get_by_label("Username", exact=True).fill("Rudi")
    await form.get_by_label("Password", exact=True).fill("correct horse battery")
    await form.get_by_role("button", name="Sign up").click()
    await guest.page.wait_for_url(link)
    await guest.click("accept")
    assert await guest.at_game() == await host.at_game()
    await guest.click("abort")


async def test_invitation_is_declined_in_its_toast_and_a_link_on_its_page(invite: Invite) -> None:
    host, named = await invite(), await member(invite, "Nadja")
    await named.open("/live")
    await host.open("/?to=Nadja")
    await host.click("invite")
    await expect(named.see("said")).to_contain_text("invites you")
    await named.click("said-other")
    await expect(host.see("message")).to_contain_text("declined")
    await host.open("/?create")
    await host.click("challenge")
    link = (await host.see("link").input_value()).removeprefix(host.home)
    await named.open(link)
    await named.click("decline")
    await expect(named.see("said")).to_contain_text("Anyone else with the link can still accept")
    await expect(named.see("create")).to_be_visible()
