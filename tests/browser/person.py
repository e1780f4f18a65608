"""A person with a browser: opens pages of ours, clicks, plays moves, reads the board."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, ConsoleMessage, Locator, Page, Request

BROKEN_LINE = ("Failed to load resource", "WebSocket connection to")
"""How Chromium reports a 4xx response or a lost connection; these are not errors of the page."""


class Person:
    """One person with one browser context (their own cookies) and one page.

    Attributes:
        home: origin that they use, ``http://127.0.0.1:PORT``.
        faults: what a page may never do: raise, violate the Content-Security-Policy, contact another server.
    """

    def __init__(self, context: BrowserContext, page: Page, home: str) -> None:
        self.context = context
        self.page = page
        self.home = home
        self.faults: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.faults.append(f"raised {error}"))
        page.on("request", self._watch)

    async def open(self, path: str) -> None:
        """Go to ``path`` and wait for the socket."""
        await self.page.goto(self.home + path)
        await self.connected()

    async def connected(self) -> None:
        """Wait until the socket is open."""
        await expect(self.see("line")).to_have_attribute("data-line", "open")

    async def partition_guard(self) -> None:
        """Wait until the page has noticed that the socket is closed."""
        await expect(self.see("line")).to_have_attribute("data-line", "lost")

    def see(self, name: str) -> Locator:
        """Return the element with ``data-testid`` ``name``."""
        return self.page.get_by_test_id(name)

    async def watch(self, name: str) -> None:
        """Go to a page of the menu for watching."""
        await self.click("watch")
        await self.page.get_by_role("link", name=name, exact=True).click()

    async def choose(self, *labels: str) -> None:
        """Select radio buttons of the form by their labels, apart from those of the position editor."""
        for label in labels:
            await self.page.locator("form .choice:not(.setup *)").get_by_text(label, exact=True).click()

    async def advanced(self) -> None:
        """Open the advanced choices of the form of a new game."""
        await self.see("advanced").locator("> summary").click()

    async def click(self, name: str) -> None:
        """Click the element with ``data-testid`` ``name``."""
        await self.see(name).click()

    async def at_game(self) -> str:
        """Wait until the page shows a game; return its path."""
        await self.page.wait_for_url("**/game/*")
        await expect(self.see("game")).to_be_visible()
        return urlsplit(self.page.url).path

    async def play(self, move: str) -> None:
        """Play ``move`` (UCI) by clicking its squares, once it is the person's turn."""
        board = self.see("board")
        await expect(board).to_have_attribute("data-movable", "true")
        made = int(await board.get_attribute("data-made") or 0)
        await self.put(move)
        await expect(board).to_have_attribute("data-made", str(made + 1))
        if len(move) == 5:
            await self.click(f"promote-{move[4]}")

    async def put(self, move: str) -> None:
        """Click the two squares of ``move`` on the current board."""
        await self._click_square(move[:2])
        await self._click_square(move[2:4])

    async def sees_plies(self, plies: int) -> None:
        """Wait until the page shows that many half-moves."""
        await expect(self.see("moves")).to_have_attribute("data-plies", str(plies))

    async def score(self) -> list[str]:
        """Return the moves as the page writes them."""
        return [text for text in await self.see("moves").locator("span").all_inner_texts() if text]

    async def fen(self) -> str:
        """Return the position on the board."""
        return await self.see("board").get_attribute("data-fen") or ""

    async def _click_square(self, square: str) -> None:
        box = await self.see("board").locator("cg-board").bounding_box()
        assert box is not None
        column, row = ord(square[0]) - ord("a"), 8 - int(square[1])
        if await self.see("board").get_attribute("data-bottom") == "b":
            column, row = 7 - column, 7 - row
        side = box["width"] / 8
        await self.page.mouse.click(box["x"] + (column + 0.5) * side, box["y"] + (row + 0.5) * side)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith(BROKEN_LINE):
            self.faults.append(f"logged {message.text}")

    def _watch(self, request: Request) -> None:
        if not request.url.startswith(self.home):
            self.faults.append(f"asked {request.url}")
