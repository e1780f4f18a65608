"""The pages around the games under faults, and their layout."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations

if TYPE_CHECKING:
    from playwright.async_api import Route

    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)


async def fail_at(person: Person, address: str | re.Pattern[str], times: int, status: int = 503) -> list[str]:
    """Answer the first ``times`` requests of the person's page to ``address`` with ``status``; return those
    requests."""
    failed: list[str] = []

    async def answer(route: Route) -> None:
        if len(failed) >= times:
            return await route.continue_()
        failed.append(route.request.url)
        return await route.fulfill(status=status, json={"error": {"code": "unavailable", "message": "not now"}})

    await person.context.route(address, answer)
    return failed


async def guest(person: Person) -> str:
    """Make the person a guest, by a seek that waits; return their name."""
    await person.open("/?create")
    await person.click("seek")
    await expect(person.see("unseek")).to_be_visible()
    return await person.see("user").inner_text()


async def test_skip_link_keeps_the_page(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/")
    kept = "document.querySelector('.lobby').dataset.kept"
    await somebody.page.evaluate(f"{kept} = 'yes'")
    await somebody.page.get_by_role("link", name="Skip to content").press("Enter")
    await expect(somebody.page.locator("#page")).to_be_focused()
    assert await somebody.page.evaluate(kept) == "yes"
    # Nor does any other way within the page make it anew.
    await somebody.page.evaluate("location.hash = 'page'")
    await somebody.page.go_back()
    assert await somebody.page.evaluate(kept) == "yes"


async def test_seek_button_shows_its_state_and_cancels(invite: Invite) -> None:
    somebody = await invite(viewport={"width": 390, "height": 844})
    await guest(somebody)
    await somebody.click("create")
    seek = somebody.see("seek")
    await expect(seek).to_have_text("Searching for an opponent… Cancel")
    assert await violations(somebody.page) == []
    await somebody.choose("10+5")
    await expect(seek).to_have_text("Find an opponent")
    await somebody.choose("5+0")
    await seek.click()
    await expect(seek).to_have_text("Find an opponent")
    await expect(somebody.see("unseek")).to_have_count(0)


async def test_disconnected_lobby_shows_no_counts(invite: Invite) -> None:
    somebody = await invite()
    await somebody.page.route_web_socket("**/ws", lambda _: None)  # it opens, and nobody speaks
    await somebody.page.goto(somebody.home)
    await expect(somebody.see("count")).to_have_text("connecting…")
    await expect(somebody.page.get_by_text("No open challenges")).to_have_count(0)
    await somebody.page.unroute_all()


@pytest.mark.parametrize(
    ("api", "path", "shown"),
    [
        ("**/api/v1/users/*", "/user/{name}", "heading"),
        ("**/api/v1/games?*", "/user/{name}", "games-title"),
        ("**/api/v1/search?*", "/search?q={name}", "found"),
        ("**/api/v1/challenges/*", "{challenge}", "terms"),
    ],
)
async def test_unavailable_data_is_not_reported_missing(invite: Invite, api: str, path: str, shown: str) -> None:
    host, somebody = await invite(), await invite()
    name = await guest(host)
    await host.click("create")
    await host.click("challenge")
    await host.page.wait_for_url("**/challenge/*")
    failed = await fail_at(somebody, api, 1)
    await somebody.open(path.format(name=name, challenge=host.page.url.removeprefix(host.home)))
    await expect(somebody.see("failed")).to_contain_text("Retrying")
    await expect(somebody.see("message")).to_have_count(0)
    await expect(somebody.see("failed")).to_have_count(0)
    await expect(somebody.see("message")).to_have_count(0)
    if shown in ("found", "terms"):
        await expect(somebody.see(shown)).to_contain_text(name if shown == "found" else "5+0")
    else:
        await expect(somebody.page.get_by_role("heading", name=name)).to_be_visible()
    assert len(failed) == 1


async def test_renamed_page_file_reloads_the_page(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/")
    failed = await fail_at(somebody, re.compile(r"/assets/live-[^/]*\.js"), 1, 404)
    await somebody.watch("Live games")
    await expect(somebody.page.get_by_role("heading", name="Games in progress")).to_be_visible()
    assert len(failed) == 1


async def test_missing_page_file_is_reported_once(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/")
    failed = await fail_at(somebody, re.compile(r"/assets/live-[^/]*\.js"), 2, 404)
    await somebody.watch("Live games")
    await expect(somebody.page.get_by_role("heading", name="be loaded")).to_be_visible()
    await expect(somebody.see("message").locator(".main")).to_have_count(1)
    assert len(failed) == 2
    await somebody.page.get_by_role("button", name="Try again").click()
    await expect(somebody.page.get_by_role("heading", name="Games in progress")).to_be_visible()


async def test_an_invitation_spells_its_clocks(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/?create")
    await somebody.choose("Custom")
    await somebody.see("kind").select_option("delay")
    await somebody.click("challenge")
    await expect(somebody.see("terms")).to_contain_text("20 min, with a delay of 10 s per move")
    await somebody.page.get_by_role("link", name="Play", exact=True).click()
    await expect(somebody.see("sent")).to_contain_text("with a delay of 10 s")


async def test_an_invitation_of_one_tab_is_in_the_lobby_of_another(invite: Invite) -> None:
    somebody = await invite()
    await guest(somebody)
    other = await somebody.context.new_page()
    await other.goto(somebody.home)
    await expect(other.get_by_test_id("unseek")).to_be_visible()
    await somebody.click("create")
    await somebody.click("challenge")
    await somebody.page.wait_for_url("**/challenge/*")
    await expect(other.get_by_test_id("sent").get_by_role("listitem")).to_have_count(1)


async def test_a_guest_is_told_where_their_settings_are(invite: Invite) -> None:
    somebody = await invite()
    name = await guest(somebody)
    await somebody.open("/settings")
    await expect(somebody.see("settings")).to_contain_text(f"Saved for {name} in this browser.")


async def test_last_setting_is_stored_by_the_server(invite: Invite, server: ServerProcess) -> None:
    somebody = await invite()
    await guest(somebody)
    await somebody.open("/settings")
    await somebody.page.wait_for_load_state("networkidle")  # the page knows what the server has
    await somebody.page.get_by_text("Blue", exact=True).click()
    await somebody.page.close()
    # Nobody hears the answer to what a tab sends while it is closed: the server is asked until it has it.
    kept: dict[str, object] = {}
    while kept.get("boardTheme") != "blue":
        await asyncio.sleep(0.1)
        answer = await somebody.context.request.get(f"{server.url}/api/v1/me/settings")
        kept = (await answer.json())["settings"]


@pytest.mark.parametrize("width", [390, 1280])
async def test_the_board_of_the_settings_stays_in_sight_with_its_coordinates(invite: Invite, width: int) -> None:
    somebody = await invite(viewport={"width": width, "height": 500})
    await somebody.open("/settings")
    preview = somebody.page.get_by_role("img", name="Preview")
    last = somebody.see("set-coordinates")
    await last.scroll_into_view_if_needed()
    await expect(preview).to_be_in_viewport(ratio=1)
    await expect(last.get_by_text("None")).to_be_in_viewport()
    # Over none of what is to be clicked.
    await last.get_by_text("Beside the board").click()
    await expect(preview.locator("i:visible", has_text="h")).to_have_count(1)
    await last.get_by_text("None").click()
    await expect(preview.locator("i:visible", has_text="h")).to_have_count(0)


async def test_header_without_an_account_has_no_gap(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/")
    await expect(somebody.see("user")).to_be_hidden()


@pytest.mark.parametrize("kind", ["increment", "delay", "bronstein"])
async def test_the_fields_of_a_control_stand_in_pairs(invite: Invite, kind: str) -> None:
    somebody = await invite(viewport={"width": 1280, "height": 800})
    await somebody.open("/?create")
    await somebody.choose("Custom")
    await somebody.see("kind").select_option(kind)
    fields = [await field.bounding_box() for field in await somebody.page.locator(".custom input").all()]
    assert len({field and field["y"] for field in fields}) == 1


async def test_the_buttons_of_the_form_are_alike_on_a_phone(invite: Invite) -> None:
    somebody = await invite(viewport={"width": 390, "height": 844})
    await somebody.open("/?create")
    boxes = [await somebody.see(name).bounding_box() for name in ("challenge", "self")]
    assert len({box and box["width"] for box in boxes}) == 1


@pytest.mark.parametrize("place", ["/games", "/leaders"])
async def test_phone_menu_has_what_the_header_lacks(invite: Invite, place: str) -> None:
    stranger = await invite(viewport={"width": 390, "height": 844})
    await stranger.open("/")
    await expect(stranger.page.locator(f".places a[href='{place}']")).to_be_hidden()
    await stranger.click("menu")
    await stranger.page.locator(f"#person-menu a[href='{place}']").click()
    await stranger.page.wait_for_url(f"**{place}")
    await expect(stranger.page.get_by_role("heading", level=1)).to_be_visible()
