"""Accounts: sign-up, login and logout in several tabs, passwords."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from realtime.commands.settings import read_settings
from realtime.commands.users import run_users
from tests.browser.axe import violations
from tests.browser.person import Person
from tests.wire_client import PASSWORD, WAIT_S, login, member

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)


async def fill(person: Person, form: str, **values: str) -> None:
    """Fill the fields of a form and send it."""
    for name, value in values.items():
        await person.see(form).locator(f"[name={name}]").fill(value)
    await person.see(form).locator("button:not([type=button])").click()


async def enters(person: Person, name: str, password: str = PASSWORD, path: str = "/login") -> None:
    """Log in, and wait to be led on."""
    await person.open(path)
    await fill(person, "login", name=name, password=password)
    await expect(person.see("user")).to_have_text(name)
    await person.connected()


async def tab_of(person: Person, path: str) -> Person:
    tab = Person(person.context, await person.context.new_page(), person.home)
    await tab.open(path)
    return tab


def ask(url: str, path: str, token: str | None = None, body: Any = None) -> Any:
    """As a program would, with ``token``. Blocking."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url + path, data, headers), timeout=WAIT_S) as response:
        return json.load(response)


async def test_logout_during_a_game_needs_confirmation(server: ServerProcess, invite: Invite) -> None:
    one, other = await invite(viewport={"width": 390, "height": 844}), await invite()
    _, user = member(server.url)
    await enters(one, user["name"])
    await one.open("/?create")
    await one.choose("15+10", "White", "Casual")
    await one.click("challenge")
    await one.page.wait_for_url("**/challenge/*")
    await other.open(one.page.url.removeprefix(one.home))
    await other.click("accept")
    path = await one.at_game()
    await one.click("menu")
    await one.click("menu-logout")
    await expect(one.page.get_by_role("alert")).to_contain_text("your clock")
    assert await violations(one.page) == []
    # They change their mind: the next time they are asked again.
    await one.page.keyboard.press("Escape")
    await one.click("menu")
    await expect(one.see("menu-logout")).to_have_text("Sign out")
    await one.click("menu-logout")
    await one.click("menu-logout")
    await expect(one.see("said")).to_contain_text("re signed out.")
    await expect(one.see("abort")).to_have_count(0)
    await one.see("logged-out").get_by_role("link", name="Sign in").click()
    await fill(one, "login", name=user["name"], password=PASSWORD)
    await one.page.wait_for_url(f"**{path}")
    await one.click("abort")


async def test_a_guest_signs_up_and_keeps_their_game(invite: Invite) -> None:
    one, other = await invite(), await invite()
    await one.open("/?create")
    await one.choose("15+10", "White")
    await one.click("challenge")
    await one.page.wait_for_url("**/challenge/*")
    await other.open(one.page.url.removeprefix(one.home))
    await other.click("accept")
    path = await one.at_game()
    await one.play("e2e4")
    await other.play("e7e5")
    await one.sees_plies(2)

    await one.click("menu")
    await one.page.get_by_role("navigation", name="Menu").get_by_role("link", name="Sign up").click()
    await expect(one.see("keeps")).to_contain_text("Guest-")
    # What the server refuses stands at its field, which has the focus.
    await fill(one, "signup", name="admin", password="correct horse battery")
    await expect(one.page.locator("[data-field=name]")).to_contain_text("name is reserved")
    await expect(one.page.get_by_label("Username")).to_be_focused()
    assert await one.page.get_by_label("Username").get_attribute("aria-invalid") == "true"
    await fill(one, "signup", name="Keeper", password="password")
    await expect(one.page.locator("[data-field=password]")).to_contain_text("too common")
    assert await violations(one.page) == []
    await one.page.get_by_role("button", name="Show: Password").click()
    await expect(one.page.get_by_label("Password", exact=True)).to_have_attribute("type", "text")
    await fill(one, "signup", name="Keeper", password=PASSWORD)

    # Back at the game, by another name, without a reload; the opponent sees it too.
    await one.page.wait_for_url(f"**{path}")
    await expect(one.see("user")).to_have_text("Keeper")
    await expect(one.see("said").filter(has_text="Welcome, Keeper")).to_be_visible()
    await expect(one.see("said").filter(has_text="elsewhere")).to_have_count(0)
    await expect(other.see("player-w")).to_contain_text("Keeper")
    await expect(other.page).to_have_title(re.compile("^Keeper "))
    await one.play("g1f3")
    await other.sees_plies(3)
    await one.open(path)
    await expect(one.see("game")).to_contain_text("Keeper")
    # Nothing of the password is in the page or kept by it.
    kept = await one.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.body.outerHTML])")
    assert PASSWORD not in kept
    await one.open("/login")
    await expect(one.see("message")).to_contain_text("signed in as Keeper")

    taken = await invite()
    await taken.open("/signup")
    await fill(taken, "signup", name="KEEPER", password=PASSWORD)
    await expect(taken.page.locator("[data-field=name]")).to_contain_text("taken")


async def test_login_and_logout_in_two_tabs(server: ServerProcess, invite: Invite) -> None:
    name = member(server.url)[1]["name"]
    one = await invite()
    await one.open("/login?next=//evil.example/")
    tab = await tab_of(one, "/account")
    await expect(tab.see("message")).to_contain_text("not signed in")
    await fill(one, "login", name=name, password="wrong horse battery")
    await expect(one.see("fault")).to_contain_text("rong username or password")
    await fill(one, "login", name=name.lower(), password=PASSWORD)
    await expect(one.see("user")).to_have_text(name)
    assert one.page.url == f"{one.home}/"

    # The other tab was a stranger's, whose line the server had no reason to close.
    await expect(tab.see("user")).to_have_text(name)
    await expect(tab.see("account")).to_contain_text(name)
    await tab.click("menu")
    await tab.click("menu-logout")
    await expect(tab.see("message")).to_contain_text("not signed in")
    await expect(one.see("user")).to_have_text("")
    await expect(one.see("said")).to_contain_text("signed out")
    await one.connected()


async def test_the_menu_is_opened_and_left_by_keyboard(invite: Invite) -> None:
    somebody = await invite(viewport={"width": 390, "height": 800})
    await somebody.open("/live")
    keys = somebody.page.keyboard
    menu = somebody.page.get_by_role("navigation", name="Menu")
    await somebody.see("menu").focus()
    await keys.press("Enter")
    await expect(menu).to_be_visible()
    await keys.press("Escape")
    await expect(menu).not_to_be_visible()
    await expect(somebody.see("menu")).to_be_focused()
    await keys.press("Enter")
    await menu.get_by_role("link", name="Leaderboard").focus()
    await keys.press("Enter")
    await expect(somebody.page.get_by_role("heading", name="Leaderboard")).to_be_visible()
    await expect(menu).not_to_be_visible()
    box = await somebody.see("menu").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44


async def test_password_sessions_and_tokens(server: ServerProcess, invite: Invite) -> None:
    old, user = member(server.url)
    name = user["name"]
    one = await invite()
    await enters(one, name, path="/login?next=%2Faccount")
    assert one.page.url == f"{one.home}/account"
    sessions = one.see("sessions").get_by_role("listitem")
    await expect(sessions).to_have_count(2)

    await one.see("token").locator("xpath=ancestor::details").locator("summary").click()
    await one.page.get_by_label("Host simuls").check()
    await fill(one, "token", label="my script", days="7", password=PASSWORD)
    token = await one.see("fresh-token").input_value()
    await expect(one.see("tokens")).to_contain_text("my script")
    assert ask(server.url, "/api/v1/me", token)["scopes"] == ["read", "play", "host"]
    await one.open("/account")
    await expect(one.see("tokens")).to_contain_text("my script")
    await expect(one.see("fresh-token")).to_have_count(0)

    await fill(one, "password", old="not this one", new="another horse battery")
    await expect(one.page.locator("#password-old-about")).to_contain_text("rong password")
    await fill(one, "password", old=PASSWORD, new="another horse battery")
    await expect(one.see("said")).to_contain_text("Password changed")
    # Whoever knew the old one is out.
    await expect(sessions).to_have_count(1)
    await expect(one.see("tokens").get_by_role("listitem")).to_have_count(0)
    for gone in (old, token):
        with pytest.raises(urllib.error.HTTPError, match="401"):
            ask(server.url, "/api/v1/me", gone)
    assert await violations(one.page) == []

    await fill(one, "email", email="somebody@example.org", password="another horse battery")
    # It does not count before its code is entered, and this server sends no mail.
    await expect(one.see("email-unconfirmed")).to_contain_text("somebody@example.org")
    await expect(one.see("email-now")).to_contain_text("None")
    await expect(one.see("no-mail")).to_contain_text("be confirmed")
    await fill(one, "email-code", code="AAAA-BBBB-CCCC")
    await expect(one.page.locator("#email-code-code-about")).to_contain_text("expired code")
    assert await violations(one.page) == []
    async with one.page.expect_download() as download:
        await one.click("export")
    assert (await download.value).suggested_filename == f"zeitnot-{name}.json"

    login(server.url, name, "another horse battery")
    await one.open("/account")
    await expect(sessions).to_have_count(2)
    await one.click("end-others")
    await expect(sessions).to_have_count(1)

    await one.see("leaving").locator("summary").click()
    await fill(one, "delete", password="another horse battery")
    await expect(one.see("user")).to_have_text("")
    await one.open(f"/user/{name}")
    await expect(one.see("message")).to_contain_text("User not found")


async def test_a_forgotten_password_is_set_anew_by_a_code(server: ServerProcess, invite: Invite) -> None:
    name = member(server.url)[1]["name"]
    one = await invite()
    await one.open("/login")
    await one.page.get_by_role("link", name="Forgot your password?").click()
    await fill(one, "forgotten", name=name)
    await expect(one.see("sent")).to_contain_text("send email. Ask its administrator")
    await expect(one.see("reset").locator("[name=name]")).to_have_value(name)
    await fill(one, "reset", code="AAAA-BBBB-CCCC", password="another horse battery")
    await expect(one.page.locator("[data-field=code]")).to_contain_text("rong username or code")
    await fill(one, "reset", code=await code_for(server, name), password="another horse battery")
    await expect(one.see("user")).to_have_text(name)


async def code_for(server: ServerProcess, name: str) -> str:
    """As whoever runs the server makes one."""
    said: list[str] = []
    await run_users(
        read_settings({server.place[0].removeprefix("--"): server.place[1]}, {}), said.append, "reset", [name]
    )
    return said[0].split()[0]


async def test_form_reports_an_unreachable_server_and_is_sent_once(server: ServerProcess, invite: Invite) -> None:
    name = member(server.url)[1]["name"]
    one = await invite()
    await one.open("/login")
    await one.context.route("**/api/v1/login", lambda route: route.abort())
    await fill(one, "login", name=name, password=PASSWORD)
    await expect(one.see("fault")).to_contain_text("reach the server")
    await expect(one.page.get_by_label("Username")).to_have_value(name)
    await one.context.unroute("**/api/v1/login")
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(request.url) if "login" in request.url else None)
    await one.see("login").locator("button.main").dblclick()
    await expect(one.see("user")).to_have_text(name)
    assert [url for url in asked if url.endswith("/api/v1/login")] == [f"{one.home}/api/v1/login"]
