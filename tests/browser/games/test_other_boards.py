"""Mouse, keyboard and announcements on boards of draughts and Chinese checkers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.seats import PHONE, alone, together
from tests.browser.simuls.test_simul_desk import at_boards, joined

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)

TWO_WAYS = "W:W27:B1,15,16,23,24"
"""English draughts: two captures by the same man to the same square, of other men each."""


async def middle(person: Person, square: str) -> tuple[float, float]:
    """Return the middle of ``square`` on the person's screen."""
    box = await person.see("board").locator(f'[data-label="{square}"]').bounding_box()
    assert box is not None, f"no square {square}"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def click(person: Person, *squares: str) -> None:
    """Click one after the other."""
    for square in squares:
        await person.page.mouse.click(*await middle(person, square))


async def drag(person: Person, start: str, end: str) -> None:
    """Drag a piece."""
    mouse = person.page.mouse
    await mouse.move(*await middle(person, start))
    await mouse.down()
    await mouse.move(*await middle(person, end), steps=4)
    await mouse.up()


async def movable(person: Person) -> None:
    """Wait until the person may move."""
    await expect(person.see("board")).to_have_attribute("data-movable", "true")


async def test_premove_is_played_on_other_boards(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, game="draughts", variant="international")
    await movable(white)
    await click(black, "19", "23")
    await expect(black.see("board")).to_have_attribute("data-premove", "19-23")
    await drag(white, "32", "28")
    await black.sees_plies(2)
    await white.sees_plies(2)
    assert await white.score() == ["32-28", "19-23"]
    # White must take now, and the right button drops what Black has made ahead.
    await click(black, "14", "19")
    await expect(black.see("board")).to_have_attribute("data-premove", "14-19")
    await black.page.mouse.click(*await middle(black, "14"), button="right")
    await expect(black.see("board")).not_to_have_attribute("data-premove", "14-19")
    # With the right button an arrow is drawn from square to square, until the board is clicked.
    arrows, mouse = black.see("board").locator(".arrows"), black.page.mouse
    await mouse.move(*await middle(black, "28"))
    await mouse.down(button="right")
    await mouse.move(*await middle(black, "19"), steps=4)
    await mouse.up(button="right")
    await expect(arrows.locator("line")).to_have_count(1)
    await click(black, "1")
    await expect(arrows.locator("line")).to_have_count(0)


async def test_capture_with_equal_ends_is_dragged_or_chosen(server: ServerProcess, invite: Invite) -> None:
    led, chosen = await invite(), await invite()
    for person in (led, chosen):
        await alone(server, person, game="draughts", variant="english", fen=TWO_WAYS)
        await movable(person)
    await click(led, "27", "20", "11")
    await led.sees_plies(1)
    assert await led.score() == ["…", "27x20x11"]
    await expect(led.see("board")).to_have_attribute("data-fen", "B:W11:B1,15,23")
    # Back in the game what was taken is there again.
    for key, fen, pieces in (("ArrowLeft", TWO_WAYS, 6), ("ArrowRight", "B:W11:B1,15,23", 4)):
        await led.page.keyboard.press(key)
        await expect(led.see("board")).to_have_attribute("data-fen", fen)
        await expect(led.see("board").locator("b")).to_have_count(pieces)
    await led.click("takeback")
    await led.sees_plies(0)
    await expect(led.see("board").locator("b")).to_have_count(6)
    # A capture that is led on its way is dropped with Escape.
    await movable(led)
    await click(led, "27", "18")
    await expect(led.see("board")).to_have_attribute("data-walked", "18")
    await led.page.keyboard.press("Escape")
    await expect(led.see("board")).to_have_attribute("data-walked", "")
    await drag(chosen, "27", "11")
    await expect(chosen.see("ways")).to_be_visible()
    assert await violations(chosen.page) == []
    await chosen.page.keyboard.press("Escape")
    await chosen.page.mouse.click(*await middle(chosen, "4"))
    await expect(chosen.see("ways")).to_have_count(0)
    await movable(chosen)
    await click(chosen, "27", "11")
    await chosen.click("way-27x18x11")
    await chosen.sees_plies(1)
    await expect(chosen.see("board")).to_have_attribute("data-fen", "B:W11:B1,16,24")


async def test_capture_path_is_chosen_by_touch(server: ServerProcess, invite: Invite) -> None:
    somebody = await invite(**PHONE)
    await alone(server, somebody, game="draughts", variant="english", fen=TWO_WAYS)
    await movable(somebody)
    for square in ("27", "11"):
        await somebody.page.touchscreen.tap(*await middle(somebody, square))
    # The names leave the ways to be seen.
    names = await somebody.see("way-names").bounding_box()
    assert names is not None
    for square in ("27", "18", "20", "11"):
        y = (await middle(somebody, square))[1]
        assert not names["y"] < y < names["y"] + names["height"]
    await somebody.see("way-27x18x11").tap()
    await somebody.sees_plies(1)
    await expect(somebody.see("board")).to_have_attribute("data-fen", "B:W11:B1,16,24")


async def test_draughts_by_keyboard_is_announced(server: ServerProcess, invite: Invite) -> None:
    somebody = await invite()
    await alone(server, somebody, game="draughts", variant="russian")
    await movable(somebody)
    keys, heard = somebody.page.keyboard, somebody.see("heard").locator("p").last
    await somebody.page.keyboard.press("Enter")
    await keys.type("c3-d4")
    await somebody.sees_plies(1)
    await expect(heard).to_have_text("White: c3 to d4")
    grid = somebody.see("grid")
    await grid.locator("[data-square=b6]").focus()
    await keys.press("Enter")
    await expect(grid.locator("[data-square=a5]")).to_have_attribute("aria-label", "a5, empty, legal move")
    await keys.press("ArrowDown")
    await expect(
        grid.locator("[data-square=a5], [data-square=c5]").and_(somebody.page.locator(":focus"))
    ).to_have_count(1)
    await keys.press("ArrowUp")
    await expect(grid.locator("[data-square=b6]")).to_be_focused()
    await grid.locator("[data-square=a5]").focus()
    await keys.press("Enter")
    await somebody.sees_plies(2)
    assert await somebody.score() == ["c3-d4", "b6-a5"]
    # Back through the game, and on again.
    await keys.press("Shift+A")
    await expect(somebody.see("moves")).to_have_attribute("data-shown", "1")
    await expect(somebody.see("board").locator("b")).to_have_count(24)
    await keys.press("Shift+D")
    await expect(somebody.see("moves")).to_have_attribute("data-shown", "2")


@pytest.mark.parametrize(
    ("game", "variant", "move"),
    [
        ("draughts", "international", "32-28"),
        ("draughts", "turkish", "c3-c4"),
        ("chinese-checkers", "fifteen", "e5-f5"),
    ],
)
async def test_axe_finds_nothing_on_other_boards(
    server: ServerProcess, invite: Invite, game: str, variant: str, move: str
) -> None:
    white, black = await invite(), await invite(color_scheme="dark", viewport={"width": 390, "height": 844})
    await together(server, white, black, (move,), game=game, variant=variant)
    if where := os.environ.get("SHOTS"):
        for name, person in (("wide", white), ("narrow", black)):
            await person.page.wait_for_timeout(500)
            await person.page.screenshot(path=f"{where}/{variant}-{name}.png")
    for person in (white, black):
        assert await violations(person.page) == []
    await expect(black.see("board")).to_have_attribute("data-bottom", "b")
    await white.page.get_by_test_id("text-mode").focus()
    await white.page.keyboard.press("Enter")
    await expect(white.see("grid")).to_be_visible()
    assert await violations(white.page) == []
    if where := os.environ.get("SHOTS"):
        await white.page.screenshot(path=f"{where}/{variant}-text.png", full_page=True)


@pytest.mark.slow("whole simuls in the browser")
async def test_premove_in_a_round_of_draughts(invite: Invite) -> None:
    host, one, two = await invite(), await invite(), await invite()
    await host.open("/simuls")
    await host.click("announce")
    await host.see("simul-name").fill("Evening")
    await host.page.locator(".simul-family[data-family=draughts] summary").click()
    for name in ("Host walks round", "Unlimited", "White", "International", "Standard"):
        for button in await host.page.locator("form label").get_by_text(name, exact=True).all():
            await button.click()
    await host.see("simul-auto-accept").check()
    await host.see("simul-create").click()
    await host.page.wait_for_url("**/simul/*")
    await joined(one, two, simul=host.page.url.rsplit("/", 1)[1])
    await at_boards(host, one, two)
    for board, move in (("1", ("32", "28")), ("2", ("33", "28"))):
        await expect(host.see("simul")).to_have_attribute("data-at", board)
        await movable(host)
        await click(host, *move)
    await movable(one)
    await click(one, "18", "23")
    await expect(one.see("simul-where")).to_contain_text("The host is at your board: host to move.")
    await movable(host)
    await drag(host, "37", "32")
    await expect(host.see("simul")).to_have_attribute("data-at", "2")
    # Where the host is not, a move is not played yet: the piece is back, and the squares are marked.
    await movable(one)
    await click(one, "20", "25")
    await expect(one.see("ready")).to_have_attribute("data-move", "20-25")
    square, mark = one.see("board").locator('[data-label="25"]'), one.see("ready").locator("i").last
    assert await square.bounding_box() == pytest.approx(await mark.bounding_box(), abs=1)
    if where := os.environ.get("SHOTS"):
        await host.page.screenshot(path=f"{where}/desk.png")
        await one.page.screenshot(path=f"{where}/round.png")
