"""The time for the first move, and a click on a piece that may not move, as the page tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.games.test_other_boards import click, movable
from tests.browser.pages.test_access import enter, in_text_mode, told
from tests.browser.seats import together

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)

BLITZ = {"base_s": 300, "inc_s": 3}
"""20 s for each first move."""

CLASSICAL = {"base_s": 1800, "inc_s": 0}
"""30 s."""

ABORTED_MS = 45_000

FORCED = "W:W32,40:B28,10"
"""White's man on 32 must capture; the one on 40 cannot move."""


async def test_first_move_counts_down_and_the_end_names_who_did_not_move(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, tc=BLITZ)
    await expect(white.see("first-move")).to_contain_text("to make your first move")
    await expect(black.see("first-move")).to_contain_text("White has")
    before = await white.see("board").bounding_box()
    await white.play("e2e4")
    for person in (white, black):
        await expect(person.page.locator(".player.to-move .clock")).to_have_class("clock running")
    await expect(black.see("first-move")).to_contain_text("to make your first move")
    await expect(white.see("first-move")).to_contain_text("Black has")
    for person in (white, black):
        await expect(person.see("end")).to_contain_text("Black did not move in time", timeout=ABORTED_MS)
    assert await white.see("board").bounding_box() == before
    await white.page.reload()
    await expect(white.see("end")).to_contain_text("Black did not move in time")


async def test_first_move_is_told_in_text_mode(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, tc=CLASSICAL)
    await expect(white.see("heard")).to_contain_text("seconds to make your first move")
    await in_text_mode(white)
    await expect(white.see("first-move")).to_contain_text("to make your first move")
    await enter(white, "s")
    await told(white, "to make your first move")
    await expect(white.see("notice")).to_contain_text("seconds to make your first move")
    await enter(white, "e4")
    await expect(white.see("notice")).to_contain_text("Black has")
    await black.play("e7e5")
    await expect(white.see("first-move")).to_have_count(0)


async def test_click_on_another_piece_says_that_a_capture_is_forced(server: ServerProcess, invite: Invite) -> None:
    white, black = await invite(), await invite()
    await together(server, white, black, game="draughts", variant="international", fen=FORCED)
    await movable(white)
    await click(white, "40")
    await expect(white.see("news")).to_contain_text("You must capture")
    await click(white, "32")
    await click(white, "23")
    await black.sees_plies(1)
