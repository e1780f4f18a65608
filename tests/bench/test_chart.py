"""Charts of figures: valid images with the right lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from bench.pages.chart import APART, GRID, Chart, Series, as_svg, spread, step_for
from bench.plot import charts, draw

if TYPE_CHECKING:
    from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"


def moves(case: str, value: float, bare: float | None) -> dict[str, Any]:
    return {"scenario": "moves", "case": case, "what": "moves / CPU s", "value": value, "bare": bare}


FIGURES = [moves("10,000 games", 5_500.0, 35_300.0), moves("10 games", 9_400.0, 63_400.0)]


def test_sizes_are_sorted_and_baselines_have_their_own_line() -> None:
    chart = charts(FIGURES)["moves"]
    assert chart.lines == (
        Series("moves", ((10, 9_400.0), (10_000, 5_500.0))),
        Series("bare relay", ((10, 63_400.0), (10_000, 35_300.0))),
    )


def test_single_size_gives_no_chart() -> None:
    assert charts(FIGURES[:1]) == {}


def test_every_point_line_and_label_is_drawn() -> None:
    drawn = ET.fromstring(as_svg(Chart("Title", "below", "games", charts(FIGURES)["moves"].lines, ("<50", 50.0))))
    assert len(drawn.findall(f"{SVG}circle")) == 4
    assert len(drawn.findall(f"{SVG}polyline")) == 2
    assert {"bare relay", "moves", "Title", "10,000", "<50"} <= {text.text for text in drawn.findall(f"{SVG}text")}


def test_line_without_points_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to draw for moves"):
        as_svg(Chart("Title", "", "games", (Series("moves", ()),)))


@pytest.mark.parametrize(
    ("most", "step"), [(0, 1), (1, 0.2), (5, 1), (5.1, 2), (48, 10), (51, 20), (63_400, 20_000), (440_000, 100_000)]
)
def test_grid_has_round_numbers(most: float, step: float) -> None:
    assert step_for(most) == pytest.approx(step)
    assert step_for(most) * GRID >= most


def test_overlapping_labels_are_moved_apart() -> None:
    assert spread([100.0, 20.0, 101.0]) == [100.0, 20.0, 100.0 + APART]


@pytest.mark.usefixtures("chromium")
def test_image_is_a_png(tmp_path: Path) -> None:
    (path,) = draw(charts(FIGURES), tmp_path)
    assert path == tmp_path / "moves.png"
    assert path.read_bytes().startswith(b"\x89PNG\r\n")
