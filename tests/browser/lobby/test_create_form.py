"""The form of a new game: a dialog over any page, by keyboard alone; the position editor; names of icons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.members import member

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(120)

INSIDE = "document.activeElement.closest('dialog') !== null"
UNNAMED = """[...document.querySelectorAll('button, a')]
    .filter((one) => one.checkVisibility() && /^\\u00d7?$/.test(one.innerText.trim()))
    .filter((one) => !one.getAttribute('aria-label'))
    .map((one) => one.outerHTML)"""
"""Icons without a name."""


async def position(person: Person, fen: str) -> None:
    """Wait until the editor's board and text have this position."""
    await expect(person.see("setup-board")).to_have_attribute("data-fen", fen)
    await expect(person.see("fen")).to_have_value(fen)


async def test_a_game_is_created_by_keyboard_alone(invite: Invite) -> None:
    somebody = await member(invite, "Karla")
    keys = somebody.page.keyboard
    await somebody.see("create").focus()
    await keys.press("Enter")
    dialog = somebody.see("create-dialog")
    await expect(dialog).to_be_visible()
    assert await violations(somebody.page) == []

    # The focus is within, wherever Tab leads, and Escape takes it back to where it came from.
    await expect(somebody.page.get_by_role("heading", name="Create a game")).to_be_focused()
    for _ in range(3):
        await keys.press("Tab")
        assert await somebody.page.evaluate(INSIDE)
    await keys.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(somebody.see("create")).to_be_focused()

    await keys.press("Enter")
    form = dialog.locator("form")
    await form.get_by_role("radio", name="5+0", exact=True).focus()
    await keys.press("ArrowRight")
    await expect(form.get_by_role("radio", name="5+3", exact=True)).to_be_checked()
    await form.get_by_role("radio", name="Random", exact=True).focus()
    await keys.press("ArrowRight")
    await expect(form.get_by_role("radio", name="White", exact=True)).to_be_checked()
    await expect(form.get_by_role("radio", name="Rated", exact=True)).to_be_checked()

    # What cannot apply is not there: games by the Laws are played at the board, those without a clock are casual.
    await somebody.see("advanced").locator("> summary").focus()
    await keys.press("Enter")
    await expect(somebody.see("odds")).to_be_visible()
    await expect(somebody.see("rules")).to_have_value("online")
    await form.get_by_role("radio", name="Correspondence", exact=True).press("Space")
    await expect(somebody.see("rules")).to_have_count(0)
    await form.get_by_role("radio", name="Unlimited", exact=True).press("Space")
    await expect(somebody.see("odds")).to_have_count(0)
    await expect(form.get_by_role("radio", name="Rated", exact=True)).to_have_count(0)
    await expect(somebody.see("casual")).to_have_text("Games without a clock are casual.")
    await form.get_by_role("radio", name="10+0", exact=True).press("Space")
    await expect(form.get_by_role("radio", name="Rated", exact=True)).to_be_checked()
    assert await violations(somebody.page) == []
    await somebody.see("seek").focus()
    await keys.press("Enter")
    await expect(dialog).to_have_count(0)
    await expect(somebody.see("seek-wait")).to_contain_text("10+0, rated")


async def test_the_form_opens_over_a_person_and_a_finished_game(invite: Invite) -> None:
    one, other = await member(invite, "Lena"), await member(invite, "Lutz")
    await one.open("/user/Lutz")
    await one.click("challenge-person")
    await expect(one.page.get_by_role("heading", name="Invite Lutz")).to_be_visible()
    assert one.page.url == f"{one.home}/user/Lutz"
    await one.click("create-close")
    await expect(one.see("challenge-person")).to_be_focused()
    await one.click("challenge-person")
    await one.choose("Chess960", "10+5")
    await one.click("invite")
    await other.click("inbox")
    await other.see("invitations").get_by_role("link").click()
    await other.click("accept")
    await one.at_game()
    await other.at_game()
    await one.click("abort")
    await one.click("new-game")
    for name in ("10+5", "Chess960", "Rated"):
        await expect(one.page.locator("dialog").get_by_role("radio", name=name, exact=True)).to_be_checked()
    # The page goes, and the form with it.
    await one.page.go_back()
    await expect(one.see("create-dialog")).to_have_count(0)

    # An address opens it too, but not again when it was closed.
    await one.open("/?to=Lutz")
    await expect(one.page.get_by_role("heading", name="Invite Lutz")).to_be_visible()
    await one.page.keyboard.press("Escape")
    await expect(one.see("create-dialog")).to_have_count(0)
    assert one.page.url == f"{one.home}/"


async def test_a_position_is_set_up_by_mouse_and_by_keyboard(invite: Invite) -> None:
    somebody = await invite(viewport={"width": 1280, "height": 1000})
    await somebody.open("/?create")
    await somebody.advanced()
    await somebody.see("position").check()
    await position(somebody, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    await somebody.click("setup-empty")
    await position(somebody, "8/8/8/8/8/8/8/8 w - - 0 1")
    await expect(somebody.see("fen-fault")).to_have_text("Each side needs exactly one king.")

    async def square(name: str) -> tuple[float, float]:
        box = await somebody.page.locator(f"[data-square={name}]").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def drag(start: tuple[float, float], end: tuple[float, float]) -> None:
        mouse = somebody.page.mouse
        await mouse.move(*start)
        await mouse.down()
        await mouse.move(*end, steps=4)
        await mouse.up()

    # From the palette, by dragging and by clicking; then moved, painted, and removed.
    await somebody.see("setup").scroll_into_view_if_needed()
    king = await somebody.see("setup-wk").bounding_box()
    assert king is not None
    await drag((king["x"] + 10, king["y"] + 10), await square("e1"))
    await somebody.click("setup-bk")
    await somebody.page.mouse.click(*await square("d8"))
    await somebody.click("setup-wr")
    await drag(await square("a1"), await square("c1"))
    await position(somebody, "3k4/8/8/8/8/8/8/RRR1K3 w - - 0 1")
    await somebody.page.mouse.click(*await square("b1"), button="right")
    await somebody.click("setup-erase")
    await somebody.page.mouse.click(*await square("c1"))
    await somebody.click("setup-hand")
    await drag(await square("d8"), await square("e8"))
    await position(somebody, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    await expect(somebody.see("fen-fault")).to_have_text("")
    await somebody.see("setup-right-Q").check()
    await expect(somebody.see("setup-right-K")).to_have_count(0)
    await position(somebody, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    await somebody.page.mouse.click(*await square("a1"))
    await somebody.page.mouse.click(*await square("a2"))
    await position(somebody, "4k3/8/8/8/8/8/R7/4K3 w - - 0 1")
    await drag(await square("a2"), (5, 5))
    await position(somebody, "4k3/8/8/8/8/8/8/4K3 w - - 0 1")

    # On the grid, by keyboard, and told.
    keys = somebody.page.keyboard
    await somebody.page.locator("[data-square=d2]").focus()
    await keys.press("Shift+P")
    await expect(somebody.see("setup-told")).to_have_text("d2, white pawn")
    await keys.press("ArrowUp")
    await keys.press("q")
    await expect(somebody.page.locator("[data-square=d3]")).to_have_attribute("aria-label", "d3, black queen")
    await keys.press("Delete")
    await position(somebody, "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1")
    await keys.press("ArrowDown")
    await keys.press("Enter")
    await keys.press("ArrowUp")
    await keys.press("Enter")
    await position(somebody, "4k3/8/8/8/8/3P4/8/4K3 w - - 0 1")

    # From the text, which is as good; then another game, whose start position it is.
    await somebody.see("fen").fill("4k3/8/8/8/8/8/4P3/4K3 b - - 3 9")
    await position(somebody, "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9")
    await somebody.click("setup-flip")
    await expect(somebody.page.locator("[data-square]").first).to_have_attribute("data-square", "h1")
    assert await violations(somebody.page) == []
    await somebody.choose("Draughts")
    await position(somebody, "W:W31-50:B1-20")
    await somebody.see("fen").fill("W:W31,K46:B5,K12")
    await somebody.page.locator("[data-square='28']").focus()
    await keys.press("Shift+Digit1")
    await position(somebody, "W:W31,K28,K46:B5,K12")
    await somebody.click("self")
    await somebody.at_game()
    assert await somebody.fen() == "W:W31,K28,K46:B5,K12"


async def test_icons_have_names_that_hovering_shows(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/?create")
    await somebody.choose("Unlimited")
    await somebody.click("self")
    await somebody.at_game()
    assert await somebody.page.evaluate(UNNAMED) == []
    await somebody.see("flip").hover()
    await expect(somebody.see("tip")).to_have_text("Flip board")
    await somebody.page.keyboard.press("Escape")
    await expect(somebody.see("tip")).to_be_hidden()
    await somebody.see("zen").focus()
    await somebody.page.keyboard.press("Shift+Tab")
    await somebody.page.keyboard.press("Tab")
    await expect(somebody.see("tip")).to_contain_text("Zen mode")

    # Typed moves are folded away until they are typed, and nothing moves for it.
    folded, entry = somebody.see("entry-open"), somebody.see("entry")
    await expect(folded).to_be_visible()
    before = await somebody.see("actions").bounding_box()
    await somebody.page.locator("#page").focus()
    await somebody.page.keyboard.press("Enter")
    await expect(entry).to_be_focused()
    await expect(folded).to_be_hidden()
    assert await somebody.see("actions").bounding_box() == before
    await somebody.page.keyboard.type("e4")
    await somebody.sees_plies(1)


async def test_closing_the_form_does_not_throw_a_position_away(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/?create")
    dialog = somebody.see("create-dialog")
    await somebody.advanced()
    await somebody.see("position").check()
    await somebody.see("fen").fill("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    await somebody.page.keyboard.press("Escape")
    await expect(somebody.see("create-keep")).to_be_focused()
    assert await violations(somebody.page) == []
    await somebody.click("create-keep")
    await expect(somebody.see("create-question")).to_have_count(0)
    await expect(somebody.see("fen")).to_have_value("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    await somebody.page.mouse.click(3, 3)
    await somebody.click("create-discard")
    await expect(dialog).to_have_count(0)


async def test_notices_are_in_reach_over_the_form(invite: Invite) -> None:
    one, other = await member(invite, "Tilda", viewport={"width": 390, "height": 844}), await invite()
    await one.click("create")
    await expect(one.see("create-dialog")).to_be_visible()
    await other.open("/?to=Tilda")
    await other.click("invite")
    notice = one.see("create-dialog").get_by_test_id("said")
    await expect(notice).to_contain_text("invites you")
    assert await violations(one.page) == []
    await notice.get_by_role("link").click()
    await one.page.wait_for_url("**/challenge/*")
    await expect(one.see("create-dialog")).to_have_count(0)
    await one.click("decline")


async def test_the_editor_fits_a_small_phone(invite: Invite) -> None:
    """Each tool is as wide as a finger, and empty squares scroll the form."""
    somebody = await invite(viewport={"width": 320, "height": 568}, is_mobile=True, has_touch=True)
    await somebody.open("/?create")
    await somebody.advanced()
    await somebody.see("position").check()
    await expect(somebody.see("setup")).to_be_visible()
    for width in (320, 360, 390):
        await somebody.page.set_viewport_size({"width": width, "height": 568})
        tools = "[...document.querySelectorAll('.setup-tool')].map(tool => tool.getBoundingClientRect().width)"
        assert min(await somebody.page.evaluate(tools)) > 43.9, width
        wide = "(fields => fields.scrollWidth - fields.clientWidth)(document.querySelector('.create-fields'))"
        assert await somebody.page.evaluate(wide) == 0, width
    touch = "name => getComputedStyle(document.querySelector(`[data-square=${name}]`)).touchAction"
    assert [await somebody.page.evaluate(touch, name) for name in ("e2", "e4")] == ["none", "auto"]
    await somebody.click("setup-wq")
    assert await somebody.page.evaluate(touch, "e4") == "none"
