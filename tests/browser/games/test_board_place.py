"""The place of the board and its controls: no event moves or covers them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.games.test_game_page import alone, paired
from tests.browser.header import HEADER
from tests.tiers import tiered

if TYPE_CHECKING:
    from playwright.async_api import FloatRect, Locator

    from tests.browser.conftest import Invite

pytestmark = pytest.mark.timeout(120)

LAID = """['.field .board', 'cg-board', '.arrows', '.field .squares'].map((part) => {
    const { left, top, width, height } = document.querySelector(part).getBoundingClientRect();
    return [left, top, width, height];
})"""


COVERED = """() => {
    const toast = document.querySelector('.toast').getBoundingClientRect();
    return ['.player.top', '.player.bottom', '.field', '.doing'].filter((place) => {
        const part = document.querySelector(place).getBoundingClientRect();
        if (part.width === 0) return false;
        const beside = part.right <= toast.left || toast.right <= part.left;
        return !beside && part.top < toast.bottom - 1 && toast.top < part.bottom - 1;
    });
}"""
"""The parts of a game's page that lie under what is told for a moment."""


STAYS = """
    const later = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => (ms === 7000 ? 0 : later(act, ms, ...more));
"""
"""What is told does not go by itself (``SHOWN_FOR_MS``): on a machine that is busy it could have, before it is seen."""


async def test_toasts_cover_nothing_of_the_game(invite: Invite) -> None:
    white, black, third = await invite(viewport={"width": 390, "height": 664}), await invite(), await invite()
    await white.context.add_init_script(STAYS)
    path = await paired(white, black)
    await third.open("/")
    await third.click("quick-30+20")
    await expect(third.see("pool")).to_be_visible()
    tab = await white.context.new_page()
    await tab.goto(f"{white.home}/?to={await third.see('user').inner_text()}")
    await tab.get_by_test_id("invite").click()
    await third.click("inbox")
    await third.click("decline")
    told = white.see("said")
    await expect(told).to_contain_text("declined")
    for width, height in ((390, 664), (320, 568), (768, 1024), (844, 390), (1280, 800)):
        await white.page.set_viewport_size({"width": width, "height": height})
        await white.page.wait_for_function(f"() => ({COVERED})().length === 0")
    # With nothing but the game on the screen too.
    await white.click("zen")
    for width, height in ((1280, 800), (1920, 1080), (1024, 768), (844, 390), (390, 664), (768, 1024)):
        await white.page.set_viewport_size({"width": width, "height": height})
        await white.page.wait_for_function(f"() => ({COVERED})().length === 0")
    assert white.page.url.endswith(path)


@pytest.mark.parametrize(
    ("width", "height"),
    tiered([(1440, 900), (390, 844), (844, 390)], quick=[(1440, 900), (390, 844)], why="more screens"),
)
async def test_no_event_moves_the_board(invite: Invite, width: int, height: int) -> None:
    white, black, third = await invite(viewport={"width": width, "height": height}), await invite(), await invite()
    await white.open("/?create")
    await white.click("self")
    other = await white.at_game()
    tab = await white.context.new_page()
    path = await paired(white, black)
    rectangle = await white.page.evaluate(LAID)

    async def stands(seen: Locator) -> None:
        await expect(seen).to_be_visible()
        assert await white.page.evaluate(LAID) == rectangle

    # An invitation: a number at the bell, no toast.
    name = await white.see("player-w").locator(".name").inner_text()
    await third.open(f"/?to={name.strip()}")
    await third.click("invite")
    await stands(white.see("inbox").get_by_text("1"))
    await expect(white.see("said")).to_have_count(0)
    if height > 500:  # else the header is below the game
        await white.click("inbox")
        await stands(white.see("decline"))
        await white.page.keyboard.press("Escape")
    # Another game of theirs ends in another tab.
    await stands(white.see("own-game"))
    await tab.goto(f"{white.home}{other}")
    await tab.get_by_test_id("abort").click()
    await expect(white.see("own-game")).to_have_count(0)
    assert await white.page.evaluate(LAID) == rectangle
    # Spectators, moves, offers, chat, and an opponent who leaves and returns.
    watcher = await invite()
    await watcher.open(path)
    await white.play("e2e4")
    await black.play("e7e5")
    await white.sees_plies(2)
    await black.click("draw")
    await black.click("draw")
    await stands(white.see("decline-draw"))
    # Each request has its own place, and what is said of one hides no other.
    places = {name: await white.see(f"decline-{name}").bounding_box() for name in ("draw",)}
    await black.click("takeback")
    await stands(white.see("decline-takeback"))
    places["takeback"] = await white.see("decline-takeback").bounding_box()
    assert await white.see("decline-draw").bounding_box() == places["draw"]
    assert not overlap(places["draw"], places["takeback"])
    await black.click("cancel-takeback")
    await expect(white.see("decline-takeback")).to_have_count(0)
    await expect(black.see("takeback")).to_be_enabled()
    await black.click("takeback")
    # Not by the mouse: the driver scrolls the page if anything covers the button for a moment.
    await white.see("decline-draw").dispatch_event("click")
    await expect(white.see("decline-draw")).to_have_count(0)
    await stands(white.see("decline-takeback"))
    assert await white.see("decline-takeback").bounding_box() == places["takeback"]
    await white.play("g1f3")
    # Material.
    await black.play("d7d5")
    await white.play("f3e5")
    await stands(white.page.locator(".player.bottom .material piece"))
    await black.page.goto("about:blank")
    await stands(white.see("left"))
    await black.open(path)
    await expect(white.see("left")).to_have_count(0)
    assert await white.page.evaluate(LAID) == rectangle
    # A lost connection.
    await white.context.set_offline(True)
    await white.page.evaluate("dispatchEvent(new Event('offline'))")
    await white.context.set_offline(False)
    assert await white.page.evaluate(LAID) == rectangle


def overlap(one: FloatRect | None, other: FloatRect | None) -> bool:
    """Return whether two buttons have a point in common."""
    assert one is not None
    assert other is not None
    return (
        abs(one["x"] - other["x"]) < (one["width"] + other["width"]) / 2
        and abs(one["y"] - other["y"]) < (one["height"] + other["height"]) / 2
    )


LINE = "How long this game goes on, and how much there is to say about it! " * 2


async def test_chat_below_the_board_tells_of_unread_lines(invite: Invite) -> None:
    white, black = await invite(viewport={"width": 390, "height": 844}), await invite()
    await paired(white, black)
    rectangle = await white.page.evaluate(LAID)
    await expect(black.see("to-chat")).to_be_hidden()
    await expect(white.see("to-chat")).to_have_accessible_name("Chat")
    for count in range(1, 5):
        await black.see("chat-text").fill(LINE[:140])
        await black.click("chat-send")
        await expect(white.see("unread")).to_have_text(str(count))
    await expect(white.see("to-chat")).to_have_accessible_name("Chat, 4 unread messages")
    assert await white.page.evaluate(LAID) == rectangle
    await white.click("to-chat")
    await expect(white.see("unread")).to_have_count(0)
    await expect(white.see("chat-lines")).to_be_focused()
    await white.click("to-board")
    await white.page.wait_for_function("() => scrollY === 0")
    assert await white.page.evaluate(LAID) == rectangle


async def test_question_of_a_button_is_cancelled_elsewhere(invite: Invite) -> None:
    white, black = await invite(viewport={"width": 390, "height": 844}), await invite()
    await paired(white, black)
    await white.play("e2e4")
    await black.play("e7e5")
    rectangle = await white.page.evaluate(LAID)
    for name, cancel in (("draw", "ask-cancel"), ("resign", "player-w"), ("draw", "board")):
        await white.click(name)
        await expect(white.see("asked")).to_contain_text("Press again")
        await expect(white.see("heard")).to_contain_text("Escape cancels")
        await white.click(cancel)
        await expect(white.see("asked")).to_have_count(0)
    await white.click("resign")
    await expect(white.see("resign")).to_have_text("Resign?")
    await white.page.keyboard.press("Escape")
    await expect(white.see("resign")).to_have_text("Resign")
    # An offer stands, and says so.
    await white.click("draw")
    await white.click("draw")
    await expect(white.see("offered-draw")).to_contain_text("be withdrawn")
    await expect(black.see("decline-draw")).to_be_visible()
    await white.page.evaluate("scrollTo(0, 0)")  # where the driver may have scrolled to click
    assert await white.page.evaluate(LAID) == rectangle


async def test_places_of_a_phone_come_after_the_game(invite: Invite) -> None:
    white, black = await invite(viewport={"width": 390, "height": 844}), await invite()
    path = await paired(white, black)
    watcher = await invite(viewport={"width": 390, "height": 844})
    await watcher.open(path)
    places, home = white.page.locator(".places"), white.page.locator("a.brand")
    await expect(watcher.page.locator(".places a").first).to_be_visible()
    await expect(places).to_be_hidden()
    await expect(home).to_be_visible()
    rectangle = await white.page.evaluate(LAID)
    await white.click("abort")
    await expect(places).to_be_visible()
    box = await places.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] == pytest.approx(844, abs=1)
    assert await white.page.evaluate(LAID) == rectangle
    await places.get_by_role("link", name="Play", exact=True).click()
    await expect(white.see("create")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), tiered([(1440, 900), (390, 844)], quick=[(390, 844)], why="more screens"))
async def test_chip_of_a_search_moves_no_board(invite: Invite, width: int, height: int) -> None:
    white, black, watcher = await invite(), await invite(), await invite(viewport={"width": width, "height": height})
    path = await paired(white, black)
    # With a session, which both tabs have.
    await watcher.open("/")
    await watcher.click("quick-30+20")
    await watcher.click("pool-stop")
    await watcher.open(path)
    await expect(watcher.page.locator(".field .squares")).to_have_attribute("style", re.compile("width"))
    rectangle = await watcher.page.evaluate(LAID)
    tab = await watcher.context.new_page()
    await tab.goto(watcher.home)
    await tab.get_by_test_id("quick-30+20").click()
    await expect(watcher.see("pool")).to_be_visible()
    assert await watcher.page.evaluate(LAID) == rectangle
    assert await watcher.page.evaluate(HEADER) == []
    await watcher.click("pool-stop")
    await expect(watcher.see("pool")).to_have_count(0)
    # A click may scroll the page to what is clicked.
    await watcher.page.evaluate("scrollTo(0, 0)")
    assert await watcher.page.evaluate(LAID) == rectangle


async def test_answer_to_a_typed_move_moves_no_button(invite: Invite) -> None:
    white, black = await invite(), await invite()
    await paired(white, black)
    buttons = white.page.locator(".doing")
    box = await buttons.bounding_box()
    await white.page.keyboard.press("Enter")
    await white.see("entry").fill("Ke4")
    await white.page.keyboard.press("Enter")
    await expect(white.see("answer")).not_to_have_text("")
    assert await buttons.bounding_box() == box


@pytest.mark.parametrize("coordinates", ["On the board", "Beside the board"])
@pytest.mark.parametrize(
    ("width", "pixels"), tiered([(390, 1), (390, 3), (1283, 1)], quick=[(390, 3), (1283, 1)], why="more screens")
)
async def test_overlays_align_with_the_board(invite: Invite, width: int, pixels: int, coordinates: str) -> None:
    somebody = await invite(viewport={"width": width, "height": 844}, device_scale_factor=pixels)
    await somebody.open("/settings")
    await somebody.see("set-coordinates").get_by_text(coordinates, exact=True).click()
    await alone(somebody)
    # Chessground has measured its place when the grid over it has.
    await expect(somebody.page.locator(".field .squares")).to_have_attribute("style", re.compile("width"))
    frames = await somebody.page.evaluate(LAID)
    for frame in frames[1:]:
        assert frame == pytest.approx(frames[0], abs=0.1)
    box = await somebody.page.locator(".field").bounding_box()
    assert box is not None
    # A phone's board is in the middle, and takes what there is.
    if width == 390:
        assert box["x"] == pytest.approx(width - box["x"] - box["width"], abs=0.1)
        assert box["x"] < 4


@pytest.mark.parametrize(("width", "height"), [(844, 390), (640, 360)])
async def test_phone_on_its_side_shows_the_game_alone(invite: Invite, width: int, height: int) -> None:
    white, black = await invite(viewport={"width": width, "height": height}), await invite()
    await paired(white, black)
    await white.play("e2e4")
    await black.play("e7e5")
    parts = [white.page.locator(part) for part in (".field", ".player.top .clock", ".player.bottom .clock")]
    for part in (*parts, white.see("draw"), white.see("resign")):
        await expect(part).to_be_in_viewport(ratio=1)
    await black.click("resign")
    await black.click("resign")
    for part in (*parts, white.see("outcome"), white.see("rematch")):
        await expect(part).to_be_in_viewport(ratio=1)
    bottom = (
        "box => document.elementFromPoint(box.x + box.width / 2, box.y + box.height - 2).closest('.field') !== null"
    )
    assert await white.page.evaluate(bottom, await parts[0].bounding_box())
