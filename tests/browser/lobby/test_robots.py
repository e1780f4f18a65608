"""Games against the computer: from the lobby, instead of waiting, again, and in text mode."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.members import member
from tests.browser.pages.test_access import enter, in_text_mode, told
from tests.integration.robots.robots_beside import robots
from tests.tiers import tiered

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from playwright.async_api import Locator

    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.robots.stub_moves import StubMoves
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(180)

ROBOTS = True

PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1440, "height": 900}


@pytest_asyncio.fixture(loop_scope="session")
async def moves(server: ServerProcess, token_file: Path) -> AsyncIterator[StubMoves]:
    """Robots that play any legal move."""
    async with robots(server.url, token_file) as moves:
        yield moves


async def is_offered(person: Person) -> None:
    """Wait until robots play."""
    await expect(person.see("robot")).to_have_attribute("aria-disabled", "false")
    await expect(person.see("robot")).to_contain_text("Level")


async def plays_against(person: Person, level: int) -> str:
    """Wait for the game against the robot of ``level``; return its path."""
    path = await person.at_game()
    await expect(person.page.locator(".player", has_text=f"Robot-{level}")).to_contain_text("Bot")
    return path


async def place_of(element: Locator) -> list[float]:
    """Return the rectangle of an element in its page, however that is scrolled."""
    place: list[float] = await element.evaluate(
        "element => { const box = element.getBoundingClientRect(); "
        "return [box.left + scrollX, box.top + scrollY, box.width, box.height] }"
    )
    return place


async def resign(person: Person) -> None:
    """Resign, and confirm it."""
    await person.click("resign")
    await person.click("resign")
    await expect(person.see("end")).to_be_visible()


@pytest.mark.usefixtures("moves")
@pytest.mark.parametrize(
    "viewport", tiered([PHONE, DESKTOP], quick=[PHONE], why="more screens"), ids=["phone", "desktop"]
)
async def test_guest_plays_in_two_clicks_and_again(invite: Invite, viewport: dict[str, int]) -> None:
    somebody = await invite(viewport=viewport)
    await somebody.open("/")
    await is_offered(somebody)
    await somebody.click("robot")
    await expect(somebody.page.get_by_role("heading", name="Play the computer")).to_be_focused()
    assert await violations(somebody.page) == []
    await somebody.click("robot-play")
    first = await plays_against(somebody, 3)
    await somebody.click("abort") if await somebody.see("abort").count() else await resign(somebody)

    # Another, with White, on another level, which the lobby remembers.
    await somebody.open("/")
    await is_offered(somebody)
    await somebody.click("robot")
    await somebody.choose("5", "White", "10+5")
    await somebody.click("robot-play")
    second = await plays_against(somebody, 5)
    assert second != first
    await somebody.play("e2e4")
    await somebody.sees_plies(2)
    await somebody.play("d2d4")
    await somebody.sees_plies(4)
    assert await violations(somebody.page) == []
    await resign(somebody)

    await somebody.click("rematch")
    await somebody.page.wait_for_url(lambda url: "/game/" in url and not url.endswith(second))
    await plays_against(somebody, 5)
    await expect(somebody.see("board")).to_have_attribute("data-bottom", "b")
    await somebody.sees_plies(1)
    await somebody.play("e7e5")
    await somebody.sees_plies(3)
    await resign(somebody)

    # Another opponent is one of another level, on the same terms.
    await somebody.click("new-opponent")
    dialog = somebody.see("create-dialog")
    await expect(dialog.get_by_role("radio", name="5", exact=True)).to_be_checked()
    await expect(dialog.get_by_role("radio", name="10+5", exact=True)).to_be_checked()
    await somebody.choose("2")
    await somebody.click("robot-play")
    await plays_against(somebody, 2)
    await somebody.open("/")
    await expect(somebody.see("robot")).to_contain_text("Level 2")


@pytest.mark.parametrize(
    "viewport", tiered([PHONE, DESKTOP], quick=[PHONE], why="more screens"), ids=["phone", "desktop"]
)
async def test_hints_are_turned_on_before_a_game(invite: Invite, moves: StubMoves, viewport: dict[str, int]) -> None:
    somebody = await invite(viewport=viewport)
    await somebody.open("/")
    await is_offered(somebody)
    await somebody.click("robot")
    hints = somebody.see("hints")
    await hints.check()
    await somebody.choose("5")
    await expect(hints).to_be_disabled()
    await expect(hints).not_to_be_checked()
    await somebody.choose("2", "White")
    await expect(hints).to_be_checked()
    assert await violations(somebody.page) == []
    await somebody.click("robot-play")
    await plays_against(somebody, 2)

    board, arrows = somebody.see("board"), somebody.page.locator(".arrows")
    before = await place_of(board)
    moves.score = 150
    await somebody.click("hint")
    await expect(somebody.see("hint-text")).to_contain_text("White is better. Try ")
    await expect(arrows).to_have_attribute("data-hint", re.compile("^[a-h][12]-[a-h][34]$"))
    await expect(somebody.see("heard")).to_contain_text("White is better. Try ")
    assert await place_of(board) == before
    assert await violations(somebody.page) == []
    await somebody.page.evaluate("scrollTo(0, 0)")  # where the driver may have scrolled to click
    await somebody.play("e2e4")
    await somebody.sees_plies(2)
    await expect(arrows).to_have_attribute("data-hint", "")
    await expect(somebody.see("hint-text")).to_have_count(0)

    moves.score = -400
    if viewport is PHONE:
        await somebody.click("hint")
    else:
        await somebody.page.keyboard.type("h")
        await somebody.page.keyboard.press("Enter")
    await expect(somebody.see("hint-text")).to_contain_text("Black is winning. Try ")
    await in_text_mode(somebody)
    await enter(somebody, "hint")
    await expect(somebody.see("notice")).to_contain_text("Black is winning. Try ")
    await enter(somebody, "d4")
    await somebody.sees_plies(4)
    await expect(somebody.see("notice")).to_be_empty()

    await somebody.open("/")
    await somebody.click("robot")
    await expect(somebody.see("hints")).to_be_checked()


@pytest.mark.usefixtures("moves")
async def test_hint_leaves_a_pawn_that_is_promoted_where_it_is(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/")
    await is_offered(somebody)
    await somebody.click("robot")
    await somebody.see("hints").check()
    await somebody.choose("2", "White")
    await somebody.advanced()
    await somebody.see("position").check()
    await somebody.see("fen").fill("8/4P3/8/8/8/k7/8/4K2R w K - 0 1")
    await somebody.click("robot-play")
    await plays_against(somebody, 2)
    await expect(somebody.see("board")).to_have_attribute("data-movable", "true")
    await somebody.put("e7e8")
    await expect(somebody.see("promote-q")).to_be_visible()
    await somebody.see("hint").dispatch_event("click")
    await expect(somebody.see("hint-text")).to_contain_text("Try ")
    pawn = somebody.see("board").locator("piece.white.pawn:not(.ghost)")
    assert await pawn.evaluate("piece => piece.cgKey") == "e8"
    await somebody.click("promote-q")
    await somebody.sees_plies(2)


@pytest.mark.usefixtures("moves")
async def test_whoever_waits_long_plays_the_computer_instead(invite: Invite) -> None:
    one, other = await invite(viewport=PHONE), await member(invite, "Ida", viewport=DESKTOP)
    await one.open("/")
    await one.click("quick-5+0")
    await expect(other.see("quick-rated")).to_be_checked()
    await other.click("quick-10+5")
    # On another page it is in the chip of the search.
    await other.page.get_by_role("link", name="Search", exact=True).click()
    await expect(one.see("robot")).to_have_attribute("data-offered", "false")
    await expect(one.see("robot")).to_contain_text("Play 5+0 now")
    await expect(one.see("pool")).to_contain_text("No opponent yet")
    await expect(other.see("pool-robot")).to_be_visible()
    for person in (one, other):
        assert await violations(person.page) == []
    await one.click("robot")
    await plays_against(one, 3)
    await other.click("pool-robot")
    await plays_against(other, 3)
    await expect(other.page).to_have_title(re.compile(r"10\+5"))
    for person in (one, other):
        await expect(person.see("pool")).to_have_count(0)


async def test_lobby_says_why_no_game_is_possible(
    invite: Invite, server: ServerProcess, token_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody = await invite()
    await somebody.open("/")
    tile = somebody.see("robot")
    await expect(tile).to_have_attribute("aria-disabled", "true")
    await expect(tile).to_contain_text("not available")
    await tile.click(force=True)
    await expect(somebody.see("said")).to_contain_text("The computer isn\N{RIGHT SINGLE QUOTATION MARK}t available")
    await expect(somebody.see("create-dialog")).to_have_count(0)
    assert await violations(somebody.page) == []

    async with robots(server.url, token_file) as moves:
        await is_offered(somebody)
        await somebody.click("robot")
        dialog = somebody.see("create-dialog")
        monkeypatch.setattr(moves, "variants", lambda: [("draughts", "russian")])
        await expect(dialog.get_by_role("alert")).to_contain_text("its engine isn")
        await expect(somebody.see("robot-play")).to_have_attribute("aria-disabled", "true")
        await somebody.see("robot-play").click(force=True)
        await somebody.choose("Draughts")
        await expect(dialog.get_by_role("alert")).to_contain_text("this variant")
        await somebody.choose("Russian")
        await expect(dialog.get_by_role("alert")).to_be_empty()
        moves.has_room = False
        await expect(dialog.get_by_role("alert")).to_contain_text("busy")
        moves.has_room = True
        await expect(dialog.get_by_role("alert")).to_be_empty()
        await somebody.choose("Unlimited")
        await somebody.click("robot-play")
        await plays_against(somebody, 3)
    await somebody.open("/")
    await expect(tile).to_contain_text("not available")


@pytest.mark.usefixtures("moves")
async def test_game_in_text_mode_without_a_mouse(invite: Invite) -> None:
    somebody = await invite()
    keys = somebody.page.keyboard
    await somebody.open("/")
    await is_offered(somebody)
    await somebody.see("robot").focus()
    await keys.press("Enter")
    form = somebody.see("create-dialog").locator("form")
    await form.get_by_role("radio", name="3", exact=True).focus()
    await keys.press("ArrowLeft")
    await form.get_by_role("radio", name="Random", exact=True).focus()
    await keys.press("ArrowRight")
    await keys.press("Enter")
    await plays_against(somebody, 2)
    await in_text_mode(somebody)
    await enter(somebody, "e4")
    await somebody.sees_plies(2)
    await expect(somebody.see("last")).to_contain_text("Black: ")
    await enter(somebody, "o")
    await told(somebody, "Robot-2")
    await enter(somebody, "resign")
    await enter(somebody, "resign")
    await expect(somebody.see("end")).to_be_visible()
    await enter(somebody, "new")
    await expect(somebody.page.get_by_role("heading", name="Play the computer")).to_be_focused()
    await keys.press("Escape")
    await expect(somebody.see("entry")).to_be_focused()
    await enter(somebody, "rematch")
    await expect(somebody.page.get_by_role("heading", name=re.compile("Robot-2"))).to_be_visible()
    await expect(somebody.see("state")).to_be_visible()
