"""The audio device: opened before the first sound. Its faults never prevent a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(120)

LISTEN = """
window.devices = [];
window.strokes = 0;
window.AudioContext = class extends AudioContext {
  constructor(...given) { super(...given); devices.push(this); }
  createGain() { strokes += 1; return super.createGain(); }
};
"""
"""Counts the devices that are opened, and the knocks and tones that are made."""

NO_DEVICE = "window.AudioContext = class { constructor() { throw new DOMException('none', 'NotSupportedError'); } };"

BROKEN = """
window.AudioContext = class extends AudioContext {
  createGain() { window.asked = true; throw new DOMException('interrupted', 'InvalidStateError'); }
};
"""

TAKEN = """
window.AudioContext = class extends AudioContext {
  get state() { return 'interrupted'; }
  resume() { window.asked = true; return Promise.reject(new DOMException('in a call', 'InvalidStateError')); }
};
"""


async def alone(person: Person) -> None:
    """A game on one screen, come to by a click."""
    await person.open("/?create")
    await person.click("self")
    await person.at_game()


async def until(person: Person, true: str) -> None:
    # As a function: a bare expression would be evaluated again and again in the page, whose policy forbids that.
    await person.page.wait_for_function(f"() => {true}")


async def strokes(person: Person) -> int:
    return int(await person.page.evaluate("strokes"))


async def test_the_device_is_opened_by_the_first_touch_and_once(invite: Invite) -> None:
    somebody = await invite()
    await somebody.page.add_init_script(LISTEN)
    await somebody.open("/")
    assert await somebody.page.evaluate("devices.length") == 0
    await somebody.page.mouse.click(2, 2)
    await until(somebody, "devices.length === 1")
    assert await strokes(somebody) == 0
    await somebody.click("create")
    await somebody.click("self")
    await somebody.at_game()
    await somebody.play("e2e4")
    await until(somebody, "strokes > 0")
    await somebody.page.get_by_role("link", name="Play", exact=True).click()
    await somebody.click("own-game")
    heard = await strokes(somebody)
    await somebody.play("e7e5")
    await until(somebody, f"strokes > {heard}")
    assert await somebody.page.evaluate("devices.length") == 1


async def test_suspended_device_is_resumed_by_the_next_sound(invite: Invite) -> None:
    somebody = await invite()
    await somebody.page.add_init_script(LISTEN)
    await alone(somebody)
    await until(somebody, "devices[0]?.state === 'running'")
    await somebody.page.evaluate("devices[0].suspend()")
    heard = await strokes(somebody)
    await somebody.play("e2e4")
    await until(somebody, f"strokes > {heard} && devices[0].state === 'running'")


async def test_a_device_that_is_closed_is_opened_anew(invite: Invite) -> None:
    somebody = await invite()
    await somebody.page.add_init_script(LISTEN)
    await alone(somebody)
    await until(somebody, "devices[0]?.state === 'running'")
    await somebody.page.evaluate("devices[0].close()")
    heard = await strokes(somebody)
    await somebody.play("e2e4")
    await until(somebody, f"devices.length === 2 && strokes > {heard}")


@pytest.mark.parametrize("trouble", [NO_DEVICE, BROKEN, TAKEN])
async def test_moves_are_made_whatever_the_device_does(invite: Invite, trouble: str) -> None:
    somebody = await invite()
    await somebody.page.add_init_script(trouble)
    await alone(somebody)
    await somebody.play("e2e4")
    await somebody.play("e7e5")
    await somebody.sees_plies(2)
    if trouble is not NO_DEVICE:
        await until(somebody, "window.asked === true")


async def test_muted_page_opens_no_device(invite: Invite) -> None:
    somebody = await invite()
    await somebody.page.add_init_script(LISTEN)
    await somebody.open("/settings")
    await somebody.see("set-sound").focus()
    await somebody.page.evaluate("document.querySelector('[data-testid=set-sound]').click()")
    await expect(somebody.see("set-sound")).not_to_be_checked()
    await alone(somebody)
    await somebody.play("e2e4")
    await somebody.sees_plies(1)
    assert await somebody.page.evaluate("devices.length") == 0
