"""Games by the Laws as played over a board: the clock button, illegal moves, touch-move, two players on one device."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.browser.board_moves import lead, stands
from tests.browser.seats import PHONE, middle, together

if TYPE_CHECKING:
    from playwright.async_api import FloatRect

    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)

BLITZ: dict[str, Any] = {"rules": "fide", "tc": {"base_s": 300, "inc_s": 0}}


async def put(person: Person, move: str) -> None:
    """Put a piece of chess down, and wait until the move is made."""
    await expect(person.see("board")).to_have_attribute("data-movable", "true")
    await person.put(move)
    await expect(person.see("laws-line")).to_contain_text("Press your clock.")


async def play(person: Person, move: str) -> None:
    """Make a move and press the clock."""
    await put(person, move)
    await person.click("press")
    await expect(person.see("press")).to_be_disabled()


async def place(person: Person) -> FloatRect | None:
    """Return the rectangle of the board."""
    return await person.see("board").bounding_box()


async def test_illegal_move_is_taken_back_when_the_clock_is_pressed(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite(**PHONE)
    await together(server, white, black, **BLITZ, laws={})
    places = [await place(white), await place(black)]
    await put(white, "e2e5")
    await expect(black.see("laws-line")).to_contain_text("White has made e5")
    assert (await black.fen()).startswith("rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR ")
    await white.page.keyboard.press("Space")
    told = "White\u2019s e5 is illegal (FIDE 7.4): taken back. Black gets 2 minutes. 1 of 3."
    for person in (white, black):
        await expect(person.see("ruling")).to_have_text(told)
        await expect(person.see("heard")).to_contain_text(told)
        await expect(person.see("note-w")).to_contain_text("1 illegal move")
        await expect(person.see("clock-b")).to_have_text("7:00")
    # The touched pawn must be moved.
    await white.put("d2d4")
    await put(white, "e2e4")
    await white.click("press")
    await black.sees_plies(1)
    assert [await place(white), await place(black)] == places


async def test_illegal_move_that_is_claimed_loses(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, **BLITZ, laws={"supervised": False})
    await play(white, "e2e4")
    await play(black, "d8h4")
    await white.sees_plies(2)
    await white.click("illegal")
    for person in (white, black):
        await expect(person.see("end")).to_contain_text("illegal move")
        await person.sees_plies(1)


async def test_illegal_move_that_is_not_claimed_stands(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    path = await together(server, white, black, **BLITZ, laws={"supervised": False})
    await play(white, "e2e4")
    await play(black, "d8h4")
    await play(white, "g1f3")
    await black.sees_plies(3)
    await expect(white.see("illegal")).to_be_disabled()
    # Also for those who come later, and look back.
    spectator = await invite()
    await spectator.open(path)
    await spectator.sees_plies(3)
    await spectator.click("step-back")
    assert (await spectator.fen()).startswith("rnb1kbnr/pppppppp/8/8/4P2q/8/PPPP1PPP/RNBQKBNR")


async def test_touched_piece_must_be_moved(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, **BLITZ, laws={})
    await expect(white.see("board")).to_have_attribute("data-movable", "true")
    await white.page.mouse.click(*await middle(white, "g1"))
    await expect(white.see("laws-line")).to_have_text("You have touched g1. You must move or take it.")
    await expect(black.see("laws-line")).to_have_text("White has touched g1.")
    await expect(white.see("board").locator("square.laws-bound")).to_have_count(2)
    await white.put("e2e4")
    await expect(white.see("board")).to_have_attribute(
        "data-fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    )
    await play(white, "g1f3")
    # Who adjusts pieces touches none.
    await black.click("adjust")
    await expect(white.see("laws-line")).to_have_text("Black adjusts pieces.")
    await black.page.mouse.click(*await middle(black, "g8"))
    await play(black, "e7e5")
    await white.sees_plies(2)


async def test_promotion_is_completed_by_the_chosen_piece(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, **BLITZ, laws={}, fen="8/P5k1/8/8/8/8/8/K6R w - - 0 1")
    await expect(white.see("board")).to_have_attribute("data-movable", "true")
    await white.put("a7a8")
    await expect(white.see("laws-line")).to_contain_text("Choose the piece.")
    await white.click("promote-r")
    await expect(white.see("laws-line")).to_have_text("You have made a8=R. Press your clock.")
    await white.click("press")
    await black.sees_plies(1)


async def test_wrong_claim_costs_time_and_its_move_is_made(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, **BLITZ, laws={})
    await play(white, "e2e4")
    await black.click("claim")
    await black.click("claim-move")
    await black.put("e7e5")
    await expect(black.see("ruling")).to_contain_text("Black\u2019s claim is wrong (FIDE 9.5)")
    await expect(white.see("clock-w")).to_contain_text("7:5")
    await black.click("press")
    await white.sees_plies(2)


async def test_players_write_their_score_and_sign_the_result(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, **BLITZ, laws={"score_sheet": True})
    await play(white, "e2e4")
    await white.see("sheet-text").fill("e5")
    await white.click("sheet-write")
    # What was written wrong can be corrected.
    entry = white.see("moves").get_by_role("button")
    await expect(entry).to_have_attribute("data-right", "false")
    await entry.click()
    await white.see("sheet-text").fill("e4")
    await white.click("sheet-write")
    await expect(entry).to_have_attribute("data-right", "true")
    await black.click("resign")
    await black.click("resign")
    await white.click("sign")
    await expect(black.see("signatures")).to_contain_text("White has signed.")


async def test_two_players_share_a_tablet(invite: Invite) -> None:
    tablet = await invite(viewport={"width": 820, "height": 1180}, has_touch=True)
    await tablet.open("/?create")
    await tablet.choose("White")
    await tablet.advanced()
    await tablet.see("rules").select_option("fide")
    await tablet.click("two")
    await tablet.at_game()
    white, black = tablet.see("bar-w"), tablet.see("bar-b")
    await expect(black).to_have_class("hall-bar top far")
    at = await place(tablet)
    for color, move, plies in (("w", "e2e4", 1), ("b", "e7e5", 2)):
        await expect(tablet.see("board")).to_have_attribute("data-movable", "true")
        await tablet.put(move)
        await expect(tablet.see(f"press-{color}")).to_have_class("press main")
        if color == "b":
            await tablet.click("draw-b")
            await expect(white.get_by_text("Your opponent offers a draw.")).to_be_visible()
        await tablet.click(f"press-{color}")
        await tablet.sees_plies(plies)
        # The page may be loaded again at any time: both go on.
        await tablet.page.reload()
        await tablet.sees_plies(plies)
    assert await place(tablet) == at
    # Each acts in their own name.
    players = [await tablet.see(f"bar-{color}").locator(".hall-who").inner_text() for color in "wb"]
    assert players[0] != players[1]
    await tablet.click("accept-draw-w")
    await expect(black).to_contain_text("½-½ mutual agreement")
    await tablet.click("rematch-b")
    await tablet.click("accept-rematch-w")
    await tablet.sees_plies(0)
    # Both keep their places, with the other colours.
    await expect(white).to_have_class("hall-bar top far")
    await expect(tablet.see("board")).to_have_attribute("data-bottom", "b")


async def test_irregular_move_of_draughts_is_corrected(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, game="draughts", variant="international", rules="official", laws={})
    for person, squares in ((white, ("32", "28")), (black, ("19", "23")), (white, ("33", "29"))):
        await lead(person, squares)
        await expect(person.see("laws-line")).to_contain_text("Press your clock.")
        await person.click("press")
        await expect(person.see("press")).to_be_disabled()
    # White had to capture.
    await stands("B:W28,29,31,34-50:B1-18,20,23", white, black)
    await black.click("illegal")
    for person in (white, black):
        await expect(person.see("ruling")).to_have_text("White\u2019s irregular 33-29 is corrected (article 35).")
    await stands("W:W28,31,33-50:B1-18,20,23", white, black)
    await asyncio.gather(white.sees_plies(2), black.sees_plies(2))
