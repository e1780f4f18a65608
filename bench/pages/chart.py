"""Line chart with a logarithmic axis, as SVG."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 76, 150, 64, 56
"""Margins for the numbers, the names at the ends of the lines, the title and the axis."""

COLOURS = ("#0b5fa5", "#8a8f98", "#c2571a", "#3a7d44")
"""Distinguishable with red-green colour blindness, and in print by their lightness."""

GRID = 5
"""Most horizontal grid lines."""

APART = 16
"""Least distance in pixels between the names of two lines."""


class Series(msgspec.Struct, frozen=True):
    """Points by increasing x, connected."""

    name: str
    points: tuple[tuple[float, float], ...]


class Chart(msgspec.Struct, frozen=True):
    """Contents of a chart.

    Attributes:
        limit: a budget as a horizontal line: its name and value.
    """

    title: str
    below: str
    x: str
    lines: tuple[Series, ...]
    limit: tuple[str, float] | None = None


def as_svg(chart: Chart) -> str:
    """Return the chart, ``WIDTH`` by ``HEIGHT``. Raises ``ValueError`` if a line has no points."""
    empty = [line.name for line in chart.lines if not line.points]
    if empty:
        raise ValueError(f"{chart.title}: nothing to draw for {', '.join(empty)}")
    frame = _Frame(chart)
    size, font = f'width="{WIDTH}" height="{HEIGHT}"', 'font-family="DejaVu Sans, sans-serif" font-size="12"'
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font} fill="#333">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        _text(LEFT, 26, chart.title, 'font-size="16" font-weight="bold" fill="#111"'),
        _text(LEFT, 46, chart.below, 'fill="#555"'),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, chart.x, 'text-anchor="middle" fill="#555"'),
        *frame.grid(),
        *frame.sizes(),
        *frame.limit(),
        *frame.lines(),
        "</svg>",
    )
    return "\n".join(parts) + "\n"


class _Frame:
    """Geometry of a chart."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._xs = sorted({x for line in chart.lines for x, _ in line.points})
        values = [y for line in chart.lines for _, y in line.points]
        most = max(values if chart.limit is None else [*values, chart.limit[1]])
        self._step = step_for(most)
        self._lines = math.ceil(most / self._step)

    def across(self, x: float) -> float:
        low, high = math.log10(self._xs[0]), math.log10(self._xs[-1])
        share = (math.log10(x) - low) / (high - low) if high > low else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def down(self, y: float) -> float:
        return HEIGHT - BOTTOM - y / (self._lines * self._step) * (HEIGHT - TOP - BOTTOM)

    def grid(self) -> Iterator[str]:
        for number in range(self._lines + 1):
            value = number * self._step
            yield self._level(value, 'stroke="#e3e5e8"')
            yield _text(LEFT - 8, self.down(value) + 4, f"{value:,.6g}", 'text-anchor="end"')

    def sizes(self) -> Iterator[str]:
        """Yield the labels below the axis, as many as have room."""
        free = -math.inf
        for x in self._xs:
            label = f"{x:,.0f}"
            if self.across(x) - 4 * len(label) > free:
                yield _text(self.across(x), HEIGHT - BOTTOM + 18, label, 'text-anchor="middle"')
                free = self.across(x) + 4 * len(label)

    def limit(self) -> Iterator[str]:
        if self._chart.limit is not None:
            name, value = self._chart.limit
            yield self._level(value, 'stroke="#b00" stroke-dasharray="5 4"')
            yield _text(LEFT + 6, self.down(value) + 15, name, 'fill="#b00"')

    def lines(self) -> Iterator[str]:
        ends = spread([self.down(line.points[-1][1]) for line in self._chart.lines])
        for line, colour, end in zip(self._chart.lines, COLOURS, ends, strict=False):
            points = [(f"{self.across(x):.1f}", f"{self.down(y):.1f}") for x, y in line.points]
            path = " ".join(map(",".join, points))
            yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
            for x, y in points:
                yield f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>'
            yield _text(WIDTH - RIGHT + 10, end + 4, line.name, f'fill="{colour}" font-weight="bold"')

    def _level(self, value: float, attributes: str) -> str:
        y = self.down(value)
        return f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" {attributes}/>'


def step_for(most: float) -> float:
    """Return the distance of grid lines: 1, 2 or 5 times a power of ten, so that ``GRID`` of them reach ``most``."""
    if most <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most / GRID))
    return next(step * power for step in (1, 2, 5, 10) if step * power * GRID >= most)


def spread(heights: list[float]) -> list[float]:
    """Return the heights, moved down where two were closer than ``APART``."""
    moved = list(heights)
    last = -math.inf
    for place in sorted(range(len(heights)), key=heights.__getitem__):
        moved[place] = last = max(heights[place], last + APART)
    return moved


def _text(x: float, y: float, text: str, attributes: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {attributes}>{escape(text)}</text>'
