"""A stand-in takes over on the page of a simul, and gives it back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.simuls.test_simul_desk import LAID, announce, at_boards, joined, move
from tests.tiers import tiered

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(300)


async def test_a_stand_in_plays_until_the_host_takes_it_back(invite: Invite) -> None:
    host, player, deputy = await invite(), await invite(), await invite()
    simul = await announce(host, "White")
    await joined(player, deputy, simul=simul)
    await deputy.click("simul-leave")
    await at_boards(host, player)
    await host.click("tab-tools")
    await host.see("stand-in-name").fill((await deputy.see("user").inner_text()).strip())
    await host.click("stand-in-save")
    await expect(deputy.see("stand-in")).to_contain_text("re the stand-in")
    await expect(deputy.see("board")).to_have_attribute("data-movable", "false")

    await host.click("hand_over")
    await expect(host.see("stand-in")).to_contain_text("can take over now")
    await expect(host.see("board")).to_have_attribute("data-movable", "true")
    await expect(deputy.see("stand-in")).to_contain_text("asks you to take over")
    notice = await deputy.see("stand-in").bounding_box()
    assert notice is not None
    assert notice["height"] < 100, "two lines at most"
    await deputy.click("take_over")
    await expect(host.see("stand-in")).to_contain_text("is playing for you")
    await expect(host.see("board")).to_have_attribute("data-movable", "false")
    await expect(player.see("simul-acting")).to_contain_text("is playing for")
    await expect(deputy.see("tab-chat")).to_have_count(0)
    for person in (host, deputy, player):
        assert await violations(person.page) == []
    await move(deputy, "e2e4")
    await player.play("e7e5")
    await expect(deputy.see("board")).to_have_attribute("data-movable", "true")

    # A reload keeps it; elsewhere the header has the way back.
    await deputy.open("/")
    await expect(deputy.see("hosted-simul")).to_contain_text("1 waiting")
    await deputy.click("hosted-simul")
    await move(deputy, "g1f3")
    await player.play("b8c6")
    await host.click("take_over")
    await expect(host.see("stand-in")).to_have_count(0)
    await expect(player.see("simul-acting")).to_have_count(0)
    await expect(deputy.see("board")).to_have_attribute("data-movable", "false")
    await move(host, "f1c4")
    await player.sees_plies(5)


@pytest.mark.parametrize(
    ("width", "height"), tiered([(390, 844), (1440, 900)], quick=[(1440, 900)], why="more screens")
)
async def test_no_notice_of_a_stand_in_moves_the_large_board(invite: Invite, width: int, height: int) -> None:
    size: Any = {"width": width, "height": height}
    host, deputy, player = await invite(viewport=size), await invite(viewport=size), await invite(viewport=size)
    simul = await announce(host, "White")
    await joined(player, deputy, simul=simul)
    await deputy.click("simul-leave")
    await at_boards(host, player)
    await expect(deputy.page.locator(".simul-stage .squares")).to_have_attribute("style", re.compile("width"))
    at_desk, field = (host, deputy), player.page.locator(".field")
    laid = {who: await who.page.evaluate(LAID) for who in at_desk}
    box = await field.bounding_box()

    async def stands(*people: Person) -> None:
        for who in people:
            assert await who.page.evaluate(LAID) == laid[who]
        assert await field.bounding_box() == box

    await host.click("tab-tools")
    await host.see("stand-in-name").fill((await deputy.see("user").inner_text()).strip())
    await host.click("stand-in-save")
    await expect(deputy.see("stand-in")).to_be_visible()
    await stands(*at_desk)
    await host.click("hand_over")
    await expect(deputy.see("take_over")).to_be_visible()
    await stands(*at_desk)
    await deputy.click("take_over")
    await expect(player.see("simul-acting")).to_be_visible()
    await expect(host.see("board")).to_have_attribute("data-movable", "false")
    await stands(*at_desk)
    await host.click("take_over")
    await expect(player.see("simul-acting")).to_have_count(0)
    await expect(deputy.see("board")).to_have_attribute("data-movable", "false")
    await stands(*at_desk)
