"""A measured figure with its rounds, its baseline and its spread; as a table or as JSON."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

import msgspec

from bench.server.cpu_meter import Cost

if TYPE_CHECKING:
    from collections.abc import Sequence


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One figure of a scenario."""

    scenario: str
    case: str
    """Size of the case: ``200 games``."""
    what: str
    """What was counted, with its unit: ``moves / CPU s``."""
    rounds: tuple[float, ...]
    bare: tuple[float, ...] = ()
    """Rounds of the baseline, alternating with the figure's; empty if there is none."""
    cost: Cost = Cost()
    """Cost of all rounds."""
    budget: str = ""

    @property
    def value(self) -> float:
        """Return the median of the rounds."""
        return statistics.median(self.rounds)

    @property
    def bare_value(self) -> float | None:
        """Return the median of the baseline's rounds."""
        return statistics.median(self.bare) if self.bare else None

    @property
    def ratio(self) -> float | None:
        """Return the figure as a share of its baseline."""
        bare = self.bare_value
        return self.value / bare if bare else None

    @property
    def spread(self) -> float:
        """Return the noise of the run: the range of the rounds as a share of the median."""
        return _spread(self.rounds)

    def busy(self, seconds: float) -> float:
        """Return CPU seconds as a share of the elapsed time."""
        return seconds / self.cost.wall_s if self.cost.wall_s else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return all fields, rounds included."""
        return {
            "scenario": self.scenario,
            "case": self.case,
            "what": self.what,
            "value": self.value,
            "rounds": self.rounds,
            "spread": self.spread,
            "bare": self.bare_value,
            "bare_rounds": self.bare,
            "ratio": self.ratio,
            "budget": self.budget,
            "busy": {
                "server": self.busy(self.cost.server_s),
                "client": self.busy(self.cost.client_s),
                "postgres": self.busy(self.cost.postgres_s),
            },
        }


HEADINGS = ("scenario", "case", "figure", "value", "±", "bare", "±", "ratio", "server", "client", "postgres", "budget")


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as aligned columns. ``server``, ``client``, ``postgres``: CPU use of each as a share of its
    core."""
    rows = [HEADINGS, *(_row(figure) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column < 3 or column == len(HEADINGS) - 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _row(figure: Figure) -> tuple[str, ...]:
    bare, ratio, wall_s = figure.bare_value, figure.ratio, figure.cost.wall_s
    return (
        figure.scenario,
        figure.case,
        figure.what,
        _number(figure.value),
        _percent(figure.spread),
        "" if bare is None else _number(bare),
        "" if bare is None else _percent(_spread(figure.bare)),
        "" if ratio is None else _percent(ratio),
        *(
            _percent(figure.busy(seconds)) if wall_s else ""
            for seconds in (figure.cost.server_s, figure.cost.client_s, figure.cost.postgres_s)
        ),
        figure.budget,
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def _percent(share: float) -> str:
    return f"{share:.1%}" if share < 0.2 else f"{share:.0%}"


def _spread(rounds: Sequence[float]) -> float:
    middle = statistics.median(rounds)
    return (max(rounds) - min(rounds)) / middle if middle else 0.0
