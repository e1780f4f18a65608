"""The rest of a game's page: the screen, sharing, offers, tempi, Chess960, phones, tabs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from tests.browser.seats import PHONE, TO_AND_FRO, alone, middle, seat, together

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)

SCHOLARS_MATE = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")


AWAKE = """
    window.locks = [];
    WakeLock.prototype.request = async (kind) => {
        const lock = { kind, released: false, release: async () => { lock.released = true; } };
        locks.push(lock);
        return lock;
    };
"""
"""Notes every wake lock; a browser without a screen gives none."""


async def drag(person: Person, move: str) -> None:
    """Make ``move`` by drag, once it is the player's turn."""
    await expect(person.see("board")).to_have_attribute("data-movable", "true")
    mouse = person.page.mouse
    await mouse.move(*await middle(person, move[:2]))
    await mouse.down()
    await mouse.move(*await middle(person, move[2:4]), steps=4)
    await mouse.up()


async def click(person: Person, move: str) -> None:
    """Make ``move`` by two clicks."""
    await person.play(move)


async def tap(person: Person, move: str) -> None:
    """Make ``move`` with a thumb, once it is the player's turn."""
    await expect(person.see("board")).to_have_attribute("data-movable", "true")
    for square in (move[:2], move[2:4]):
        await person.page.touchscreen.tap(*await middle(person, square))


async def test_wake_lock_and_fullscreen(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await white.context.add_init_script(AWAKE)
    await together(server, white, black, ("e2e4", "e7e5"))
    assert await white.page.evaluate("locks.map((lock) => [lock.kind, lock.released])") == [["screen", False]]
    full = white.see("full")
    await full.click()
    await expect(full).to_have_attribute("aria-pressed", "true")
    assert await white.page.evaluate("document.fullscreenElement === document.documentElement")
    await white.page.evaluate("document.exitFullscreen()")  # as Escape does
    await expect(full).to_have_attribute("aria-pressed", "false")
    await black.click("resign")
    await black.click("resign")
    await expect(white.see("end")).to_be_visible()
    assert await white.page.evaluate("locks.map((lock) => lock.released)") == [True]


async def test_a_game_is_shared_and_saved(server: ServerProcess, invite: Invite) -> None:
    somebody, phone = await invite(), await invite(**PHONE)
    await somebody.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await alone(server, somebody, SCHOLARS_MATE)
    await somebody.click("share")
    await expect(somebody.page.get_by_text("Copied.")).to_be_visible()
    assert await somebody.page.evaluate("navigator.clipboard.readText()") == somebody.page.url
    async with somebody.page.expect_download() as download:
        await somebody.click("pgn")
    game = await download.value
    assert game.suggested_filename == f"zeitnot-{urlsplit(somebody.page.url).path.rpartition('/')[2]}.pgn"
    assert "4. Qxf7#" in (await game.path()).read_text()

    await phone.context.add_init_script("navigator.share = async (what) => { window.shared = what; }")
    await phone.open(urlsplit(somebody.page.url).path)
    await phone.click("share")
    assert (await phone.page.evaluate("shared"))["url"] == somebody.page.url


async def test_clock_shows_delay_periods_and_moves_to_go(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, ("e2e4", "e7e5"), tc={"base_s": 300, "delay_s": 60})
    clock = white.see("player-w")
    await expect(clock).to_contain_text("delay")
    await expect(white.see("clock-w")).to_have_text("5:00")

    periods = [{"moves": 3, "base_s": 300, "inc_s": 0}, {"base_s": 60, "inc_s": 0}]
    await together(server, white, black, ("e2e4", "e7e5", "g1f3", "b8c6"), tc={"periods": periods})
    await expect(clock).to_contain_text("1 move left")
    await white.play("f1b5")
    await expect(clock).to_contain_text("period 2")


async def test_threefold_repetition_is_claimed_on_the_page(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, (*TO_AND_FRO, *TO_AND_FRO[:3]))
    await expect(white.see("claim-draw")).to_have_count(0)
    await black.play("f6g8")
    await white.click("claim-draw")
    for person in (white, black):
        await expect(person.see("result")).to_have_text("½-½")
        await expect(person.see("end")).to_contain_text("threefold repetition")


async def test_moves_are_taken_back_and_time_is_given(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, ("e2e4", "e7e5", "d1h5"), tc={"base_s": 600, "inc_s": 0})
    await white.click("takeback")
    await expect(white.see("offered-takeback")).to_be_visible()
    await black.click("decline-takeback")
    await expect(white.see("offered-takeback")).to_have_count(0)
    await white.sees_plies(3)
    await white.click("takeback")
    await black.click("accept-takeback")
    for person in (white, black):
        await person.sees_plies(2)
    await white.play("g1f3")
    await black.sees_plies(3)
    await black.click("moretime")
    for person in (white, black):
        await expect(person.see("clock-w")).to_contain_text("10:1")
    await black.click("draw")
    await black.click("draw")
    await white.click("decline-draw")
    await expect(black.see("offered-draw")).to_have_count(0)


async def test_new_opponent_is_sought_after_a_game(server: ServerProcess, invite: Invite) -> None:
    white, black, third = await invite(), await invite(), await invite()
    path = await together(server, white, black, ("e2e4", "e7e5"), tc={"base_s": 420, "inc_s": 7})
    await black.click("resign")
    await black.click("resign")
    await white.click("new-opponent")
    await expect(white.see("unseek")).to_be_visible()
    other = await seat(server)
    async with other.client as client:
        g = (await client.request("seek", tc={"base_s": 420, "inc_s": 7}))["g"]
        await white.page.wait_for_url(f"**/game/{g}")
        await expect(white.see("match")).to_have_count(0)
    await third.open(path)
    await expect(third.see("result")).to_have_text("1-0")
    await expect(third.see("new-opponent")).to_have_count(0)


async def test_automatic_promotion_is_a_setting(server: ServerProcess, invite: Invite) -> None:
    somebody, white, black = await invite(), await invite(), await invite()
    await somebody.context.add_init_script("localStorage.settings = JSON.stringify({ autoQueen: 'always' })")
    await alone(server, somebody, fen="8/P6k/8/8/8/8/7K/8 w - - 0 1")
    await drag(somebody, "a7a8")
    await somebody.sees_plies(1)
    assert await somebody.score() == ["a8=Q"]

    # Ahead of one's turn a queen is what one means, unless the settings say otherwise.
    await together(server, white, black, fen="8/P6k/8/8/8/8/7K/8 b - - 0 1")
    for square in ("a7", "a8"):
        await white.page.mouse.click(*await middle(white, square))
    await expect(white.see("board")).to_have_attribute("data-premove", "a7a8")
    await black.play("h7g7")
    await black.sees_plies(2)
    assert (await black.score())[-1] == "a8=Q"


async def test_chess960_castles_by_either_gesture(server: ServerProcess, invite: Invite) -> None:
    somebody = await invite()
    for fen, gesture, move, score, rank in (
        ("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", drag, "b1h1", "O-O", "R4RK1"),
        ("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", click, "b1g1", "O-O", "R4RK1"),
        ("7k/8/8/8/8/8/8/R4KR1 w GA - 0 1", drag, "f1c1", "O-O-O", "2KR2R1"),
        ("7k/8/8/8/8/8/8/R4KR1 w GA - 0 1", click, "f1a1", "O-O-O", "2KR2R1"),
        ("7k/8/8/8/8/8/8/R4KR1 w GA - 0 1", drag, "f1g1", "O-O", "R4RK1"),
        # One step to the side is a step, though castling would end there, too.
        ("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", click, "f1g1", "Kg1", "1R4KR"),
        ("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", click, "f1h1", "O-O", "1R3RK1"),
    ):
        await alone(server, somebody, variant="chess960", fen=fen)
        await gesture(somebody, move)
        await somebody.sees_plies(1)
        assert await somebody.score() == [score]
        await expect(somebody.see("board")).to_have_attribute("data-fen", re.compile(f"/{rank}( |$)"))


async def test_two_phones_play_to_mate_by_taps(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(**PHONE), await invite(**PHONE)
    await together(server, white, black)
    for ply, move in enumerate(SCHOLARS_MATE):
        await tap((white, black)[ply % 2], move)
        for person in (white, black):
            await person.sees_plies(ply + 1)
    for person, words in ((white, "You win"), (black, "You lose")):
        await expect(person.see("end")).to_contain_text(words)
        box = await person.see("board").locator("cg-board").bounding_box()
        assert box is not None
        assert (box["x"], box["width"]) == (0, 390)
        assert await person.page.evaluate("document.documentElement.scrollWidth") == 390
    await black.see("rematch").tap()
    yes, no = [await white.see(f"{what}-rematch").bounding_box() for what in ("accept", "decline")]
    assert yes is not None
    assert no is not None
    assert yes["y"] == no["y"]
    assert min(yes["height"], no["height"]) >= 44


async def test_one_player_plays_in_two_tabs(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    path = await together(server, white, black)
    first, second = white.page, await white.context.new_page()
    white.page = second
    await white.open(path)
    await white.play("e2e4")
    await black.play("e7e5")
    white.page = first
    await white.sees_plies(2)
    await white.play("g1f3")
    white.page = second
    await white.sees_plies(3)
    await expect(white.see("board")).to_have_attribute("data-movable", "false")
    await first.close()
    await black.play("b8c6")
    await expect(black.see("player-w").locator(".dot")).to_have_attribute("data-online", "true")
    await white.play("f1b5")
    await black.sees_plies(5)


async def test_keys_and_drags_to_mate_before_a_spectator(server: ServerProcess, invite: Invite) -> None:
    white, black, watcher = await invite(), await invite(), await invite()
    await watcher.open(await together(server, white, black))
    for ply, (typed, dragged) in enumerate(zip(("e4", "d1h5", "Bc4"), SCHOLARS_MATE[1::2], strict=True)):
        await expect(white.see("board")).to_have_attribute("data-movable", "true")
        await white.see("entry").fill(typed)
        await white.page.keyboard.press("Enter")
        await black.sees_plies(2 * ply + 1)
        await drag(black, dragged)
        await watcher.sees_plies(2 * ply + 2)
    await white.see("entry").fill("Qxf7")
    await white.page.keyboard.press("Enter")
    for person, words in ((white, "You win"), (black, "You lose"), (watcher, "White wins")):
        await expect(person.see("end")).to_contain_text(words)
        assert (await person.score())[-1] == "Qxf7#"
