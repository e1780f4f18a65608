# ruff: noqa: RUF001 - Cyrillic letters and dashes are meant as such
"""Notation of moves as each person chooses: written, displayed and spoken."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.games.test_game import paired
from tests.browser.pages.test_access import enter, in_text_mode, told

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(120)


async def liking(invite: Invite, **settings: str) -> Person:
    """A person who has chosen ``settings`` before."""
    person = await invite()
    await person.context.add_init_script(f"localStorage.settings ??= {json.dumps(json.dumps(settings))}")
    return person


async def type_beside_board(person: Person, text: str) -> None:
    """Where a move is played as soon as nothing else can be meant, and words with Enter."""
    await person.see("entry").focus()
    await person.page.keyboard.type(text)
    await person.page.keyboard.press("Enter")


async def test_each_reads_the_score_in_their_own_notation(invite: Invite) -> None:
    white = await liking(invite, letters="de", notation="long")
    black = await liking(invite, letters="ru")
    watcher = await liking(invite, notation="iccf")
    path = await paired(white, black)
    await watcher.open(path)
    await watcher.at_game()
    moves = ((white, "sf3"), (black, "7866"), (white, "Springer f drei e 5"), (black, "Кc6"))
    for ply, (person, typed) in enumerate(moves, 1):
        await type_beside_board(person, typed)
        for everybody in (white, black, watcher):
            await everybody.sees_plies(ply)
    await type_beside_board(white, "kurze Rochade")
    await told(white, "kurze Rochade is not a legal move")
    assert await white.score() == ["Sg1-f3", "Sg8-f6", "Sf3-e5", "Sb8-c6"]
    assert await black.score() == ["Кf3", "Кf6", "Кe5", "Кc6"]
    assert await watcher.score() == ["7163", "7866", "6355", "2836"]


async def test_moves_are_announced_in_the_language_of_the_document(invite: Invite) -> None:
    white = await liking(invite, tellMoves="de")
    black = await liking(invite, tellMoves="en")
    await paired(white, black)
    await in_text_mode(white, black)
    await enter(white, "Bauer Eva vier")
    await expect(black.see("last")).to_have_text("White: pawn Eva four")
    await expect(white.see("last").locator("[lang=de]")).to_have_text("Weiß: Bauer Eva vier")
    await enter(black, "pawn David five")
    await expect(white.see("last").locator("[lang=de]")).to_have_text("Schwarz: Bauer David fünf")
    await enter(white, "Eva schlägt David fünf")
    await black.sees_plies(3)
    await expect(black.see("last")).to_have_text("White: pawn Eva takes David five")
    await enter(black, "l")
    await told(black, "White: pawn Eva takes David five")
    await enter(white, "l")
    await expect(white.see("answer").locator("[lang=de]")).to_have_text("Weiß: Bauer Eva schlägt David fünf")
    assert await violations(white.page) == []

    await enter(black, "n")
    await told(black, "White has made 2 moves, Black 1 move.")
    await enter(black, "u")
    # Of three moves only the last was charged, and its time is known.
    used = re.compile(r"^White has used \d+ seconds?; Black has used 0 seconds$")
    await expect(black.see("answer")).to_have_text(used)


async def test_a_draw_is_offered_with_a_typed_move(invite: Invite) -> None:
    white, black = await invite(), await invite()
    await paired(white, black)
    await in_text_mode(white, black)
    await enter(white, "e4")
    await black.sees_plies(1)
    await enter(black, "e5")
    await white.sees_plies(2)
    await enter(white, "Sf3")
    await told(white, "is not a move or command")
    await enter(white, "Nf3 (=)")
    await expect(black.see("offers")).to_contain_text("Your opponent offers a draw.")
    await enter(white, "Nc3 (=)")
    await told(white, "You can only offer a draw with a move on your own turn.")
    await enter(black, "Nf6")
    await expect(black.see("offers")).to_be_empty()
    await white.sees_plies(4)


async def test_ambiguous_typed_move_lists_the_candidates(invite: Invite) -> None:
    white, black = await liking(invite, tellMoves="notation", letters="figurine"), await invite()
    await paired(white, black)
    await in_text_mode(white, black)
    for ply, typed in enumerate(("Nf3", "e5", "d4", "d6")):
        await enter((white, black)[ply % 2], typed)
        for person in (white, black):
            await person.sees_plies(ply + 1)
    await expect(white.see("moves")).to_have_text("1. ♘f3, e5; 2. d4, d6.")
    await enter(white, "Nd2")
    await told(white, "Nd2 could be ♘b1–d2, ♘f3–d2.")
    await expect(white.see("entry")).to_have_value("Nd2")
    await enter(white, "nbd2")
    await expect(black.see("last")).to_have_text("White: knight b d2")


async def test_notation_is_chosen_on_the_settings_page(invite: Invite) -> None:
    person = await invite(viewport={"width": 390, "height": 844})
    await person.open("/settings")
    await person.see("set-letters").select_option("de")
    await expect(person.see("set-notation")).to_contain_text("Long: Sg1-f3")
    await person.see("set-notation").get_by_text("ICCF: 7163").click()
    await person.see("set-tellMoves").get_by_text("Announced in German: Springer Felix drei").click()
    assert await violations(person.page) == []
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not await person.page.evaluate(wide)
    await person.page.reload()
    await expect(person.see("set-letters")).to_have_value("de")
    kept = await person.page.evaluate("JSON.parse(localStorage.settings)")
    assert (kept["letters"], kept["notation"], kept["tellMoves"]) == ("de", "iccf", "de")
