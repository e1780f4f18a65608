"""Chess rules on the page: Chess960, both castling gestures, several periods, draw claims."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.seats import TO_AND_FRO, middle, seat, together

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)

DASH = "\N{EN DASH}"

NUMBER, RANK = 377, "NRKBBRNQ"
"""Start position whose kings go from the c-file to the g-file and past their rooks, which stay where they are."""

MAKE_WAY = ("e2e4", "e7e5", "d1e2", "d8e7", "d2d3", "d7d6", "e1d2", "e8d7", "g1f3", "g8f6")

ROOK_MOVES = ("h1g1", "e8d8", "g1h1", "d8e8")
"""From ``LOSES_A_RIGHT``: the pieces stand as before, but White may not castle any more."""

LOSES_A_RIGHT = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"

LAST_OF_FIFTY = "4k3/8/8/8/8/8/8/4K2R w - - 99 80"


async def drag(person: Person, move: str) -> None:
    """Drag the piece from the first square to the second, once it is the player's turn."""
    await expect(person.see("board")).to_have_attribute("data-movable", "true")
    mouse = person.page.mouse
    await mouse.move(*await middle(person, move[:2]))
    await mouse.down()
    await mouse.move(*await middle(person, move[2:]), steps=5)
    await mouse.up()


async def drawn(*people: Person, why: str) -> None:
    """Wait until all see that the game is drawn for that reason."""
    for person in people:
        await expect(person.see("result")).to_have_text("½-½")
        await expect(person.see("end")).to_contain_text(why)


@pytest.mark.slow("whole games in the browser")
async def test_chess960_by_number_with_castling_by_both_gestures(invite: Invite) -> None:
    white, black = await invite(), await invite()
    await white.open("/?create")
    await white.choose("Chess960", "White", "10+5")
    await white.advanced()
    await white.choose("By number")
    await white.see("start-number").fill(str(NUMBER))
    # The usual board is there until a number is typed; the king of this one stands on c1.
    await expect(white.see("start-board").locator("piece.king.white")).to_have_attribute(
        "style", re.compile("grid-area: 8 / 3")
    )
    assert await violations(white.page) == []
    await white.click("challenge")
    await expect(white.see("terms")).to_contain_text(f"Chess960, position {NUMBER}")
    link = await white.see("link").input_value()
    await black.open(link.removeprefix(black.home))
    await expect(black.see("start")).to_be_visible()
    await black.click("accept")
    await asyncio.gather(white.at_game(), black.at_game())
    assert (await black.fen()).startswith(f"{RANK.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{RANK} w ")
    await expect(black.page.locator(".about-game")).to_contain_text(f"position {NUMBER}")

    for ply, move in enumerate(MAKE_WAY):
        await (white, black)[ply % 2].play(move)
    # The king to its target square; then the king onto the rook.
    await drag(white, "c1g1")
    await black.play("c8f8")
    for person in (white, black):
        await person.sees_plies(len(MAKE_WAY) + 2)
        assert (await person.score())[-2:] == ["O-O", "O-O"]
        rows = (await person.fen()).split(" ")[0].split("/")
        assert (rows[0], rows[-1]) == ("nr3rkq", "NR3RKQ")


async def test_castling_ahead_of_the_turn_by_the_kings_square(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, MAKE_WAY, variant="chess960", position=NUMBER)
    for square in ("c8", "g8"):
        await black.page.mouse.click(*await middle(black, square))
    await expect(black.see("board")).to_have_attribute("data-premove", "c8g8")
    await white.play("c1f1")
    await white.sees_plies(len(MAKE_WAY) + 2)
    assert (await white.score())[-2:] == ["O-O", "O-O"]


async def test_bad_chess960_number_sends_no_request(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/?create")
    await somebody.choose("Chess960")
    await somebody.advanced()
    await somebody.choose("By number")
    await somebody.see("start-number").fill("960")
    await expect(somebody.see("start-field")).to_contain_text("from 0 to 959")
    await somebody.click("self")
    await expect(somebody.page.locator("form [role=alert]")).to_contain_text("from 0 to 959")
    await somebody.click("start-draw")
    await expect(somebody.see("start-board")).to_be_visible()
    number = await somebody.see("start-number").input_value()
    await somebody.click("self")
    await somebody.at_game()
    await expect(somebody.page.locator(".about-game")).to_contain_text(f"position {number}")


async def test_seek_with_a_position_is_listed_with_it(invite: Invite) -> None:
    one, other = await invite(), await invite()
    await one.open("/?create")
    await one.choose("Chess960", "10+5")
    await one.advanced()
    await one.choose("By number")
    await one.see("start-number").fill("0")
    await one.click("seek")
    name = await one.see("user").inner_text()
    await other.open("/")
    row = other.see("seeks").get_by_role("listitem").filter(has_text=name)
    await expect(row).to_contain_text("Chess960, position 0")
    await row.get_by_test_id("accept").click()
    await asyncio.gather(one.at_game(), other.at_game())
    assert (await other.fen()).startswith("bbqnnrkr/")


async def test_a_control_of_periods_from_the_form_past_its_first(server: ServerProcess, invite: Invite) -> None:
    white, opponent = await invite(), await seat(server)
    await white.open("/?create")
    await white.choose("Custom", "White")
    await white.see("kind").select_option("periods")
    first, second = (white.page.get_by_role("group", name=f"Period {n}") for n in (1, 2))
    for period, fields in (
        (first, {"Moves": "2", "Minutes": "1", "Increment in seconds": "0"}),
        (second, {"Minutes": "5", "Increment in seconds": "0"}),
    ):
        for label, value in fields.items():
            await period.get_by_label(label).fill(value)
    said = white.see("tempo-said")
    await expect(said).to_contain_text("2/1+0, 5+0")
    await expect(said).to_contain_text("2 moves in 1 min, the rest of the game in 5 min · Blitz")
    await white.click("challenge")
    await expect(white.see("terms")).to_contain_text("2 moves in 1 min, the rest of the game in 5 min")
    challenge = (await white.see("link").input_value()).rpartition("/")[2]
    async with opponent.client as black:
        g = (await black.request("challenge.accept", challenge=challenge))["g"]
        await white.at_game()
        about = white.page.locator(".player.bottom")
        await expect(about).to_contain_text("2 moves left")
        await white.play("e2e4")
        await expect(about).to_contain_text("1 move left")
        await white.sees_plies(1)
        await black.request("move", g=g, move="e7e5", ply=1)
        await white.play("g1f3")
        # What was left of the minute is there too.
        await expect(white.see("clock-w")).to_have_text(re.compile(r"^(5:\d\d|6:00)$"))
        await expect(about).to_contain_text("period 2")
        await expect(white.page.locator(".player.top")).to_contain_text("1 move left")
        await white.sees_plies(3)
        await black.request("move", g=g, move="b8c6", ply=3)
        await expect(white.see("clock-b")).to_have_text(re.compile(r"^(5:\d\d|6:00)$"))
        await white.play("f1b5")
        await white.sees_plies(5)


async def test_draw_is_claimed_with_the_repeating_move(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    moves = (*TO_AND_FRO, *TO_AND_FRO[:3])
    await together(server, white, black, moves)
    await expect(black.see("claim")).to_contain_text(f"You can claim a draw with Nf6{DASH}g8.")
    await expect(white.see("claim")).to_have_count(0)
    assert await violations(black.page) == []
    await black.click("claim-with")
    await drawn(white, black, why="threefold repetition")
    # The move was intended, and not made.
    for person in (white, black):
        await person.sees_plies(len(moves))


async def test_wrong_claim_is_explained_and_the_game_goes_on(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    moves = (*ROOK_MOVES, *ROOK_MOVES)
    await together(server, white, black, moves, fen=LOSES_A_RIGHT)
    # The pieces stand so for the third time, but the first time White could castle.
    await white.click("claim-draw")
    rejected = white.page.get_by_role("alert").filter(has_text="Draw claim rejected")
    await expect(rejected).to_contain_text("has occurred 2 of 3 times")
    await expect(white.see("claim-draw")).to_have_count(0)
    # With a move there is one: where the rook stands on g1 there never was anything to castle with.
    await expect(white.see("claim-with")).to_contain_text(f"With Rh1{DASH}g1")
    await white.play(ROOK_MOVES[0])
    await expect(white.see("claim")).to_have_count(0)
    # The wrong claim was an offer too.
    await black.click("decline-draw")
    await black.click("claim-draw")
    await drawn(white, black, why="threefold repetition")


async def test_draw_is_claimed_with_any_next_move(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, fen=LAST_OF_FIFTY)
    # Before both have moved there is no claim to be made.
    await white.play("h1g1")
    await black.play("e8d8")
    await white.click("claim-draw")
    await drawn(white, black, why="fifty-move rule")


async def test_claim_with_the_next_move_can_be_cancelled(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, ("h1g1", "e8d8"), fen=LAST_OF_FIFTY.replace("- 99", "- 97"))
    await white.click("claim-arm")
    await expect(white.see("claim")).to_contain_text("Make your move")
    await white.click("claim-off")
    await expect(white.see("claim-arm")).to_be_visible()
    await white.click("claim-arm")
    await white.play("g1h1")
    await drawn(white, black, why="fifty-move rule")
    for person in (white, black):
        await person.sees_plies(2)
