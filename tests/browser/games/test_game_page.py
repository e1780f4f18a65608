"""The page of a game apart from clicked moves: dragging, premoves, history, offers, chat."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.async_api import expect

from tests.tiers import tiered

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(120)

ALMOST_PROMOTED = ("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5")


async def paired(white: Person, black: Person, *terms: str) -> str:
    """Let ``black`` accept ``white``'s invitation; the game's path."""
    await white.open("/?create")
    await white.choose(*(terms or ("10+5",)), "White")
    await white.click("challenge")
    link = await white.see("link").input_value()
    await black.open(link.removeprefix(black.home))
    await black.click("accept")
    path, _ = await asyncio.gather(white.at_game(), black.at_game())
    return path


async def alone(somebody: Person, *terms: str) -> None:
    """Begin a game of ``somebody`` against themselves."""
    await somebody.open("/?create")
    await somebody.choose(*(terms or ("Unlimited",)))
    await somebody.click("self")
    await somebody.at_game()


async def middle(person: Person, square: str) -> tuple[float, float]:
    """Return the middle of ``square`` on the person's screen, with White at the bottom."""
    box = await person.see("board").locator("cg-board").bounding_box()
    assert box is not None
    side = box["width"] / 8
    return box["x"] + (ord(square[0]) - 96.5) * side, box["y"] + (8.5 - int(square[1])) * side


async def drag(person: Person, start: str, end: str, button: Literal["left", "right"] = "left") -> None:
    """Press on ``start``, let go on ``end``."""
    mouse = person.page.mouse
    await mouse.move(*await middle(person, start))
    await mouse.down(button=button)
    await mouse.move(*await middle(person, end), steps=4)
    await mouse.up(button=button)


async def test_premove_is_played_on_the_next_turn(invite: Invite) -> None:
    white, black = await invite(), await invite()
    await paired(white, black)
    await white.play("e2e4")
    await black.play("e7e5")
    await white.sees_plies(2)

    board = black.see("board")
    for square in ("b8", "c6"):
        await black._click_square(square)
    await expect(board).to_have_attribute("data-premove", "b8c6")
    await black.page.keyboard.press("Escape")
    await expect(board).not_to_have_attribute("data-premove", "b8c6")
    for square in ("g8", "f6"):
        await black._click_square(square)
    await expect(board).to_have_attribute("data-premove", "g8f6")
    await white.play("g1f3")
    await white.sees_plies(4)
    assert await white.score() == ["e4", "e5", "Nf3", "Nf6"]

    # What the opponent's move has made impossible is dropped: here a check.
    await white.play("f3e5")
    await black.play("f6e4")
    await white.play("d1e2")
    await black.play("e4f6")
    await white.sees_plies(8)
    for square in ("a7", "a6"):
        await black._click_square(square)
    await expect(board).to_have_attribute("data-premove", "a7a6")
    await white.play("e5c6")
    await expect(board).not_to_have_attribute("data-premove", "a7a6")
    await expect(board).to_have_attribute("data-movable", "true")
    await white.sees_plies(9)


@pytest.mark.parametrize("piece", tiered("qrbn", quick="qn", why="one test for each promotion piece"))
async def test_a_pawn_is_dragged_to_its_promotion_and_may_be_put_back(invite: Invite, piece: str) -> None:
    somebody = await invite()
    await alone(somebody)
    for move in ALMOST_PROMOTED:
        await somebody.play(move)
    await somebody.sees_plies(8)
    await expect(somebody.see("board")).to_have_attribute("data-movable", "true")
    await drag(somebody, "a7", "b8")
    await expect(somebody.see("promotion")).to_be_visible()
    await somebody.page.keyboard.press("Escape")
    await expect(somebody.see("promotion")).to_have_count(0)
    await drag(somebody, "a7", "b8")
    await somebody.click(f"promote-{piece}")
    await somebody.sees_plies(9)
    assert (await somebody.score())[-1] == f"axb8={piece.upper()}"


@pytest.mark.parametrize("gesture", [("e1", "g1"), ("e1", "h1")])
async def test_castling_by_either_gesture(invite: Invite, gesture: tuple[str, str]) -> None:
    somebody = await invite()
    await alone(somebody)
    for move in ("e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5"):
        await somebody.play(move)
    await somebody.sees_plies(6)
    await expect(somebody.see("board")).to_have_attribute("data-movable", "true")
    await drag(somebody, *gesture)
    await somebody.sees_plies(7)
    assert (await somebody.score())[-1] == "O-O"
    assert "RNBQ1RK1" in await somebody.fen()


async def test_history_by_keys_wheel_and_click(invite: Invite) -> None:
    somebody = await invite()
    await alone(somebody)
    for move in ("e2e4", "e7e5", "g1f3"):
        await somebody.play(move)
    await somebody.sees_plies(3)
    moves, board = somebody.see("moves"), somebody.see("board")
    await somebody.page.keyboard.press("ArrowLeft")
    await expect(moves).to_have_attribute("data-shown", "2")
    await expect(board).to_have_attribute("data-movable", "false")
    await somebody.page.keyboard.press("Home")
    await expect(moves).to_have_attribute("data-shown", "0")
    assert (await somebody.fen()).startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    await somebody.page.mouse.move(*await middle(somebody, "d4"))
    await somebody.page.mouse.wheel(0, 100)
    await expect(moves).to_have_attribute("data-shown", "1")
    await moves.get_by_text("e5", exact=True).click()
    await expect(moves).to_have_attribute("data-shown", "2")
    await somebody.click("live-again")
    await expect(moves).to_have_attribute("data-shown", "3")
    await expect(board).to_have_attribute("data-movable", "true")


async def test_arrows_and_circles_are_drawn_and_wiped(invite: Invite) -> None:
    somebody = await invite()
    await alone(somebody)
    shapes = somebody.page.locator(".arrows")
    await drag(somebody, "g1", "f3", "right")
    await drag(somebody, "e4", "e4", "right")
    await expect(shapes).to_have_attribute("data-shapes", "2")
    await drag(somebody, "g1", "f3", "right")
    await expect(shapes).to_have_attribute("data-shapes", "1")
    await somebody._click_square("d5")
    await expect(shapes).to_have_attribute("data-shapes", "0")


async def test_players_and_spectators_have_separate_chats(invite: Invite) -> None:
    white, black, watcher = await invite(), await invite(), await invite()
    path = await paired(white, black)
    await watcher.open(path)
    for person, text in ((white, "good luck"), (watcher, "who plays?")):
        await person.see("chat-text").fill(text)
        await person.page.keyboard.press("Enter")
    await expect(black.see("chat-lines")).to_contain_text("good luck")
    await expect(watcher.see("chat-lines")).to_contain_text("who plays?")
    assert "who plays?" not in await black.see("chat-lines").inner_text()
    assert "good luck" not in await watcher.see("chat-lines").inner_text()


async def test_result_is_beside_the_board_and_match_score_continues(invite: Invite) -> None:
    white, black = await invite(), await invite()
    first = await paired(white, black)
    await white.play("e2e4")
    await black.play("e7e5")
    await white.sees_plies(2)
    board = await white.see("board").bounding_box()
    await black.click("resign")
    await black.click("resign")
    await expect(white.see("outcome")).to_have_text("You win")
    await expect(black.see("outcome")).to_have_text("You lose")
    # A click on its way to the board hits the board.
    assert await white.see("board").bounding_box() == board
    hit = "place => document.elementFromPoint(...place).closest('.field, button, a').className"
    for square in ("b2", "d4", "e5", "g7"):
        assert await white.page.evaluate(hit, await middle(white, square)) == "field"
    await white.click("rematch")
    await black.click("accept-rematch")
    await white.page.wait_for_url(lambda url: not url.endswith(first))
    await expect(white.see("match")).to_contain_text("1\N{EN DASH}0")
    await expect(black.see("match")).to_contain_text("0\N{EN DASH}1")


async def test_a_game_against_oneself_pauses_and_its_board_turns(invite: Invite) -> None:
    somebody = await invite()
    await alone(somebody, "10+5")
    await somebody.play("e2e4")
    await somebody.play("e7e5")
    await somebody.sees_plies(2)
    board = somebody.see("board")
    await somebody.click("pause")
    await expect(somebody.see("held")).to_contain_text("Paused")
    await expect(board).to_have_attribute("data-movable", "false")
    await somebody.click("pause")
    await expect(board).to_have_attribute("data-movable", "true")
    await somebody.see("turns").check()
    await expect(board).to_have_attribute("data-bottom", "w")
    await somebody.play("g1f3")
    await expect(board).to_have_attribute("data-bottom", "b")


async def test_move_confirmation_is_a_setting(invite: Invite) -> None:
    white, black = await invite(), await invite()
    for person in (white, black):
        await person.context.add_init_script("localStorage.settings = JSON.stringify({ confirmMoves: 'rapid' })")
    await paired(white, black)
    await white.play("e2e4")
    await white.click("confirm-no")
    await expect(white.see("board")).to_have_attribute("data-movable", "true")
    await white.play("d2d4")
    await white.click("confirm-yes")
    await black.sees_plies(1)
    assert await black.score() == ["d4"]


async def test_absent_opponent_can_be_claimed_against(invite: Invite) -> None:
    white, black = await invite(), await invite()
    await paired(white, black)
    await white.play("e2e4")
    await black.play("e7e5")
    await white.sees_plies(2)
    await black.page.goto("about:blank")
    await expect(white.see("left")).to_contain_text("You can claim victory or a draw in")
    await expect(white.see("claim-left-win")).to_be_visible(timeout=20_000)
    for width in (320, 360, 390, 430, 1280):
        await white.page.set_viewport_size({"width": width, "height": 844})
        assert await white.page.evaluate(SPILT) == [], width
    await white.click("claim-left-win")
    await expect(white.see("result")).to_have_text("1-0")


SPILT = """() => {
    const place = document.querySelector('.ask').getBoundingClientRect();
    return [...document.querySelectorAll('.ask .offer > span')].map((part) => [part, part.getBoundingClientRect()])
        .filter(([, { top, bottom, left, right }]) =>
            top < place.top - 1 || place.bottom + 1 < bottom || left < place.left - 1 || place.right + 1 < right)
        .map(([part]) => part.innerText);
}"""
"""What does not fit into the place of what is asked."""


async def test_escape_closes_the_list_of_invitations_and_keeps_a_premove(invite: Invite) -> None:
    white, black = await invite(), await invite()
    await paired(white, black)
    for square in ("e7", "e5"):
        await black._click_square(square)
    board = black.see("board")
    await expect(board).to_have_attribute("data-premove", "e7e5")
    await black.click("inbox")
    await expect(black.see("invitations")).to_be_visible()
    await black.page.keyboard.press("Escape")
    await expect(black.see("invitations")).to_be_hidden()
    await expect(board).to_have_attribute("data-premove", "e7e5")
    await black.page.keyboard.press("Escape")
    await expect(board).not_to_have_attribute("data-premove", "e7e5")


async def test_landscape_phone_has_the_header_below_the_game(invite: Invite) -> None:
    white, black = await invite(viewport={"width": 844, "height": 390}, has_touch=True), await invite()
    await paired(white, black)
    places = await white.page.evaluate(
        """[".field", ".player.bottom", ".beside", "#bar"].map((place) => {
            const { top, bottom } = document.querySelector(place).getBoundingClientRect();
            return [top, bottom];
        })"""
    )
    (_, field), (_, player), (beside, end), (bar, _) = places
    assert max(field, player) <= 390
    assert max(field, player) <= beside
    assert end <= bar
