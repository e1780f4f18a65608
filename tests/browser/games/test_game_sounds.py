"""Sounds of the page of a game, as calls of the browser's audio interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.async_api import expect

from tests.browser.seats import alone, together
from tests.realtime.until import until

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

HEARD = """
    window.heard = [];
    const noting = (kind, note) => {
        const { start } = kind.prototype;
        kind.prototype.start = function (...at) {
            heard.push(note(this));
            return start.apply(this, at);
        };
    };
    noting(OscillatorNode, (tone) => Math.round(tone.frequency.value));
    noting(AudioBufferSourceNode, () => 'knock');
    window.AudioContext = class extends AudioContext {
        constructor(...how) {
            super(...how);
            window.device = this;
        }
    };
"""
"""Notes every knock and tone that is started, by its pitch. ``device`` is what plays them."""

WARNING_HZ = 880


async def listens(person: Person) -> None:
    """Wake the audio device by a gesture. A slow machine is still at it when the first sound would be due."""
    await person.page.mouse.click(1, 1)
    await until(lambda: person.page.evaluate("window.device?.state === 'running'"))


async def heard(person: Person) -> list[Any]:
    return list(await person.page.evaluate("heard.splice(0)"))


async def test_each_event_has_its_sound_and_mute_is_kept(server: ServerProcess, invite: Invite) -> None:
    somebody = await invite()
    await somebody.context.add_init_script(HEARD)
    await alone(server, somebody)
    await listens(somebody)
    await somebody.play("e2e4")
    await somebody.sees_plies(1)
    assert await heard(somebody) == ["knock"]
    await somebody.play("d7d5")
    await somebody.play("e4d5")
    await somebody.sees_plies(3)
    assert await heard(somebody) == ["knock"] * 3
    await somebody.play("d8d5")
    await somebody.play("b1c3")
    await somebody.play("d5e5")
    await somebody.sees_plies(6)
    assert 740 in await heard(somebody)
    await somebody.click("sound")
    await somebody.play("f1e2")
    await somebody.sees_plies(7)
    assert await heard(somebody) == []
    await somebody.click("sound")
    await somebody.click("resign")
    await somebody.click("resign")
    await expect(somebody.see("end")).to_be_visible()
    assert await heard(somebody) == [523, 659, 784]


async def test_low_time_is_red_and_announced_once(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await white.context.add_init_script(HEARD)
    tc = {"base_s": 12, "inc_s": 0}
    await together(server, white, black, tc=tc)
    await listens(white)
    await white.play("e2e4")
    await black.play("e7e5")
    clock = white.page.locator(".clock:has([data-testid=clock-w])")
    await expect(clock).to_have_class("clock running")
    await heard(white)
    await expect(clock).to_have_class("clock running short")
    assert (await heard(white)).count(WARNING_HZ) == 3
    await white.play("d2d4")
    await black.play("a7a6")
    await white.play("d4e5")
    await white.sees_plies(5)
    assert WARNING_HZ not in await heard(white)
