"""Accessibility: keyboard, screen readers, and checks by axe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.games.test_game import paired
from tests.tiers import screens, tiered

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(120)


async def enter(person: Person, text: str) -> None:
    """Type into the one input, as it has the focus."""
    await expect(person.see("entry")).to_be_focused()
    await person.page.keyboard.type(text)
    await person.page.keyboard.press("Enter")


async def told(person: Person, words: str) -> None:
    """Wait until the answer to what was typed contains ``words``."""
    await expect(person.see("answer")).to_contain_text(words)


async def focused(person: Person) -> str:
    """The square that has the focus."""
    return str(await person.page.evaluate("document.activeElement.dataset.square ?? document.activeElement.tagName"))


async def in_text_mode(*people: Person) -> None:
    """Through the door that the keyboard finds."""
    for person in people:
        await person.see("text-mode").focus()
        await person.page.keyboard.press("Enter")
        await expect(person.see("entry")).to_be_focused()


async def alone(somebody: Person) -> None:
    """Both sides of a game without a clock."""
    await somebody.open("/?create")
    await somebody.choose("Unlimited")
    await somebody.click("self")
    await somebody.at_game()


async def test_the_board_is_a_grid_for_arrow_keys(invite: Invite) -> None:
    somebody = await invite()
    await alone(somebody)
    keys = somebody.page.keyboard
    await somebody.see("grid").locator("[tabindex='0']").focus()
    assert await focused(somebody) == "a1"
    for key in ("ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
        await keys.press(key)
    assert await focused(somebody) == "e2"
    await expect(somebody.page.locator("[data-square=e2]")).to_have_attribute("aria-label", "e2, white pawn")
    await keys.press("Enter")
    await expect(somebody.page.locator("[data-square=e4]")).to_have_attribute("aria-label", "e4, empty, legal move")
    await keys.press("4")
    await keys.press("Enter")
    await somebody.sees_plies(1)
    await expect(somebody.page.locator("[data-square=e4]")).to_have_attribute("aria-label", "e4, white pawn, last move")
    await expect(somebody.see("heard")).to_contain_text("White: e4")

    # To the next knight, and what it can do, once its moves are told.
    await expect(somebody.see("board")).to_have_attribute("data-movable", "true")
    await keys.press("n")
    assert await focused(somebody) == "b1"
    await keys.press("8")
    await keys.press("m")
    await expect(somebody.see("heard")).to_contain_text("knight on b8: a6, c6")
    await keys.press("i")
    await expect(somebody.see("entry")).to_be_focused()


async def test_board_announces_pieces_and_last_move(invite: Invite) -> None:
    somebody = await invite()
    await alone(somebody)
    keys, heard = somebody.page.keyboard, somebody.see("heard")
    for move in ("e2e4", "d7d5", "e4d5"):
        await somebody.play(move)
    await somebody.sees_plies(3)
    await somebody.see("grid").locator("[data-square=d5]").focus()
    for key, told in (
        ("a", "d5 attacked by black queen d8"),
        ("x", "d5, up right: f7 black pawn, g8 black knight"),
        ("x", "d5, down right: g2 white pawn, h1 white rook"),
        ("Shift+X", "d5, up right: f7"),
        ("Alt+x", "d5, up: d8 black queen"),
        ("c", "Captured: black pawn"),
        ("Shift+A", "After Black: d5"),
        ("Shift+A", "After White: e4"),
        ("Enter", "viewing an earlier position"),
        ("Shift+D", "After Black: d5"),
        ("Shift+D", "Current position. White: e takes d5"),
        ("f", "Board flipped, Black at the bottom"),
    ):
        await keys.press(key)
        await expect(heard.locator("p").last).to_contain_text(told)
        assert await focused(somebody) == "d5"
    await expect(somebody.see("board")).to_have_attribute("data-bottom", "b")
    await expect(somebody.page.locator("[data-square=d5]")).to_have_attribute("tabindex", "0")


async def test_moves_are_typed_beside_the_board(invite: Invite) -> None:
    somebody = await invite()
    await alone(somebody)
    await somebody.page.keyboard.press("Enter")
    await expect(somebody.see("entry")).to_be_focused()
    # Played as soon as they can mean nothing else.
    for plies, move in enumerate(("e4", "d5", "exd5", "Nf6", "d5d6", "a6", "dxc7", "b6")):
        await somebody.page.keyboard.type(move)
        await somebody.sees_plies(plies + 1)
        await expect(somebody.see("entry")).to_have_value("")
    # Enter, with the piece left out: it is chosen at the square, by keyboard too.
    await somebody.page.keyboard.type("cxb8")
    await somebody.page.keyboard.press("Enter")
    await expect(somebody.see("promote-q")).to_be_focused()
    for _ in "qrb":
        await somebody.page.keyboard.press("Tab")
    await somebody.page.keyboard.press("Enter")
    await somebody.sees_plies(9)
    assert (await somebody.fen()).startswith("rNbqkb1r/")
    await expect(somebody.see("entry")).to_be_focused()
    await somebody.page.keyboard.press("Escape")
    await somebody.see("grid").locator("[tabindex='0']").focus()
    await somebody.page.keyboard.press("c")
    await expect(somebody.see("heard")).to_contain_text("Captured: black knight")


async def test_typed_move_waits_for_confirmation_on_the_board(invite: Invite) -> None:
    white, black = await invite(), await invite()
    await paired(white, black)
    board, heard, keys = black.see("board"), black.see("heard").locator("p").last, black.page.keyboard
    await keys.press("Enter")
    await enter(black, "e6")
    await expect(board).to_have_attribute("data-premove", "e7e6")
    await expect(heard).to_contain_text("Premove: pawn from e7 to e6")
    # Escape takes back one thing at a time: what is written, what waits, the input.
    await keys.type("Nf")
    await keys.press("Escape")
    await expect(black.see("entry")).to_have_value("")
    await expect(board).to_have_attribute("data-premove", "e7e6")
    await keys.press("Escape")
    await expect(board).not_to_have_attribute("data-premove", "e7e6")
    await expect(heard).to_contain_text("Premove cancelled")
    await keys.press("Escape")
    await expect(black.page.locator("#page")).to_be_focused()
    await keys.press("Enter")
    await enter(black, "d5")
    await expect(board).to_have_attribute("data-premove", "d7d5")
    await white.play("e2e4")
    await white.sees_plies(2)
    await expect(board).not_to_have_attribute("data-premove", "d7d5")
    await expect(heard).to_contain_text("Black: d5")


async def test_focus_keeps_its_square_when_the_board_flips(invite: Invite) -> None:
    somebody = await invite()
    await alone(somebody)
    await somebody.see("turns").check()
    await somebody.see("grid").locator("[data-square=e2]").focus()
    keys, board = somebody.page.keyboard, somebody.see("board")
    for key in ("Enter", "4", "Enter"):
        await keys.press(key)
    await expect(board).to_have_attribute("data-bottom", "b")
    assert await focused(somebody) == "e4"
    await keys.press("ArrowDown")
    assert await focused(somebody) == "e5"


async def test_spoken_moves_are_a_setting(invite: Invite) -> None:
    somebody = await invite()
    await somebody.page.add_init_script(
        """localStorage.setItem('settings', '{"speech":true}');
        globalThis.spoken = [];
        speechSynthesis.speak = (said) => spoken.push(said.text);"""
    )
    await alone(somebody)
    for move in ("e2e4", "d7d5", "e4d5"):
        await somebody.play(move)
    await somebody.sees_plies(3)
    assert await somebody.page.evaluate("spoken") == ["White: E 4", "Black: D 5", "White: e takes D 5"]


@pytest.mark.parametrize(("width", "scheme"), screens((320, 1280), quick=[(320, "light")]))
async def test_axe_finds_nothing_and_nothing_is_cut_off(invite: Invite, width: int, scheme: str) -> None:
    """320 pixels are what is left of 1280 at a zoom of 400 %."""
    somebody = await invite(viewport={"width": width, "height": 800}, color_scheme=scheme)
    found: list[str] = []
    page = somebody.page

    async def look(name: str) -> None:
        found.extend(f"{name}: {fault}" for fault in await violations(page))
        wide = await page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            found.append(f"{name}: {wide} pixels wide on {width}")

    await alone(somebody)
    await look("game")
    await in_text_mode(somebody)
    await look("text mode")
    await somebody.see("text-mode").click()
    for path in (
        "/",
        "/live",
        "/tv",
        "/wall",
        "/search",
        "/settings",
        f"/user/{await somebody.see('user').inner_text()}",
        "/nowhere",
    ):
        await somebody.open(path)
        await expect(page.locator("#page h1, #page h2").first).to_be_visible()
        await look(path)
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("scheme", tiered(["light", "dark"], quick=["dark"], why="more screens"))
async def test_axe_finds_nothing_in_what_opens_over_a_page(invite: Invite, scheme: str) -> None:
    somebody = await invite(color_scheme=scheme)
    found: list[str] = []

    async def look(name: str) -> None:
        found.extend(f"{name}: {fault}" for fault in await violations(somebody.page))

    await somebody.open("/?create")
    await somebody.click("challenge")
    await expect(somebody.see("qr")).to_be_visible()
    await look("challenge")
    await somebody.click("cancel")
    await alone(somebody)
    for move in ("h2h4", "g7g5", "h4g5", "h7h6", "g5h6", "a7a6", "h6h7", "a6a5"):
        await somebody.play(move)
    await somebody.sees_plies(8)
    await somebody.play("h7g8")
    await expect(somebody.see("promote-q")).to_be_visible()
    await look("promotion")
    await somebody.click("promote-q")
    await somebody.sees_plies(9)
    await resigned(somebody)
    await look("result")
    assert found == [], "\n".join(found)


SMALL = """() => {
    const found = [];
    for (const target of document.querySelectorAll('a, button, input, select, summary, label, [role=gridcell]')) {
        if (!target.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
        const inline = target.matches('a') && getComputedStyle(target).display === 'inline';
        const labelled = target.matches('input') && target.closest('label');
        if (inline || labelled || (target.matches('label') && !target.querySelector('input'))) continue;
        const {width, height} = target.getBoundingClientRect();
        if (width > 1 && (width < 43.9 || height < 43.9))
            found.push(`${target.outerHTML.slice(0, 120)} ${width.toFixed(0)}x${height.toFixed(0)}`);
    }
    return found;
}"""
"""What a thumb misses: under 44 pixels; links in running text excepted, as in WCAG 2.5.5."""


async def test_touch_targets_are_large_enough(invite: Invite) -> None:
    somebody = await invite(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    await somebody.open("/")
    found = await somebody.page.evaluate(SMALL)
    await alone(somebody)
    await somebody.play("e2e4")
    await somebody.play("e7e5")
    await somebody.sees_plies(2)
    found += await somebody.page.evaluate(SMALL)
    await in_text_mode(somebody)
    found += await somebody.page.evaluate(SMALL)
    await somebody.see("text-mode").tap()
    await resigned(somebody)
    found += await somebody.page.evaluate(SMALL)
    assert found == [], "\n".join(found)


async def resigned(person: Person) -> None:
    """Resign, asked once more or not, and see how it ended."""
    await person.click("resign")
    if await person.see("resign").count():
        await person.click("resign")
    await expect(person.see("result")).to_be_visible()


async def test_key_for_a_hint_tells_why_there_is_none(invite: Invite) -> None:
    white, black = await invite(), await invite()
    await paired(white, black)
    await in_text_mode(white)
    # Outside of the board, and at it.
    await white.see("text-mode").focus()
    await white.page.keyboard.press("h")
    await told(white, "There are no hints in this game")
    await white.see("entry").focus()
    await enter(white, "c")
    await told(white, "10 minutes")
    await enter(white, "b e4")
    await white.page.keyboard.press("h")
    await told(white, "There are no hints in this game")
