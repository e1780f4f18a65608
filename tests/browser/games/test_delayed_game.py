"""A delayed game: requested in the form, accepted in the lobby, watched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations

if TYPE_CHECKING:
    from tests.browser.conftest import Invite

pytestmark = pytest.mark.timeout(120)


async def test_spectators_see_the_game_after_its_delay(invite: Invite) -> None:
    host, guest, third = await invite(), await invite(), await invite()
    await host.open("/?create")
    await host.choose("10+0", "White")
    await host.advanced()
    await host.see("later").select_option("1 move")
    assert await violations(host.page) == []
    await host.click("seek")
    await guest.open("/")
    offer = guest.see("seeks").locator("li")
    await expect(offer).to_contain_text("spectator delay 1 move")
    await offer.get_by_test_id("accept").click()
    game = await host.at_game()
    await guest.at_game()
    await expect(host.see("later")).to_have_text("spectator delay 1 move")

    await third.open(game)
    await expect(third.see("later")).to_have_text("delayed by 1 move")
    for number, move in enumerate(("e2e4", "e7e5", "g1f3", "b8c6")):
        await (host if number % 2 == 0 else guest).play(move)
    await guest.sees_plies(4)
    await third.sees_plies(2)
    await expect(third.see("held")).to_have_count(0)
    assert await third.score() == ["e4", "e5"]
    assert await violations(third.page) == []

    # Whoever comes now is shown no more, and with the end everything.
    await third.page.reload()
    await third.sees_plies(2)
    await guest.click("resign")
    await guest.click("resign")
    await third.sees_plies(4)
    await expect(third.see("result")).to_have_text("1-0")
    await expect(third.see("later")).to_have_count(0)
    for person in (host, guest, third):
        assert person.faults == []
