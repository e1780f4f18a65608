"""Games played by clicks on a real board, on a server started as users start it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from harness.chaos.breakable_link import BreakableLink
from tests.tiers import screens

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

EMBEDDED = True

pytestmark = pytest.mark.timeout(120)

SCHOLARS_MATE = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
ITS_SCORE = ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]


async def paired(white: Person, black: Person) -> str:
    """Let ``black`` accept ``white``'s seek in the lobby; the game's path."""
    await white.open("/?create")
    await white.choose("10+5", "White")
    await white.click("seek")
    await expect(white.see("unseek")).to_be_visible()
    name = await white.see("user").inner_text()
    await black.open("/")
    await black.page.get_by_role("listitem").filter(has_text=name).get_by_test_id("accept").click()
    path, other = await asyncio.gather(white.at_game(), black.at_game())
    assert path == other
    return path


async def test_game_to_mate_with_a_spectator_and_a_lost_connection(server: ServerProcess, invite: Invite) -> None:
    async with BreakableLink(server.port) as link:
        white, black, watcher = await invite(), await invite(link.url), await invite()
        path = await paired(white, black)
        await watcher.open(path)
        everybody = (white, black, watcher)

        for ply, move in enumerate(SCHOLARS_MATE[:2]):
            await (white, black)[ply % 2].play(move)
        for person in everybody:
            await person.sees_plies(2)

        # Black's line is lost; White moves meanwhile; the page comes back by itself and misses nothing.
        link.pull()
        await black.partition_guard()
        await white.play(SCHOLARS_MATE[2])
        await watcher.sees_plies(3)
        await black.sees_plies(2)
        link.plug()
        await black.connected()
        await black.sees_plies(3)

        # This time the move is made without a line, and counts once it is back.
        link.pull()
        await black.partition_guard()
        await black.play(SCHOLARS_MATE[3])
        link.plug()
        for person in everybody:
            await person.sees_plies(4)

        for ply, move in enumerate(SCHOLARS_MATE[4:]):
            await (white, black)[ply % 2].play(move)
        for person in everybody:
            await expect(person.see("result")).to_have_text("1-0")
            await expect(person.see("end")).to_contain_text("checkmate")
            assert await person.score() == ITS_SCORE
            assert await person.fen() == await white.fen()
            assert await person.see("clock-w").inner_text() == await white.see("clock-w").inner_text()

        pgn = await (
            await watcher.context.request.get(f"{server.url}/api/v1/games/{path.rpartition('/')[2]}/pgn")
        ).text()
        assert '[Result "1-0"]' in pgn
        assert "Qxf7#" in pgn


async def test_spectator_has_no_controls(invite: Invite) -> None:
    white, black, watcher = await invite(), await invite(), await invite()
    path = await paired(white, black)
    await watcher.open(path)
    await expect(watcher.see("board")).to_have_attribute("data-movable", "false")
    await expect(white.see("abort")).to_be_visible()
    await expect(watcher.see("abort")).to_have_count(0)
    assert await watcher.see("user").inner_text() == ""
    await white.click("abort")
    for person in (white, black, watcher):
        await expect(person.see("end")).to_contain_text("aborted")


async def test_pawn_promotes_to_the_chosen_piece(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/?create")
    await somebody.choose("Unlimited")
    await somebody.click("self")
    await somebody.at_game()
    for move in ("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5", "a7b8r"):
        await somebody.play(move)
    await somebody.sees_plies(9)
    assert (await somebody.score())[-1] == "axb8=R"
    assert (await somebody.fen()).startswith("rRbqkbnr/")


async def test_pages_reconnect_after_a_server_kill(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await paired(white, black)
    await white.play("d2d4")
    await black.play("d7d5")
    await white.sees_plies(2)
    server.kill9()
    await white.partition_guard()
    await black.partition_guard()
    server.start()
    await white.connected()
    await black.connected()
    await white.play("c2c4")
    await black.play("d5c4")
    for person in (white, black):
        await person.sees_plies(4)
        assert await person.score() == ["d4", "d5", "c4", "dxc4"]


async def test_an_invitation_a_draw_and_a_rematch(invite: Invite) -> None:
    host, guest = await invite(), await invite()
    await host.open("/?create")
    await host.choose("Chess960", "Black")
    await host.click("challenge")
    link = await host.see("link").input_value()
    await guest.open(link.removeprefix(guest.home))
    await expect(guest.see("terms")).to_contain_text("5+0 · Chess960")
    await expect(guest.see("terms")).to_contain_text("plays Black")
    await guest.click("accept")
    first = await host.at_game()
    assert await guest.at_game() == first

    # Any first moves will do: the pawns stand where they always do.
    await guest.play("e2e4")
    await host.play("e7e5")
    await host.click("draw")
    await host.click("draw")
    await guest.click("accept-draw")
    await expect(host.see("result")).to_have_text("½-½")

    await guest.click("rematch")
    await host.click("accept-rematch")
    await host.page.wait_for_url(lambda url: "/game/" in url and not url.endswith(first))
    assert await host.at_game() == await guest.at_game()
    await host.play("e2e4")
    await guest.sees_plies(1)


@pytest.mark.parametrize(("width", "scheme"), screens((390, 1280), quick=[(390, "light"), (1280, "dark")]))
async def test_the_pages_fit_the_screen(invite: Invite, width: int, scheme: str) -> None:
    height = 844 if width == 390 else 800
    somebody = await invite(viewport={"width": width, "height": height}, color_scheme=scheme)
    for button in (None, "self"):
        if button is None:
            await somebody.open("/")
        else:
            await somebody.open("/?create")
            await somebody.click(button)
            await somebody.at_game()
        assert await somebody.page.evaluate("document.documentElement.scrollWidth") <= width
    box = await somebody.see("board").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < height
