"""What a hand has begun stands, or is dropped, as its owner would expect: lost lines, snapshots, other pages, slips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.test_game_more import alone, middle, together
from tests.cable import Cable
from tests.wire_client import Client

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)

BEGUN = ("e2e4", "e7e5", "g1f3")


async def ahead(person: Person, move: str) -> None:
    """Make ``move`` ahead of his turn."""
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


async def test_a_snapshot_leaves_the_move_that_is_under_way(server: ServerProcess, invite: Invite) -> None:
    async with Cable(server.port) as cable:
        white, black = await invite(), await invite(cable.url)
        await together(server, white, black, BEGUN)
        cable.pull()
        await black.cut_off()
        await black.play("b8c6")
        await ahead(black, "g8f6")
        # Black misses this, and a server that has begun anew does not have it to tell again: it sends the snapshot.
        await white.click("draw")
        await expect(white.see("offered-draw")).to_be_visible()
        server.kill9()
        server.start()
        await white.connected()
        cable.plug()
        await black.connected()
        await white.sees_plies(4)
        assert await white.score() == ["e4", "e5", "Nf3", "Nc6"]
        await white.play("f1b5")
        await white.sees_plies(6)
        assert (await white.score())[4:] == ["Bb5", "Nf6"]


async def test_a_move_ahead_is_not_played_in_a_later_position(server: ServerProcess, invite: Invite) -> None:
    async with Cable(server.port) as cable:
        white, black = await invite(), await invite(cable.url)
        path = await together(server, white, black, BEGUN[:2])
        (cookie,) = [c for c in await black.context.cookies() if c.get("name") == "zeitnot"]
        await ahead(black, "b8c6")
        cable.pull()
        await black.cut_off()
        # Meanwhile Black plays on elsewhere.
        await white.play("g1f3")
        async with Client(server.url, cookie["value"]) as elsewhere:
            await elsewhere.request("move", g=path.rpartition("/")[2], move="d7d6", ply=3)
        await white.play("d2d4")
        await white.sees_plies(5)
        cable.plug()
        await black.connected()
        await expect(black.see("board")).to_have_attribute("data-movable", "true")
        assert await black.see("board").get_attribute("data-premove") is None
        await black.play("e5d4")
        await white.sees_plies(6)
        assert (await white.score())[3:] == ["d6", "d4", "exd4"]


async def test_a_player_has_his_hands_when_the_first_line_fails(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    path = await together(server, white, black)
    await white.context.route_web_socket("**/ws*", lambda socket: socket.close())
    await white.page.goto(white.home + path)
    await expect(white.see("line")).to_have_attribute("data-line", "lost")
    await expect(white.see("board")).to_have_attribute("data-movable", "true")
    await expect(white.see("abort")).to_be_visible()
    await white.context.unroute_all()


async def test_black_draws_arrows_and_so_does_who_turned_the_board(server: ServerProcess, invite: Invite) -> None:
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
