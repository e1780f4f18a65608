"""The page of a game under connection loss, server faults and other tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from playwright.async_api import expect

from tests.browser.person import Person

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import WebSocketRoute

    from tests.browser.conftest import Invite

pytestmark = pytest.mark.timeout(120)

UNSEEN = "Object.defineProperty(document, 'hidden', { get: () => true })"
"""A tab behind others: Playwright shows every page as the one that is looked at."""


async def paired(one: Person, other: Person, tempo: str) -> str:
    """Let the two, at the lobby, find each other; the path of their game."""
    await one.click(f"quick-{tempo}")
    await expect(one.see("pool")).to_be_visible()
    await other.click(f"quick-{tempo}")
    path = await one.at_game()
    assert await other.at_game() == path
    return path


async def other_tab(person: Person, path: str, *, seen: bool = True) -> Person:
    """Open another tab of the person."""
    tab = Person(person.context, await person.context.new_page(), person.home)
    if not seen:
        await tab.page.add_init_script(UNSEEN)
    await tab.open(path)
    return tab


async def refuse(
    person: Person, wanted: Callable[[dict[str, Any]], bool], code: str, times: int
) -> list[dict[str, Any]]:
    """Refuse ``times`` of the ``wanted`` requests between the page and the server; return all of them, in order."""
    asked: list[dict[str, Any]] = []

    async def between(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def pass_on(data: str | bytes) -> None:
            assert isinstance(data, bytes)
            message = msgspec.msgpack.decode(data)
            if wanted(message):
                asked.append(message)
                if len(asked) <= times:
                    refusal = {"t": "error", "id": message["id"], "code": code, "message": "not now"}
                    page.send(msgspec.msgpack.encode(refusal))
                    return
            server.send(data)

        page.on_message(pass_on)

    await person.page.route_web_socket("**/ws", between)
    return asked


async def test_unavailable_game_is_not_reported_missing(invite: Invite) -> None:
    one, other, guest = await invite(), await invite(), await invite()
    asked = await refuse(guest, lambda message: str(message.get("topic")).startswith("game:"), "rate_limited", 2)
    await one.open("/")
    await other.open("/")
    path = await paired(one, other, "3+2")
    # A link within the page: nothing of the game comes with it.
    await guest.open(f"/search?q={path.removeprefix('/game/')}")
    await guest.see("found").get_by_role("link", name="Game ").click()
    await guest.page.wait_for_url(f"**{path}")
    await expect(guest.see("game")).to_be_visible()
    await expect(guest.see("missing")).to_have_count(0)
    assert len(asked) == 3
    await one.click("abort")


async def test_double_click_sends_one_seek(invite: Invite) -> None:
    somebody = await invite()
    asked = await refuse(somebody, lambda message: message["t"] in ("challenge", "pool.join", "pool.leave"), "", 0)
    await somebody.open("/")
    await somebody.see("quick-10+0").dblclick()
    await expect(somebody.see("pool")).to_be_visible()
    await expect(somebody.see("quick-10+0")).to_have_attribute("aria-pressed", "true")
    await somebody.click("create")
    await somebody.see("self").dblclick()
    await somebody.at_game()
    assert [message["t"] for message in asked] == ["pool.join", "challenge"]


async def test_game_opens_in_the_tab_of_the_seek(invite: Invite) -> None:
    one, other = await invite(), await invite()
    await one.page.add_init_script(UNSEEN)  # they ask, and look at another page
    await one.open("/")
    await other.open("/")
    await one.click("quick-5+3")
    await expect(one.see("pool")).to_be_visible()
    idle = await other_tab(one, "/settings", seen=False)
    await other.click("quick-5+3")
    path = await one.at_game()
    await expect(idle.see("said")).to_contain_text("Your game against")
    await expect(idle.see("own-game")).to_have_count(1)
    assert idle.page.url.endswith("/settings")
    await idle.see("said").get_by_role("link").click()
    assert await idle.at_game() == path
    await one.click("abort")


async def test_logout_in_another_tab_makes_a_spectator(invite: Invite) -> None:
    one, other = await invite(), await invite()
    await one.open("/")
    await other.open("/")
    await paired(one, other, "15+10")
    await expect(one.page.get_by_role("heading", name="Chat")).to_be_visible()
    tab = await other_tab(one, "/settings")
    await tab.page.evaluate("fetch('/api/v1/logout', { method: 'POST' })")
    await expect(one.see("said")).to_contain_text("signed out")
    await expect(one.page.get_by_role("heading", name="chat")).to_contain_text("Spectator chat")
    await expect(one.see("abort")).to_have_count(0)
    await expect(one.see("logged-out")).to_contain_text("your clock")
    await other.click("abort")
    await expect(one.see("logged-out")).to_have_count(0)
