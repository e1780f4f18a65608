"""At the boards of an exhibition in a browser: time and notes while it is played, rounds without clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(300)


async def announce(host: Person, *choices: str) -> str:
    """Announce an exhibition on the page of ``host``, all buttons of these names chosen; its id."""
    await host.open("/simuls")
    await host.click("announce")
    await host.see("simul-name").fill("Evening")
    for name in choices:
        for button in await host.page.locator("form label").get_by_text(name, exact=True).all():
            await button.click()
    await host.see("simul-auto-accept").check()
    await host.see("simul-create").click()
    await host.page.wait_for_url("**/simul/*")
    return host.page.url.rsplit("/", 1)[1]


async def joined(*players: Person, simul: str) -> None:
    """Let ``players`` join, one after the other."""
    for player in players:
        await player.open(f"/simul/{simul}")
        await player.click("simul-join")
        await expect(player.see("simul-you")).to_contain_text("You are accepted")


async def at_boards(host: Person, *players: Person) -> None:
    """Begin, and wait until everybody is at his board."""
    await host.click("simul-start")
    for player in players:
        await player.at_game()
    await expect(host.see("simul-grid")).to_have_attribute("data-count", str(len(players)))


async def test_time_and_a_note_are_given_while_it_is_played(invite: Invite) -> None:
    host, player = await invite(), await invite()
    simul = await announce(host, "White")
    await joined(player, simul=simul)
    await at_boards(host, player)
    await host.click("board-edit")
    assert await violations(host.page) == []
    await host.see("board-player").fill("120")
    await host.see("board-host").fill("30")
    await host.see("note").fill("plays the French")
    await host.click("board-save")
    await expect(host.see("board-handicap")).to_have_count(0)
    await expect(host.see("simul-strip")).to_contain_text("player +120 s · host +30 s")
    await expect(host.see("noted")).to_contain_text("plays the French")
    await expect(player.see("clock-b")).to_contain_text("17:00")

    # It is given, not taken: less is not taken for an answer; the note is kept, and nobody else has it.
    await host.click("board-edit")
    await expect(host.see("board-player")).to_have_value("120")
    await host.see("board-player").fill("60")
    await host.click("board-save")
    await expect(host.see("board-handicap")).to_be_visible()
    await host.click("board-edit")
    await host.page.reload()
    await expect(host.see("noted")).to_contain_text("plays the French")
    assert "French" not in await player.page.content()


async def test_a_round_without_clocks_says_whose_turn_it_is(invite: Invite) -> None:
    host, one, two = await invite(), await invite(), await invite()
    simul = await announce(host, "A round", "No clock", "White")
    await joined(one, two, simul=simul)
    await at_boards(host, one, two)
    await expect(one.see("simul-where")).to_contain_text("The host is at your board, and is to move.")
    await expect(two.see("simul-where")).to_contain_text("The host is at board 1.")

    # Where he is not, he cannot move; he is taken on by himself when he has.
    await expect(host.see("simul")).to_have_attribute("data-at", "1")
    await host.play("e2e4")
    await expect(host.see("simul")).to_have_attribute("data-at", "2")
    await expect(one.see("simul-where")).to_contain_text("The host is at board 2.")
    await expect(two.see("simul-where")).to_contain_text("The host is at your board, and is to move.")
    await host.play("d2d4")
    await expect(one.see("simul-where")).to_contain_text("waits for your move")
    await expect(one.see("pass")).to_be_visible()
    await one.play("e7e5")
    await expect(one.see("simul-where")).to_contain_text("The host is at your board, and is to move.")
    await host.play("g1f3")
    await expect(host.see("simul")).to_have_attribute("data-at", "2")
    await one.put("b8c6")
    await expect(one.see("ready")).to_have_attribute("data-move", "b8c6")
    await expect(host.see("simul-grid").locator(".simul-times i")).to_have_count(0)
    for person in (host, one, two):
        await expect(person.see("said")).to_have_count(0)
