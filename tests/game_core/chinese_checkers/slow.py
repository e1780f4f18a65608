"""Slow reference implementation of Chinese checkers: holes are cube coordinates, positions are dictionaries.

A hole is ``(a, b, c)`` with a + b + c = 0. The star consists of two overlapping triangles: all coordinates at most 4,
or all at least -4. Rows have the same ``c`` and are ordered from left to right by ``a``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.chinese_checkers.position import Position
    from game_core.color import Color

Hole = tuple[int, int, int]

Men = dict[str, "Color"]
"""Owner of the piece in each occupied hole."""

_ASIDE = ((1, -1, 0), (-1, 1, 0), (1, 0, -1), (-1, 0, 1), (0, 1, -1), (0, -1, 1))


def _star() -> Iterator[tuple[str, Hole]]:
    for letter, c in zip("abcdefghijklmnopq", range(-8, 9), strict=True):
        row = [(a, -a - c, c) for a in range(-8, 9)]
        holes = [hole for hole in row if max(hole) <= 4 or min(hole) >= -4]
        yield from ((f"{letter}{number}", hole) for number, hole in enumerate(holes, 1))


AT: dict[str, Hole] = dict(_star())

NAME = {hole: name for name, hole in AT.items()}


def seen_from(name: str, times: int) -> list[str | None]:
    """Return the holes ``times`` steps from the hole ``name``, in six directions."""
    a, b, c = AT[name]
    return [NAME.get((a + times * x, b + times * y, c + times * z)) for x, y, z in _ASIDE]


def men_of(position: Position) -> Men:
    """Return the pieces, read from the text of the position."""
    rows = position.fen.split()[0].split("/")
    men: Men = {}
    for letter, row in zip("qponmlkjihgfedcba", rows, strict=True):
        number = 1
        digits = ""
        for sign in row + " ":
            if sign.isdigit():
                digits += sign
                continue
            number += int(digits or 0)
            digits = ""
            if sign in "wb":
                men[f"{letter}{number}"] = "w" if sign == "w" else "b"
                number += 1
    return men


def hops(men: Men, at: str) -> list[str]:
    """Return where a piece may land with one hop from ``at``, its own hole being empty."""
    return [
        land
        for over, land in zip(seen_from(at, 1), seen_from(at, 2), strict=True)
        if over in men and land is not None and land not in men
    ]


def ends(men: Men, origin: str) -> set[str]:
    """Return where the piece in ``origin`` may go."""
    others = {hole: color for hole, color in men.items() if hole != origin}
    reached: set[str] = set()

    def go_on(at: str) -> None:
        for land in hops(others, at):
            if land not in reached:
                reached.add(land)
                go_on(land)

    go_on(origin)
    steps = {near for near in seen_from(origin, 1) if near is not None and near not in others}
    return (reached | steps) - {origin}


def moves(men: Men, color: Color) -> set[str]:
    """Return all moves of ``color``."""
    return {f"{origin}-{end}" for origin, owner in men.items() if owner == color for end in ends(men, origin)}


def after(men: Men, move: str) -> Men:
    """Return the pieces after ``move``."""
    origin, end = move.split("-")
    return {hole: color for hole, color in men.items() if hole != origin} | {end: men[origin]}


def count(men: Men, color: Color, depth: int) -> int:
    """Return the number of move sequences of ``depth`` half-moves, ignoring the end of the game."""
    if depth == 0:
        return 1
    opponent: Color = "b" if color == "w" else "w"
    return sum(count(after(men, move), opponent, depth - 1) for move in moves(men, color))
