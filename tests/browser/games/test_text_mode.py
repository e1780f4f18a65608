"""Whole games in text mode, with a keyboard only, and their output for screen readers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.games.test_game import paired
from tests.browser.pages.test_access import enter, focused, in_text_mode, told

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(120)

FOOLS_MATE = ("f2f3", "e5", "g2-g4", "Qh4#")
"""Each in another notation."""


async def play_on(white: Person, black: Person, *moves: str, plies: int = 0) -> None:
    """Type ``moves`` in turn, ``plies`` half-moves being on the board."""
    for ply, move in enumerate(moves, plies):
        await enter((white, black)[ply % 2], move)
        for person in {white, black}:
            await person.sees_plies(ply + 1)


async def two(invite: Invite) -> tuple[Person, Person]:
    """White and Black of a new game, in text mode."""
    white, black = await invite(), await invite()
    await paired(white, black)
    await in_text_mode(white, black)
    return white, black


async def press(person: Person, name: str) -> None:
    """Press the button ``name`` by keyboard."""
    await person.see(name).focus()
    await person.page.keyboard.press("Enter")


async def to_entry(person: Person) -> None:
    await person.see("entry").focus()


@pytest.mark.slow("whole games in the browser")
async def test_a_game_of_two_without_a_mouse(invite: Invite) -> None:
    white, black = await two(invite)
    await expect(white.see("state")).to_contain_text("Your move, White to move")
    await play_on(white, black, *FOOLS_MATE[:3])
    await expect(black.see("last")).to_have_text("White: g4")

    for command, answer in (
        ("l", "White: g4"),
        ("c", "minutes"),
        ("o", ", White"),
        ("p N", "white knight: b1 g1"),
        ("p k", "black king: e8"),
        ("s 4", "4: g4 white pawn"),
        ("s", "Black to move"),
        ("/p q", "black queen: d8"),
        ("back", "After Black: e5"),
        ("s 4", "Earlier position: 4: empty"),
        ("live", "Current position. White: g4"),
        ("Nf3", "not a legal move"),
    ):
        await enter(black, command)
        await told(black, answer)
    assert await violations(black.page) == []

    await enter(black, FOOLS_MATE[3])
    for person in (white, black):
        await expect(person.see("last")).to_contain_text("Black: queen h4, checkmate")
        await expect(person.see("end")).to_contain_text("Black wins, checkmate")
        await expect(person.see("notice")).to_contain_text("Type rematch for a rematch, new for a new opponent")

    # Once more, and then somebody else.
    first = white.page.url
    await enter(white, "rematch")
    await expect(black.see("offers")).to_contain_text("offers a rematch. Type rematch to accept, or decline")
    await enter(black, "decline")
    for person in (white, black):
        await expect(person.see("notice")).to_contain_text(re.compile("eclined:? a rematch"))
        await expect(person.see("offers")).to_be_empty()
    await enter(black, "rematch")
    await expect(white.see("offers")).to_contain_text("offers a rematch")
    await enter(white, "accept")
    for person in (white, black):
        await expect(person.page).not_to_have_url(first)
        await expect(person.see("entry")).to_be_focused()
    await play_on(black, white, "e4", "e5")
    await enter(black, "resign")
    await enter(black, "resign")
    await expect(white.see("end")).to_contain_text("Black wins, resignation")
    await enter(white, "new")
    await expect(white.see("seek-wait")).to_contain_text("10+5")
    await white.click("seek-stop")


async def test_a_game_against_oneself_without_a_mouse(invite: Invite) -> None:
    somebody = await invite()
    page = somebody.page
    await somebody.open("/?create")
    await page.locator("form").get_by_label("10+5").focus()
    await page.keyboard.press("Space")
    await press(somebody, "self")
    await somebody.at_game()
    await in_text_mode(somebody)
    await enter(somebody, "pause")
    await told(somebody, "once both sides have moved")
    await play_on(somebody, somebody, *FOOLS_MATE[:2])

    await enter(somebody, "pause")
    await expect(somebody.see("notice")).to_have_text("Paused. Type resume to continue.")
    await expect(somebody.see("state")).to_contain_text("Clocks paused")
    await enter(somebody, FOOLS_MATE[2])
    await told(somebody, "Type resume to continue")
    await page.keyboard.press("Escape")
    await enter(somebody, "resume")
    await expect(somebody.see("notice")).to_have_text("Clocks running again.")
    await press(somebody, "pause")
    await expect(somebody.see("pause")).to_have_text("Resume")
    await expect(somebody.see("pause")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(somebody.see("pause")).to_have_text("Pause")
    await to_entry(somebody)

    await play_on(somebody, somebody, *FOOLS_MATE[2:], plies=2)
    await expect(somebody.see("end")).to_contain_text("Black wins, checkmate")
    await expect(somebody.see("notice")).to_have_text("Type rematch for another game.")
    first = page.url
    await enter(somebody, "rematch")
    await expect(page).not_to_have_url(first)
    await expect(somebody.see("entry")).to_be_focused()


async def test_a_move_typed_ahead_is_played_cancelled_or_dropped(invite: Invite) -> None:
    white, black = await two(invite)
    keys = black.page.keyboard
    await enter(black, "e5")
    await told(black, "Premove: pawn from e7 to e5. Press Enter on an empty line to cancel.")
    await expect(black.see("premove")).to_contain_text("pawn from e7 to e5")
    await enter(black, "Nf9")
    await told(black, "is not a move or command")
    await keys.press("Escape")
    await expect(black.see("entry")).to_have_value("")
    await keys.press("Enter")
    await told(black, "Premove cancelled")
    await expect(black.see("premove")).to_have_count(0)

    # Played when the turn comes; another takes its place.
    await enter(black, "e6")
    await told(black, "to e6")
    await enter(black, "d5")
    await told(black, "to d5")
    await enter(white, "e4")
    await white.sees_plies(2)
    await expect(white.see("last")).to_have_text("Black: d5")

    # By squares as well; Escape goes back step by step.
    await enter(black, "b d8")
    assert await focused(black) == "d8"
    await keys.press("Enter")
    await told(black, "queen on d8 selected for a premove")
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "Enter"):
        await keys.press(key)
    await told(black, "Premove: queen from d8 to d5")
    await keys.press("Escape")
    await told(black, "Premove cancelled")
    await keys.press("Escape")
    await enter(black, "Qd5")
    await told(black, "queen from d8 to d5")

    # What cannot be played in the end is told to be gone.
    await enter(white, "Bb5+")
    await black.sees_plies(3)
    await expect(black.see("notice")).to_have_text("Premove cancelled: queen from d8 to d5 is not legal.")
    await enter(black, "c6")
    await white.sees_plies(4)


@pytest.mark.parametrize("typed", ["hxg8=N", "hxg8"])
async def test_a_pawn_promotes_ahead_as_it_was_typed_or_is_asked(invite: Invite, typed: str) -> None:
    white, black = await invite(), await invite()
    await white.context.add_init_script(
        "localStorage.settings = JSON.stringify({ textMode: true, autoQueen: 'never' })"
    )
    await paired(white, black)
    await in_text_mode(black)
    await play_on(white, black, "h4", "g5", "hg", "h6", "gxh6", "a6", "h7", "a5", "a3")
    await enter(white, typed)
    await told(white, "Premove: pawn from h7 to g8")
    await enter(black, "a4")
    if typed == "hxg8":
        await expect(white.see("notice")).to_have_text("Promote to what? Type q, r, b or n.")
        await expect(white.see("promote-n")).to_be_visible()
        await enter(white, "knight")
    await black.sees_plies(11)
    await expect(black.see("last")).to_have_text("White: h takes g8 promotes to knight")
    await expect(white.see("promote-n")).to_have_count(0)
    await play_on(white, black, "Bh6", "g3", plies=11)


async def test_absence_is_announced_and_claimed(invite: Invite) -> None:
    white, black = await two(invite)
    await play_on(white, black, "e4", "e5")
    await enter(white, "claim win")
    await told(white, "Your opponent is here")
    await black.page.goto("about:blank")
    await expect(white.see("notice")).to_contain_text("Your opponent left. You can claim victory or a draw in")
    await enter(white, "claim win")
    await told(white, "You can claim victory or a draw in")
    await expect(white.see("notice")).to_contain_text("Type claim win or claim draw", timeout=20_000)
    await expect(white.see("claim-left-win")).to_have_text("Claim victory")
    assert await violations(white.page) == []
    await enter(white, "claim draw")
    await expect(white.see("end")).to_contain_text("draw, game abandoned")


async def test_offers_and_answers_by_typed_words(invite: Invite) -> None:
    white, black = await two(invite)
    await play_on(white, black, "e4", "e5")

    await enter(black, "takeback")
    await expect(white.see("offers")).to_have_text(
        "Your opponent requests a takeback. Type takeback to accept, or decline."
    )
    await enter(white, "decline")
    await expect(black.see("notice")).to_have_text("Your opponent declined a takeback.")
    await enter(black, "takeback")
    await expect(white.see("offers")).to_contain_text("a takeback")
    await enter(white, "takeback")
    await black.sees_plies(1)
    await expect(black.see("last")).to_contain_text("Takeback")
    await expect(black.see("notice")).to_be_empty()
    await enter(black, "e5")
    await white.sees_plies(2)

    await enter(white, "resign")
    await told(white, "again to confirm")
    await enter(white, "draw")
    await told(white, "Type draw again")
    await enter(white, "draw")
    await expect(black.see("offers")).to_contain_text("offers a draw. Type draw to accept, or decline.")
    await enter(black, "draw")
    for person in (white, black):
        await expect(person.see("end")).to_contain_text("draw, mutual agreement")


async def test_move_is_confirmed_by_a_typed_word(invite: Invite) -> None:
    white, black = await invite(), await invite()
    for person in (white, black):
        await person.context.add_init_script("localStorage.settings = JSON.stringify({ confirmMoves: 'rapid' })")
    await paired(white, black)
    await in_text_mode(white)
    await enter(white, "e4")
    await expect(white.see("notice")).to_have_text("Play pawn from e2 to e4? Type yes or no.")
    await enter(white, "no")
    await enter(white, "d4")
    await expect(white.see("notice")).to_contain_text("from d2 to d4")
    await enter(white, "yes")
    await black.sees_plies(1)


CHATTER = """() => {
    window.chatter = [];
    const live = '[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]';
    const note = (changes) => {
        for (const {target} of changes) {
            const region = (target.nodeType === 1 ? target : target.parentElement)?.closest(live);
            if (region) chatter.push(region.textContent.trim());
        }
    };
    new MutationObserver(note).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""
"""Notes whatever a screen reader would be told."""


async def test_running_clocks_are_not_announced(invite: Invite) -> None:
    white, black = await two(invite)
    await play_on(white, black, "e4", "e5")
    for text_mode in (True, False):
        if not text_mode:
            await press(white, "text-mode")
        await white.page.evaluate(CHATTER)
        clock = white.see("clock-w")
        await expect(clock).to_be_visible()
        for _ in range(3):
            await expect(clock).not_to_have_text(await clock.inner_text())
        assert await white.page.evaluate("chatter") == []


async def test_page_structure_for_screen_readers(invite: Invite) -> None:
    white, black = await two(invite)
    await play_on(white, black, "e4", "e5")
    await enter(black, "draw")
    await enter(black, "draw")
    await expect(white.see("offers")).not_to_be_empty()
    await expect(white.page.locator("#page")).to_match_aria_snapshot(
        """
        - main:
          - heading /.+ against .+/ [level=1]
          - button "Back to graphical board"
          - heading "Your move" [level=2]
          - text: Move or command
          - textbox "Move or command"
          - button "Play"
          - status
          - heading "Last move" [level=2]
          - paragraph: "Black: e5"
          - heading "Status" [level=2]
          - paragraph: Your move, White to move, move 2.
          - status: Your opponent offers a draw. Type draw to accept, or decline.
          - status
          - heading "Clocks" [level=2]
          - paragraph:
            - text: "White:"
            - timer: /\\d+ minutes/
          - paragraph:
            - text: "Black:"
            - timer: /\\d+ minutes/
          - heading "Actions" [level=2]
          - button "Accept draw"
          - button "Decline draw"
          - button "Resign"
          - button "Claim draw"
          - button "Request takeback"
          - heading "Board" [level=2]
          - grid "Chess board":
            - row:
              - gridcell "a8, black rook"
        """
    )


async def test_the_focus_is_never_lost(invite: Invite) -> None:
    white, black = await two(invite)
    await play_on(white, black, "e4", "e5")
    inside = "document.activeElement !== document.body && document.activeElement.closest('section, .actions') !== null"

    # What has the focus stays itself while the rest comes and goes.
    await white.see("resign").focus()
    await enter(black, "draw")
    await enter(black, "draw")
    await expect(white.see("accept-draw")).to_be_visible()
    await expect(white.see("resign")).to_be_focused()
    await white.see("decline").focus()
    await white.page.keyboard.press("Enter")
    await expect(white.see("offers")).to_be_empty()
    assert await white.page.evaluate(inside)

    # Beside the board as well, where a button is switched off once it is pressed.
    await press(white, "text-mode")
    await press(white, "draw")
    await expect(white.see("draw")).not_to_have_attribute("aria-disabled", "true")
    await press(white, "draw")
    await expect(white.see("offered-draw")).to_be_visible()
    await expect(white.see("draw")).to_be_disabled()
    assert await white.page.evaluate(inside)
    await enter(black, "decline")
    await expect(white.see("heard")).to_contain_text("Your opponent declined a draw")


async def test_in_forced_colours_and_without_motion(invite: Invite) -> None:
    somebody = await invite(forced_colors="active", reduced_motion="reduce")
    await somebody.open("/?create")
    await somebody.click("self")
    await somebody.at_game()
    await expect(somebody.page.locator("html")).to_have_attribute("data-still", "true")
    # Squares and pieces keep their colours, and the letters that only ears get stay unseen.
    colours = "(element) => [getComputedStyle(element).forcedColorAdjust, getComputedStyle(element).color]"
    cell = somebody.page.locator("[data-square=e2]")
    assert await cell.evaluate(colours) == ["none", "rgba(0, 0, 0, 0)"]
    assert (await somebody.page.locator("cg-board").evaluate(colours))[0] == "none"
    await in_text_mode(somebody)
    await enter(somebody, "b e2")
    keys = somebody.page.keyboard
    await keys.press("Enter")
    style = "(cell) => [getComputedStyle(cell).outlineStyle, getComputedStyle(cell).borderStyle]"
    assert await somebody.page.locator("[data-square=e2]").evaluate(style) == ["solid", "double"]
    assert await somebody.page.locator("[data-square=e4]").evaluate(style) == ["none", "dashed"]
    assert await violations(somebody.page) == []
