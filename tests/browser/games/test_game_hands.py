"""Unfinished input on the board: lost connections, snapshots, page changes, slips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from harness.chaos.breakable_link import BreakableLink
from tests.browser.seats import TEN_MINUTES, alone, middle, together
from tests.wire_client import Client

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

EMBEDDED = True

pytestmark = pytest.mark.timeout(120)

BEGUN = ("e2e4", "e7e5", "g1f3")


async def ahead(person: Person, move: str) -> None:
    """Make ``move`` ahead of the player's turn."""
    for square in (move[:2], move[2:4]):
        await person.page.mouse.click(*await middle(person, square))
    await expect(person.see("board")).to_have_attribute("data-premove", move)


async def draw_line(person: Person, start: str, end: str) -> None:
    """An arrow, with the right button."""
    mouse = person.page.mouse
    await mouse.move(*await middle(person, start))
    await mouse.down(button="right")
    await mouse.move(*await middle(person, end), steps=4)
    await mouse.up(button="right")


async def test_snapshot_keeps_an_unfinished_move(server: ServerProcess, invite: Invite) -> None:
    async with BreakableLink(server.port) as link:
        white, black = await invite(), await invite(link.url)
        await together(server, white, black, BEGUN)
        link.pull()
        await black.partition_guard()
        await black.play("b8c6")
        await ahead(black, "g8f6")
        # Black misses this, and a server that has begun anew does not have it to tell again: it sends the snapshot.
        await white.click("draw")
        await white.click("draw")
        await expect(white.see("offered-draw")).to_be_visible()
        server.kill9()
        server.start()
        await white.connected()
        link.plug()
        await black.connected()
        await white.sees_plies(4)
        assert await white.score() == ["e4", "e5", "Nf3", "Nc6"]
        await white.play("f1b5")
        await white.sees_plies(6)
        assert (await white.score())[4:] == ["Bb5", "Nf6"]


async def test_premove_is_dropped_in_a_later_position(server: ServerProcess, invite: Invite) -> None:
    async with BreakableLink(server.port) as link:
        white, black = await invite(), await invite(link.url)
        path = await together(server, white, black, BEGUN[:2])
        (cookie,) = [c for c in await black.context.cookies() if c.get("name") == "zeitnot"]
        await ahead(black, "b8c6")
        link.pull()
        await black.partition_guard()
        # Meanwhile Black plays on elsewhere.
        await white.play("g1f3")
        async with Client(server.url, cookie["value"]) as elsewhere:
            game = path.rpartition("/")[2]
            if len((await elsewhere.sub(game))["moves"]) < 3:  # White's page shows the move before the server has it
                await elsewhere.wait(lambda message: message["t"] == "move")
            await elsewhere.request("move", g=game, move="d7d6", ply=3)
        await white.play("d2d4")
        await white.sees_plies(5)
        link.plug()
        await black.connected()
        await expect(black.see("board")).to_have_attribute("data-movable", "true")
        assert await black.see("board").get_attribute("data-premove") is None
        await black.play("e5d4")
        await white.sees_plies(6)
        assert (await white.score())[3:] == ["d6", "d4", "exd4"]


async def test_a_player_can_move_when_the_first_connection_fails(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    path = await together(server, white, black)
    await white.context.route_web_socket("**/ws*", lambda socket: socket.close())
    await white.page.goto(white.home + path)
    await expect(white.see("line")).to_have_attribute("data-line", "lost")
    await expect(white.see("board")).to_have_attribute("data-movable", "true")
    await expect(white.see("abort")).to_be_visible()
    await white.context.unroute_all()


async def test_arrows_work_on_a_flipped_board(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black)
    shapes = black.page.locator(".board .arrows")
    await draw_line(black, "g8", "f6")
    await expect(shapes).to_have_attribute("data-shapes", "1")
    await expect(shapes.locator("line")).to_be_visible()
    await white.click("flip")
    await draw_line(white, "g1", "f3")
    await expect(white.page.locator(".board .arrows line")).to_be_visible()
    await white.click("flip")
    await expect(white.page.locator(".board .arrows line")).to_be_visible()


async def test_keys_go_on_working_after_a_move_was_typed(server: ServerProcess, invite: Invite) -> None:
    somebody = await invite()
    await alone(server, somebody, BEGUN)
    keys, entry, moves = somebody.page.keyboard, somebody.see("entry"), somebody.see("moves")
    await expect(somebody.see("board")).to_have_attribute("data-movable", "true")
    # What begins a move is written, wherever the focus is; f does not turn the board, nor n anything else.
    await keys.type("Nc6")
    await somebody.sees_plies(4)
    await expect(entry).to_be_focused()
    await keys.type("f4")
    await keys.press("Enter")
    await somebody.sees_plies(4)
    await expect(entry).to_have_value("f4")
    await expect(somebody.see("board")).to_have_attribute("data-bottom", "w")
    await entry.fill("")
    # In the empty input the arrows go through the moves.
    await keys.press("ArrowLeft")
    await expect(moves).to_have_attribute("data-shown", "3")
    await keys.press("Home")
    await expect(moves).to_have_attribute("data-shown", "0")
    await keys.press("End")
    await expect(moves).to_have_attribute("data-shown", "4")
    # In a text they move the cursor.
    await keys.type("d")
    await keys.press("ArrowLeft")
    await expect(moves).to_have_attribute("data-shown", "4")
    # A hand on the board takes the keys with it.
    await somebody.page.mouse.click(*await middle(somebody, "d5"))
    await expect(entry).not_to_be_focused()
    await keys.press("ArrowLeft")
    await expect(moves).to_have_attribute("data-shown", "3")


async def test_a_second_quick_click_does_nothing(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, BEGUN)
    await white.see("resign").dblclick()
    await expect(white.see("resign")).to_have_text("Resign?")
    await expect(white.see("game")).to_have_attribute("data-status", "live")
    # Meant, it is done; and what comes in its place is not clicked by the same hand.
    box = await white.see("resign").bounding_box()
    assert box is not None
    await white.click("resign")
    await white.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await expect(white.see("end")).to_contain_text("resignation")
    assert white.page.url.endswith(await white.at_game())


async def test_offer_does_not_shift_the_layout(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(viewport={"width": 390, "height": 664}), await invite()
    await together(server, white, black, BEGUN)
    # On the page, not in the window: a click that waits for its button scrolls.
    top = "(e) => Math.round(e.getBoundingClientRect().top + scrollY)"
    places = f"[...document.querySelectorAll('.game > *, .doing > *')].map({top}).join()"
    before = await white.page.evaluate(places)
    await black.click("draw")
    await black.click("draw")
    await expect(white.see("offer-draw")).to_be_in_viewport(ratio=1)
    await expect(white.see("resign")).to_be_in_viewport(ratio=1)
    assert await white.page.evaluate(places) == before
    await white.click("decline-draw")
    await expect(black.see("news")).to_have_text("Your opponent declined a draw.")
    await black.click("moretime")
    await expect(white.see("news")).to_have_text("Your opponent gave you 15 seconds.")
    assert await white.page.evaluate(places) == before


async def test_enter_confirms_a_move_and_the_board_takes_it_back(server: ServerProcess, invite: Invite) -> None:
    somebody = await invite()
    await somebody.context.add_init_script("localStorage.settings = JSON.stringify({ confirmMoves: 'rapid' })")
    await alone(server, somebody, tc=TEN_MINUTES)
    board = somebody.see("board")
    await somebody.play("e2e4")
    await expect(somebody.see("confirm")).to_be_visible()
    # Another piece is taken up: the first move is not meant.
    await somebody.page.mouse.click(*await middle(somebody, "d2"))
    await expect(somebody.see("confirm")).to_have_count(0)
    await expect(board).to_have_attribute("data-movable", "true")
    await somebody.page.mouse.click(*await middle(somebody, "d4"))
    await expect(somebody.see("confirm-yes")).to_be_focused()
    await somebody.page.keyboard.press("Enter")
    await somebody.sees_plies(1)
    await somebody.see("entry").fill("d5")
    await expect(somebody.see("confirm")).to_be_visible()
    await somebody.page.keyboard.press("Enter")
    await somebody.sees_plies(2)
    assert await somebody.score() == ["d4", "d5"]


async def test_takeback_in_a_game_against_oneself(server: ServerProcess, invite: Invite) -> None:
    somebody = await invite()
    await alone(server, somebody, BEGUN)
    await somebody.click("takeback")
    await somebody.sees_plies(2)
    await somebody.play("d2d4")
    await somebody.sees_plies(3)
    assert await somebody.score() == ["e4", "e5", "d4"]


async def test_chat_scrolls_to_the_last_line(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    path = await together(server, white, black)
    (cookie,) = [c for c in await black.context.cookies() if c.get("name") == "zeitnot"]
    lines = white.see("chat-lines")
    to_end = "(box) => box.scrollHeight - box.clientHeight - box.scrollTop"
    topic = f"game:{path.rpartition('/')[2]}"
    async with Client(server.url, cookie["value"]) as client:
        for n in range(3):
            await client.request("chat", topic=topic, text=f"line {n}: " + "many words " * 9)
        await expect(lines).to_contain_text("line 2")
        await white.page.set_viewport_size({"width": 1280, "height": 560})
        await client.request("chat", topic=topic, text="line 4")
        await expect(lines).to_contain_text("line 4")
        assert await lines.evaluate(to_end) < 2
        await lines.evaluate("(box) => { box.scrollTop = 0; }")
        await client.request("chat", topic=topic, text="line 5")
        await expect(lines).to_contain_text("line 5")
        assert await lines.evaluate("(box) => box.scrollTop") == 0
