"""People: from guest to member, in and out in several tabs, accounts, profiles, leaderboards, reports."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from realtime.settings import read_settings
from realtime.users_command import run_users
from tests.browser.axe import violations
from tests.browser.past import execute, rivals
from tests.browser.person import Person
from tests.wire_client import PASSWORD, WAIT_S, login, member

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)

GAMES = 24


@pytest.fixture(scope="module")
def past(server: ServerProcess) -> None:
    """Anna and Bertil, who have played for some weeks; Anna moderates."""

    async def play() -> None:
        await rivals(server, "Anna", "Bertil", GAMES)
        await execute(
            server,
            "UPDATE rating SET deviation = 60, listed = true",
            "INSERT INTO role SELECT id, 'moderator' FROM person WHERE name = 'Anna'",
        )

    asyncio.run(play())


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


async def test_a_guest_signs_up_and_keeps_the_game_he_plays(invite: Invite) -> None:
    one, other = await invite(), await invite()
    await one.open("/")
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
    await expect(one.page.locator("[data-field=name]")).to_contain_text("kept for the server")
    await expect(one.page.get_by_label("Name")).to_be_focused()
    assert await one.page.get_by_label("Name").get_attribute("aria-invalid") == "true"
    await fill(one, "signup", name="Keeper", password="password")
    await expect(one.page.locator("[data-field=password]")).to_contain_text("first passwords")
    assert await violations(one.page) == []
    await one.page.get_by_role("button", name="Show: Password").click()
    await expect(one.page.get_by_label("Password", exact=True)).to_have_attribute("type", "text")
    await fill(one, "signup", name="Keeper", password=PASSWORD)

    # Back at the game, by another name, without a reload; the opponent sees it too.
    await one.page.wait_for_url(f"**{path}")
    await expect(one.see("user")).to_have_text("Keeper")
    await expect(one.see("said").filter(has_text="Welcome, Keeper")).to_be_visible()
    await expect(one.see("said").filter(has_text="elsewhere")).to_have_count(0)
    await one.play("g1f3")
    await other.sees_plies(3)
    await one.open(path)
    await expect(one.see("game")).to_contain_text("Keeper")
    # Nothing of the password is in the page or kept by it.
    kept = await one.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.body.outerHTML])")
    assert PASSWORD not in kept
    await one.open("/login")
    await expect(one.see("message")).to_contain_text("logged in as Keeper")

    taken = await invite()
    await taken.open("/signup")
    await fill(taken, "signup", name="KEEPER", password=PASSWORD)
    await expect(taken.page.locator("[data-field=name]")).to_contain_text("taken")


async def test_in_and_out_of_an_account_in_two_tabs(server: ServerProcess, invite: Invite) -> None:
    name = member(server.url)[1]["name"]
    one = await invite()
    await one.open("/login?next=//evil.example/")
    tab = await tab_of(one, "/account")
    await expect(tab.see("message")).to_contain_text("not logged in")
    await fill(one, "login", name=name, password="wrong horse battery")
    await expect(one.see("fault")).to_contain_text("nobody of that name")
    await fill(one, "login", name=name.lower(), password=PASSWORD)
    await expect(one.see("user")).to_have_text(name)
    assert one.page.url == f"{one.home}/"

    # The other tab was a stranger's, whose line the server had no reason to close.
    await expect(tab.see("user")).to_have_text(name)
    await expect(tab.see("account")).to_contain_text(name)
    await tab.click("menu")
    await tab.click("menu-logout")
    await expect(tab.see("message")).to_contain_text("not logged in")
    await expect(one.see("user")).to_have_text("")
    await expect(one.see("said")).to_contain_text("logged out")
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
    await menu.get_by_role("link", name="Leaderboards").focus()
    await keys.press("Enter")
    await expect(somebody.page.get_by_role("heading", name="Leaderboards")).to_be_visible()
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
    await one.page.get_by_label("Hold exhibitions").check()
    await fill(one, "token", label="my script", days="7")
    token = await one.see("fresh-token").input_value()
    await expect(one.see("tokens")).to_contain_text("my script")
    assert ask(server.url, "/api/v1/me", token)["scopes"] == ["read", "play", "host"]
    await one.open("/account")
    await expect(one.see("tokens")).to_contain_text("my script")
    await expect(one.see("fresh-token")).to_have_count(0)

    await fill(one, "password", old="not this one", new="another horse battery")
    await expect(one.page.locator("#password-old-about")).to_contain_text("not your password")
    await fill(one, "password", old=PASSWORD, new="another horse battery")
    await expect(one.see("said")).to_contain_text("password is changed")
    # Whoever knew the old one is out.
    await expect(sessions).to_have_count(1)
    await expect(one.see("tokens").get_by_role("listitem")).to_have_count(0)
    for gone in (old, token):
        with pytest.raises(urllib.error.HTTPError, match="401"):
            ask(server.url, "/api/v1/me", gone)
    assert await violations(one.page) == []

    await fill(one, "email", email="somebody@example.org", password="another horse battery")
    await expect(one.see("email-now")).to_have_text("somebody@example.org")
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
    await expect(one.see("message")).to_contain_text("Nobody of that name")


async def test_a_forgotten_password_is_set_anew_by_a_code(server: ServerProcess, invite: Invite) -> None:
    name = member(server.url)[1]["name"]
    one = await invite()
    await one.open("/login")
    await one.page.get_by_role("link", name="Password forgotten?").click()
    await fill(one, "forgotten", name=name)
    await expect(one.see("sent")).to_contain_text(f"If {name} has an address")
    await expect(one.see("reset").locator("[name=name]")).to_have_value(name)
    await fill(one, "reset", code="AAAA-BBBB-CCCC", password="another horse battery")
    await expect(one.page.locator("[data-field=code]")).to_contain_text("that code")
    await fill(one, "reset", code=await code_for(server, name), password="another horse battery")
    await expect(one.see("user")).to_have_text(name)


async def code_for(server: ServerProcess, name: str) -> str:
    """As whoever runs the server makes one."""
    said: list[str] = []
    await run_users(read_settings({"data": str(server.data)}, {}), said.append, "reset", [name])
    return said[0].split()[0]


@pytest.mark.usefixtures("past")
async def test_a_profile_has_the_course_of_a_rating(server: ServerProcess, invite: Invite) -> None:
    points = ask(server.url, "/api/v1/users/Anna/ratings/blitz")["points"]
    assert len(points) == GAMES
    somebody = await invite()
    await somebody.open("/user/anna")
    await expect(somebody.page.get_by_role("heading", name="Anna", exact=True)).to_be_visible()
    await expect(somebody.see("results")).to_have_text("16 won · 0 drawn · 8 lost")
    shown, graph = somebody.see("graph-at"), somebody.see("graph")
    await expect(shown).to_contain_text(f": {points[-1][1]}")
    slider = graph.get_by_role("slider")
    await slider.focus()
    for key, index in (
        ("ArrowLeft", -2),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("PageUp", 10),
        ("ArrowRight", 11),
        ("End", -1),
    ):
        await somebody.page.keyboard.press(key)
        await expect(shown).to_contain_text(f": {points[index][1]}")
    spoken = await slider.get_attribute("aria-valuetext")
    assert spoken == await shown.inner_text()
    box = await slider.bounding_box()
    assert box is not None
    await somebody.page.mouse.move(box["x"] + 2, box["y"] + 20)
    await expect(shown).to_contain_text(f": {points[0][1]}")
    await graph.get_by_text("As a table").click()
    cells = await somebody.see("graph-table").locator("td").all_inner_texts()
    assert list(map(int, cells)) == [rating for _, rating in reversed(points)]
    assert await violations(somebody.page) == []


@pytest.mark.usefixtures("past")
async def test_games_are_filtered_and_had_as_a_file(server: ServerProcess, invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/user/Anna")
    rows = somebody.see("games").get_by_role("listitem")
    await expect(rows).to_have_count(20)
    await somebody.click("more")
    await expect(rows).to_have_count(GAMES)
    await somebody.see("filter").locator("xpath=..").locator("summary").click()
    await somebody.see("filter").get_by_label("Result").select_option("lost")
    await expect(rows).to_have_count(8)
    assert await somebody.page.locator("[data-outcome=lost]").count() == 8
    assert somebody.page.url.endswith("/user/Anna?result=lost")
    async with somebody.page.expect_download() as download:
        await somebody.click("pgn")
    file = await download.value
    assert file.suggested_filename == "zeitnot-Anna.pgn"
    assert (await file.path()).read_text().count('[Result "0-1"]') == 8

    # The address is that of what is seen; a game and back leads to the same.
    await rows.first.get_by_role("link").click()
    await somebody.at_game()
    await somebody.page.go_back()
    await expect(rows).to_have_count(8)
    await somebody.see("filter").get_by_label("Against").fill("nobody-at-all")
    await somebody.page.keyboard.press("Enter")
    await expect(somebody.page.get_by_role("alert")).to_contain_text("nobody of that name")
    await somebody.click("all")
    await expect(rows).to_have_count(20)

    day = await somebody.page.evaluate("new Date(Date.now() - 36e5 * 24 * 2).toLocaleDateString('sv')")
    await somebody.open(f"/games?user=Bertil&opponent=Anna&color=b&speed=blitz&rated=1&since={day}&until=nonsense")
    await expect(rows).to_have_count(3)
    await expect(somebody.see("filter").get_by_label("From")).to_have_value(day)
    assert await violations(somebody.page) == []


@pytest.mark.usefixtures("past")
async def test_leaderboards_lead_to_people(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/leaders")
    await somebody.page.get_by_role("heading", name="Blitz").get_by_role("link").click()
    await somebody.page.wait_for_url("**/leaders/blitz")
    names = somebody.see("board").locator("tbody th")
    await expect(names).to_have_text(["Anna", "Bertil"])
    await somebody.page.reload()
    await expect(names).to_have_text(["Anna", "Bertil"])
    assert await violations(somebody.page) == []
    await names.first.get_by_role("link").click()
    await expect(somebody.see("about")).to_contain_text("Member")
    await somebody.open("/leaders/checkers")
    await expect(somebody.see("message")).to_contain_text("No such leaderboard")


@pytest.mark.usefixtures("past")
async def test_somebody_is_blocked_reported_and_timed_out(server: ServerProcess, invite: Invite) -> None:
    name = member(server.url)[1]["name"]
    victim, moderator, accused = await invite(), await invite(), await invite()
    await enters(accused, name)
    await enters(victim, "Bertil", path=f"/login?next=%2Fuser%2F{name}")
    await expect(victim.see("about")).to_contain_text("online")
    await victim.click("block")
    await expect(victim.see("block")).to_have_text("Unblock")
    await expect(victim.see("invite")).to_have_count(0)
    await victim.open("/account")
    await expect(victim.see("blocked")).to_contain_text(name)
    await victim.see("blocked").get_by_role("button").click()
    await expect(victim.see("blocked")).to_have_count(0)

    await victim.open(f"/user/{name}?report=")
    await victim.see("report").get_by_label("What happened").select_option("stalling")
    await fill(victim, "report", text="He let me wait.", game="https://example.org/game/nosuchgame")
    await expect(victim.page.locator("#report-game-about")).to_contain_text("There is no game")
    await fill(victim, "report", game="")
    await expect(victim.see("said")).to_contain_text("have your report")
    await victim.open("/reports")
    await expect(victim.see("message")).to_contain_text("For moderators only")

    await enters(moderator, "Anna")
    await moderator.click("menu")
    await moderator.page.get_by_role("link", name="Reports").click()
    report = moderator.page.locator("article").filter(has_text=name)
    await expect(report).to_contain_text("He let me wait.")
    await report.get_by_text(f"Time out {name}").first.click()
    await report.locator("[name=minutes]").select_option("60")
    await report.locator("[name=why]").fill("play on or resign")
    await report.get_by_role("button", name=f"Time out {name}").click()
    await expect(report).to_contain_text("play on or resign")
    assert await violations(moderator.page) == []
    await accused.open("/account")
    await expect(accused.see("account").get_by_test_id("ban")).to_contain_text("play on or resign")
    await moderator.open(f"/user/{name}")
    await moderator.see("moderation").locator("summary").click()
    await moderator.click("lift")
    await expect(moderator.see("said")).to_contain_text("may play again")
    await accused.open("/account")
    await expect(accused.see("account").get_by_test_id("ban")).to_have_count(0)

    await moderator.open("/reports")
    await report.get_by_label("Verdict").select_option("upheld")
    await report.get_by_role("button", name="Judge").click()
    await expect(report).to_have_count(0)
    await expect(victim.see("said")).to_contain_text("agrees with you")
    await moderator.page.get_by_role("link", name="Judged").click()
    await expect(report.get_by_test_id("verdict")).to_contain_text("Upheld")


PAGES = (
    "/signup",
    "/login",
    "/forgotten",
    "/account",
    "/games",
    "/leaders",
    "/leaders/blitz",
    "/reports",
    "/user/Anna",
)


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_pages_of_people_fit_and_are_without_fault(invite: Invite, width: int, scheme: str) -> None:
    options: dict[str, Any] = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    stranger, anna = await invite(**options), await invite(**options)
    await enters(anna, "Anna")
    for person in (stranger, anna):
        for path in PAGES:
            await person.open(path)
            await expect(person.page.get_by_role("heading", level=1)).to_be_visible()
            assert await person.page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert await violations(person.page) == [], path


async def test_a_form_says_that_the_server_does_not_answer_and_is_sent_once(
    server: ServerProcess, invite: Invite
) -> None:
    name = member(server.url)[1]["name"]
    one = await invite()
    await one.open("/login")
    await one.context.route("**/api/v1/login", lambda route: route.abort())
    await fill(one, "login", name=name, password=PASSWORD)
    await expect(one.see("fault")).to_contain_text("cannot be reached")
    await expect(one.page.get_by_label("Name")).to_have_value(name)
    await one.context.unroute("**/api/v1/login")
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(request.url) if "login" in request.url else None)
    await one.see("login").locator("button.main").dblclick()
    await expect(one.see("user")).to_have_text(name)
    assert [url for url in asked if url.endswith("/api/v1/login")] == [f"{one.home}/api/v1/login"]


async def test_a_program_is_not_asked_into_the_pages(invite: Invite) -> None:
    somebody = await invite(java_script_enabled=False)
    for path in PAGES:
        answer = await somebody.page.goto(somebody.home + path)
        assert answer is not None
        assert (answer.status, re.search("<main", await answer.text()) is not None) == (200, True), path
