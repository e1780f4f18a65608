"""Report of a run: the machine, the figures, and the load of the machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bench.figure import table
from bench.machine import describe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bench.figure import Figure


class BenchReport:
    """The figures of a run, scenario by scenario."""

    def __init__(self) -> None:
        self._figures: list[tuple[Figure, float]] = []
        self._loads: dict[str, float] = {}

    def add(self, figures: Sequence[Figure], load: float) -> None:
        """Add the figures of a scenario; ``load``: the machine's load average over a minute, before it began."""
        self._figures += [(figure, load) for figure in figures]
        self._loads.update((figure.scenario, load) for figure in figures)

    def as_text(self) -> str:
        """Return the report as a table."""
        machine = ", ".join(f"{name} {value}" for name, value in describe().items())
        loads = ", ".join(f"{scenario} {load:.1f}" for scenario, load in self._loads.items())
        figures = table([figure for figure, _ in self._figures])
        return f"{machine}\nload average before each: {loads}\n\n{figures}\n"

    def as_json(self) -> str:
        """Return the report with every round as JSON."""
        return _dumped(describe(), [{**figure.as_json(), "load_average": load} for figure, load in self._figures])

    def save(self, path: Path) -> None:
        """Write the report as JSON to ``path``. Figures of other cases that are there already are kept."""
        new = json.loads(self.as_json())
        if path.exists():
            old = {_key(figure): figure for figure in json.loads(path.read_text(encoding="utf-8"))["figures"]}
            new["figures"] = list({**old, **{_key(figure): figure for figure in new["figures"]}}.values())
        path.write_text(_dumped(new["machine"], new["figures"]), encoding="utf-8")


def _key(figure: dict[str, Any]) -> tuple[str, str, str]:
    return figure["scenario"], figure["case"], figure["what"]


def _dumped(machine: dict[str, str], figures: list[dict[str, Any]]) -> str:
    return json.dumps({"machine": machine, "figures": figures}, indent=1, ensure_ascii=False) + "\n"
