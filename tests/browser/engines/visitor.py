"""A person at a page of any engine: opens pages of ours, clicks, plays moves, waits for what the page shows."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from tests.browser.engines.webdriver import EnginePage, Json, ScriptError

if TYPE_CHECKING:
    from tests.browser.seats import Seat

DESKTOP = (1280, 800)
PHONE = (390, 844)
"""Viewports, in pixels."""

Pointer = Literal["mouse", "touch"]

PATIENCE_S = 30.0
"""Timeout for what a page does in a moment, on a busy machine."""

POLL_S = 0.05

MIDDLE = """(selector, text) => {
    const found = [...document.querySelectorAll(selector)];
    const element = found.find((one) => one.textContent.includes(text) && one.getClientRects().length > 0);
    if (!element || element.disabled || element.ariaDisabled === 'true') return null;
    element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const { x, y, width, height } = element.getBoundingClientRect();
    const middle = [x + width / 2, y + height / 2];
    const hit = document.elementFromPoint(...middle);
    return element.contains(hit) || hit?.contains(element) ? middle : null;
}"""
"""The middle of the first visible element with that text; null while it cannot be clicked there."""

SQUARE = """(square) => {
    const board = document.querySelector('[data-testid=board]');
    const own = board.querySelector(`[data-label="${square}"]`);
    if (own) {
        const { x, y, width, height } = own.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    }
    const { x, y, width } = board.querySelector('cg-board').getBoundingClientRect();
    let [column, row] = [square.charCodeAt(0) - 97, 8 - Number(square[1])];
    if (board.dataset.bottom === 'b') [column, row] = [7 - column, 7 - row];
    return [x + ((column + 0.5) * width) / 8, y + ((row + 0.5) * width) / 8];
}"""
"""The middle of a square of the board."""

DATA = '(id, name) => document.querySelector(`[data-testid="${id}"]`)?.dataset[name] ?? null'
TEXT = '(id) => document.querySelector(`[data-testid="${id}"]`)?.innerText ?? null'

DOWN: Json = {"type": "pointerDown", "button": 0}
UP: Json = {"type": "pointerUp", "button": 0}


class Visitor:
    """One person with one page.

    Attributes:
        page: their page.
        home: origin that they use, ``http://127.0.0.1:PORT``.
    """

    def __init__(self, page: EnginePage, home: str, pointer: Pointer = "mouse") -> None:
        """``pointer``: what they touch the board with."""
        self.page = page
        self.home = home
        self._pointer = pointer

    async def open(self, path: str) -> None:
        """Go to ``path`` and wait for the socket."""
        await self.page.goto(self.home + path)
        await self.shows("line", "line", "open")

    async def sit(self, seat: Seat, path: str) -> None:
        """Become the guest of ``seat`` and open ``path``."""
        await self.page.goto(f"{self.home}/settings")
        await self.page.call("(token) => { document.cookie = `zeitnot=${token}; path=/`; }", seat.token)
        await self.open(path)

    # --- what they see ----------------------------------------------------------------------------------

    async def until(self, function: str, *arguments: Any) -> Any:
        """Wait until the JavaScript ``function`` returns something whose JSON is true in Python, and return that."""
        found = None
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    # The page may be left meanwhile.
                    with suppress(ScriptError):
                        if found := await self.page.call(function, *arguments):
                            return found
                    await asyncio.sleep(POLL_S)
        text = await self.page.call("() => location.pathname + '\\n' + document.body.innerText")
        raise AssertionError(f"still {found!r}: {function} {json.dumps(arguments)}\n{text}")

    async def shows(self, name: str, key: str, value: str) -> None:
        """Wait until the element with ``data-testid`` ``name`` has ``value`` in its ``dataset`` under ``key``."""
        await self.until(f"(id, name, value) => ({DATA})(id, name) === value", name, key, value)

    async def reads(self, name: str, text: str) -> None:
        """Wait until the element with ``data-testid`` ``name`` has ``text``."""
        await self.until(f"(id, text) => ({TEXT})(id)?.includes(text)", name, text)

    async def text(self, name: str) -> str:
        """Return the text of the element with ``data-testid`` ``name``."""
        return str(await self.page.call(TEXT, name))

    async def data(self, name: str, key: str) -> str | None:
        """Return a value of the ``dataset`` of the element with ``data-testid`` ``name``."""
        value: str | None = await self.page.call(DATA, name, key)
        return value

    async def at_game(self) -> str:
        """Wait until the page shows a game; return its path."""
        await self.until("() => location.pathname.startsWith('/game/') && document.querySelector('.game') !== null")
        return urlsplit(str(await self.page.call("() => location.href"))).path

    async def sees_plies(self, plies: int) -> None:
        """Wait until the page shows that many half-moves."""
        await self.shows("moves", "plies", str(plies))

    # --- what they do -----------------------------------------------------------------------------------

    async def click(self, name: str, text: str = "") -> None:
        """Click the first element with ``data-testid`` ``name`` that has ``text``, once that is possible."""
        await self.click_at(*await self.until(MIDDLE, f'[data-testid="{name}"]', text))

    async def choose(self, label: str) -> None:
        """Click the first label with that text."""
        await self.click_at(*await self.until(MIDDLE, "label", label))

    async def click_at(self, x: float, y: float) -> None:
        """Click a point of the viewport."""
        await self._point("mouse", _to(x, y), DOWN, UP)

    async def drag(self, start: str, end: str) -> None:
        """Drag the piece on the square ``start`` to ``end``."""
        (x, y), target = await self.square(start), await self.square(end)
        await self._point(self._pointer, _to(x, y), DOWN, _to(x + 5, y + 5), _to(*target), UP)

    async def square(self, square: str) -> tuple[float, float]:
        """Return the middle of ``square`` on the screen."""
        x, y = await self.page.call(SQUARE, square)
        return x, y

    async def put(self, move: str) -> None:
        """Click or tap the squares of ``move``, in any game's notation of the wire."""
        chess = re.fullmatch(r"([a-h][1-8])([a-h][1-8])[qrbn]?", move)
        for square in chess.groups() if chess else re.split("[x-]", move):
            await self._point(self._pointer, _to(*await self.square(square)), DOWN, UP)

    async def play(self, move: str) -> None:
        """Play ``move`` once it is the person's turn."""
        await self.shows("board", "movable", "true")
        await self.put(move)

    async def _point(self, pointer: Pointer, *steps: Json) -> None:
        source = {"type": "pointer", "id": pointer, "parameters": {"pointerType": pointer}}
        await self.page.act({**source, "actions": steps})


def _to(x: float, y: float) -> Json:
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
