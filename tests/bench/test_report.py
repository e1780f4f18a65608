"""Saved figures: they replace older ones of the same case only."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bench.figure import Figure
from bench.load.points import points_ms
from bench.report import BenchReport

if TYPE_CHECKING:
    from pathlib import Path


def figure(case: str, value: float) -> Figure:
    return Figure(scenario="moves", case=case, what="moves / CPU s", rounds=(value,))


def save(path: Path, *figures: Figure, load: float = 0.0) -> list[dict[str, Any]]:
    report = BenchReport()
    report.add(figures, load)
    report.save(path)
    saved: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["figures"]
    return saved


def test_repeated_case_replaces_the_old_figure(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    save(path, figure("10 games", 1.0), figure("100 games", 2.0))
    saved = save(path, figure("10 games", 3.0), figure("1,000 games", 4.0), load=0.5)
    assert [(one["case"], one["value"], one["load_average"]) for one in saved] == [
        ("10 games", 3.0, 0.5),
        ("100 games", 2.0, 0.0),
        ("1,000 games", 4.0, 0.5),
    ]


def test_points_are_in_milliseconds() -> None:
    assert points_ms([k / 1000 for k in range(1, 102)]) == {"p50": 51.0, "p90": 91.0, "p99": 100.0, "max": 101.0}
