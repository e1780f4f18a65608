"""Profiles, games, leaderboards and reports."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.games.test_game_page import paired
from tests.browser.members import member as signed_up
from tests.browser.people.test_people import ask, enters, fill
from tests.browser.rated_history import execute, rivals
from tests.tiers import screens
from tests.wire_client import member

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)

GAMES = 24


_TOLD: set[str] = set()
"""The servers that have the past already."""


@pytest.fixture
def past(server: ServerProcess) -> None:
    """Anna and Bertil, who have played for some weeks; Anna moderates."""
    if server.url in _TOLD:
        return
    _TOLD.add(server.url)

    async def play() -> None:
        await rivals(server, "Anna", "Bertil", GAMES)
        await execute(
            server,
            "UPDATE rating SET deviation = 60, listed = true",
            "INSERT INTO role SELECT id, 'moderator' FROM person WHERE name = 'Anna'",
        )

    asyncio.run(play())


@pytest.mark.usefixtures("past")
async def test_profile_has_a_rating_graph(server: ServerProcess, invite: Invite) -> None:
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
    await graph.get_by_text("Show as table").click()
    cells = somebody.see("graph-table").locator("td")
    await expect(cells).to_have_text([str(rating) for _, rating in reversed(points)])
    assert await violations(somebody.page) == []


@pytest.mark.usefixtures("past")
async def test_games_are_filtered_and_downloaded(server: ServerProcess, invite: Invite) -> None:
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
    await somebody.see("filter").get_by_label("Opponent").fill("nobody-at-all")
    await somebody.page.keyboard.press("Enter")
    await expect(somebody.page.get_by_role("alert")).to_contain_text("User not found")
    await somebody.click("all")
    await expect(rows).to_have_count(20)

    day = await somebody.page.evaluate("new Date(Date.now() - 36e5 * 24 * 2).toLocaleDateString('sv')")
    await somebody.open(f"/games?user=Bertil&opponent=Anna&color=b&speed=blitz&rated=1&since={day}&until=nonsense")
    await expect(rows).to_have_count(3)
    await expect(somebody.see("filter").get_by_label("From")).to_have_value(day)
    await expect(somebody.see("unfit")).to_have_text("Unknown filters were ignored: To “nonsense”.")
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
    await expect(somebody.see("message")).to_contain_text("Leaderboard not found")


@pytest.mark.usefixtures("past")
async def test_player_is_blocked_reported_and_timed_out(server: ServerProcess, invite: Invite) -> None:
    name = member(server.url)[1]["name"]
    victim, moderator, accused = await invite(), await invite(), await invite()
    await enters(accused, name)
    await enters(victim, "Bertil", path=f"/login?next=%2Fuser%2F{name}")
    await expect(victim.see("about")).to_contain_text("online")
    await victim.click("block")
    await expect(victim.see("block")).to_have_text("Unblock")
    await expect(victim.see("challenge-person")).to_have_count(0)
    await victim.open("/account")
    await expect(victim.see("blocked")).to_contain_text(name)
    await victim.see("blocked").get_by_role("button").click()
    await expect(victim.see("blocked")).to_have_count(0)

    await victim.open(f"/user/{name}?report=")
    await victim.see("report").get_by_label("Reason").select_option("stalling")
    await fill(victim, "report", text="He let me wait.", game="https://example.org/game/nosuchgame")
    await expect(victim.page.locator("#report-game-about")).to_contain_text("There is no game")
    await fill(victim, "report", game="")
    await expect(victim.see("said")).to_contain_text("Report sent")
    await victim.open("/reports")
    await expect(victim.see("message")).to_contain_text("Moderators only")

    await enters(moderator, "Anna")
    await moderator.click("menu")
    await moderator.page.get_by_role("link", name="Reports").click()
    report = moderator.page.locator("article").filter(has_text=name)
    await expect(report).to_contain_text("He let me wait.")
    await report.get_by_text(f"Ban {name}").first.click()
    await report.locator("[name=minutes]").select_option("60")
    await report.locator("[name=why]").fill("play on or resign")
    await report.get_by_role("button", name=f"Ban {name}").click()
    await expect(report).to_contain_text("play on or resign")
    assert await violations(moderator.page) == []
    await accused.open("/account")
    await expect(accused.see("account").get_by_test_id("ban")).to_contain_text("chat until")
    await expect(accused.see("account").get_by_test_id("ban")).to_contain_text("play on or resign")
    await accused.open("/")
    # Once, with all that is forbidden, in their own time zone.
    told = re.compile(r"^\s*You cannot start games or write in chat until [^U]+: play on or resign\.\s*$")
    await expect(accused.see("ban")).to_have_text(told)
    await moderator.open(f"/user/{name}")
    await moderator.see("moderation").locator("summary").click()
    await moderator.click("lift")
    await expect(moderator.see("said")).to_contain_text("can play again")
    await accused.open("/account")
    await expect(accused.see("account").get_by_test_id("ban")).to_have_count(0)

    await moderator.open("/reports")
    await report.get_by_label("Decision").select_option("upheld")
    await report.get_by_role("button", name="Save decision").click()
    await expect(report).to_have_count(0)
    await expect(victim.see("said")).to_contain_text("upheld your report")
    await moderator.page.get_by_role("link", name="Closed").click()
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
@pytest.mark.parametrize(("width", "scheme"), screens((320, 390, 1280), quick=[(390, "light")]))
async def test_profile_pages_fit_and_pass_axe(invite: Invite, width: int, scheme: str) -> None:
    options: dict[str, Any] = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    stranger, anna = await invite(**options), await invite(**options)
    await enters(anna, "Anna")
    for person in (stranger, anna):
        for path in PAGES:
            await person.open(path)
            await expect(person.page.get_by_role("heading", level=1)).to_be_visible()
            assert await person.page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert await violations(person.page) == [], path


async def test_a_program_is_not_asked_into_the_pages(invite: Invite) -> None:
    somebody = await invite(java_script_enabled=False)
    for path in PAGES:
        answer = await somebody.page.goto(somebody.home + path)
        assert answer is not None
        assert (answer.status, re.search("<main", await answer.text()) is not None) == (200, True), path


async def test_countries_are_shown_beside_the_names_of_a_game(invite: Invite) -> None:
    white, black = await signed_up(invite, "Wim"), await signed_up(invite, "Xaver")
    profile = {"about": "", "country": "NL"}
    answer = await white.page.request.put(f"{white.home}/api/v1/account/profile", data=profile)
    assert answer.status == 200
    await paired(white, black)
    for person in (white, black):
        await expect(person.see("player-w").get_by_role("img", name="Netherlands")).to_be_visible()
        await expect(person.see("flag")).to_have_count(1)
