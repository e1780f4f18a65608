"""Charts of how the figures scale: ``python -m bench.plot`` or ``make bench-plot``.

Draws the results of ``python -m bench --save docs/bench.json`` as PNG files beside it, with the Chromium of the browser
tests: a plotting library would add a dozen packages for three charts.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from bench.pages.browser import require_browser
from bench.pages.chart import HEIGHT, WIDTH, Chart, Series, as_svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FIGURES = Path(__file__).parent.parent / "docs" / "bench.json"

SHARPNESS = 2
"""Pixels of the picture for each pixel of the chart: readable on any screen."""

Figures = list[dict[str, Any]]


def charts(figures: Figures) -> dict[str, Chart]:
    """Return each chart for which there are figures of at least two sizes, by the name of its picture."""
    moves = _of(figures, "moves", "moves / CPU s")
    fan_out = _of(figures, "fan-out", "deliveries / CPU s")
    mixed = {point: _of(figures, "mixed", f"to opponent {point} ms") for point in ("p50", "p99")}
    found = {
        "moves": Chart(
            "Moves a second of the server's CPU",
            "rules, clocks, journal, both players and the answer; and the bare relay of the same stack",
            "live games",
            (Series("moves", _line(moves, "value")), Series("bare relay", _line(moves, "bare"))),
        ),
        "fan-out": Chart(
            "Deliveries a second of the server's CPU",
            "one game; and the same stack writing a frame that was built beforehand",
            "spectators",
            (Series("moves of a game", _line(fan_out, "value")), Series("prebuilt frame", _line(fan_out, "bare"))),
        ),
        "mixed": Chart(
            "From a move's being sent to its opponent, in ms",
            "blitz with people's times, spectators, seeks and chat, all on one core",
            "games at a time",
            tuple(Series(point, _line(rows, "value")) for point, rows in mixed.items()),
            ("budget of the p99", 50.0),
        ),
    }
    return {name: chart for name, chart in found.items() if all(len(line.points) > 1 for line in chart.lines)}


def draw(drawn: Mapping[str, Chart], directory: Path) -> Iterable[Path]:
    """Draw a PNG of each chart. Raises ``SystemExit`` if there is no Chromium."""
    chromium = require_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=SHARPNESS)
        for name, chart in drawn.items():
            page.set_content(f'<body style="margin:0">{as_svg(chart)}</body>')
            path = directory / f"{name}.png"
            page.screenshot(path=path)
            yield path
        browser.close()


def _of(figures: Figures, scenario: str, what: str) -> dict[int, dict[str, Any]]:
    """Return the figures by the number that their case begins with."""
    rows = [figure for figure in figures if (figure["scenario"], figure["what"]) == (scenario, what)]
    return dict(sorted((int(row["case"].split()[0].replace(",", "")), row) for row in rows))


def _line(rows: Mapping[int, dict[str, Any]], field: str) -> tuple[tuple[float, float], ...]:
    return tuple((size, row[field]) for size, row in rows.items() if row[field] is not None)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.plot", description="Draw how the figures scale.")
    parser.add_argument("figures", nargs="?", type=Path, default=FIGURES, help="what bench --save has saved")
    parser.add_argument("--into", type=Path, metavar="DIRECTORY", help="default: where the figures are")
    asked = parser.parse_args()
    if not asked.figures.exists():
        parser.error(f"there is no {asked.figures}; python -m bench --save {asked.figures} makes it")
    drawn = charts(json.loads(asked.figures.read_text(encoding="utf-8"))["figures"])
    for path in draw(drawn, asked.into or asked.figures.parent):
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
