"""Moves of a host at a board that is not loaded yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.simuls.test_simul_desk import announce, at_boards, joined

if TYPE_CHECKING:
    from playwright.async_api import WebSocketRoute

    from tests.browser.conftest import Invite

pytestmark = pytest.mark.timeout(120)


class SlowLine:
    """The connection of a page. What the server says is kept back while ``is_held``."""

    def __init__(self) -> None:
        self.is_held = False
        self._line: WebSocketRoute | None = None
        self._kept: list[str | bytes] = []

    def open(self, line: WebSocketRoute) -> None:
        """Connect ``line`` to the server."""
        self._line = line
        line.connect_to_server().on_message(self._hear)

    def release(self) -> None:
        """Let the page hear what was kept back, and what follows."""
        assert self._line is not None
        self.is_held = False
        for message in self._kept:
            self._line.send(message)

    def _hear(self, message: str | bytes) -> None:
        assert self._line is not None
        if self.is_held:
            self._kept.append(message)
        else:
            self._line.send(message)


async def test_move_before_a_board_is_loaded_waits_for_it(invite: Invite) -> None:
    host, *players = await invite(), await invite(), await invite(), await invite(), await invite()
    simul = await announce(host, "White")
    await joined(*players, simul=simul)
    await at_boards(host, *players)
    await expect(host.see("simul")).to_have_attribute("data-at", re.compile(r"^\d"))
    line = SlowLine()
    await host.page.route_web_socket(re.compile("/ws"), line.open)
    await host.page.reload()
    await expect(host.see("board")).to_have_attribute("data-movable", "true")
    # From here on the page hears nothing for a while: of the last board it knows the position, but no legal moves.
    line.is_held = True
    last = host.page.locator(".simul-cell").last
    board = await last.get_attribute("data-board")
    await last.click()
    await expect(host.see("simul-stage")).to_have_attribute("data-board", board or "")
    await expect(host.see("board")).to_have_attribute("data-movable", "false")
    await host.put("e2e4")
    await expect(host.see("board")).to_have_attribute("data-premove", "e2e4")
    line.release()
    await expect(host.see("simul-grid").locator(f"[data-board='{board}']")).to_have_attribute("data-turn", "player")
