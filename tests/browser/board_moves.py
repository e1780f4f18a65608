"""Moves on the boards that we draw ourselves: draughts and Chinese checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.async_api import expect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.browser.person import Person


async def middle(person: Person, square: str) -> tuple[float, float]:
    """Return the middle of ``square`` on the person's screen."""
    box = await person.see("board").locator(f'[data-label="{square}"]').bounding_box()
    assert box is not None, f"no square {square}"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def lead(person: Person, squares: Sequence[str]) -> None:
    """Make a move by clicking the piece and each square it lands on, once it is the person's turn."""
    await expect(person.see("board")).to_have_attribute("data-movable", "true")
    for square in squares:
        await person.page.mouse.click(*await middle(person, square))


async def pull(person: Person, start: str, end: str) -> None:
    """Make a move by dragging the piece to its last square, once it is the person's turn."""
    await expect(person.see("board")).to_have_attribute("data-movable", "true")
    mouse = person.page.mouse
    await mouse.move(*await middle(person, start))
    await mouse.down()
    await mouse.move(*await middle(person, end), steps=4)
    await mouse.up()


async def stands(position: str, *people: Person) -> None:
    """Wait until all of them see that position."""
    for person in people:
        await expect(person.see("board")).to_have_attribute("data-fen", position)
