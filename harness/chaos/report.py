"""The result of a run, as a readable report."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.chaos.continuous_games import Findings


@dataclass
class ChaosResult:
    """The result of a run.

    Attributes:
        faults: start in seconds, duration, and description.
        boards: of completed simuls.
    """

    seed: int
    minutes: float
    nodes: int
    findings: Findings
    faults: list[tuple[float, float, str]] = field(default_factory=list)
    boards: int = 0
    requests: Counter[str] = field(default_factory=Counter)
    """Number of completed rounds of other requests, by kind."""
    logged: list[str] = field(default_factory=list)
    """Unexpected log entries of nodes."""

    @property
    def is_clean(self) -> bool:
        """Whether no error was found."""
        return not self.findings.violations and not self.logged


def format_report(result: ChaosResult) -> str:
    """Return the report as Markdown."""
    found = result.findings
    lines = [
        f"## Seed {result.seed}: {'nothing was lost' if result.is_clean else 'FAULTS WERE FOUND'}",
        "",
        f"`zeitnot chaos --minutes {result.minutes:g} --seed {result.seed} --nodes {result.nodes}`",
        "",
        "| what | how many |",
        "| --- | --- |",
        f"| faults | {len(result.faults)} |",
        f"| games, all played to their end | {found.games:,} |",
        f"| moves | {found.moves:,} |",
        f"| requests that were acknowledged, all stored as asked | {found.acknowledged:,} |",
        f"| events that clients were shown, all as stored | {found.shown:,} |",
        f"| boards of simuls | {result.boards:,} |",
        f"| other requests, completed | {', '.join(f'{name} {count}' for name, count in result.requests.items())} |",
        f"| reconnects of clients | {len(found.away_s):,} |",
        f"| duration of a reconnect, p50 / p99 / longest | {_spread(found.away_s, 's', 2)} |",
        f"| overcharge per move, p50 / p99 / most | {_spread(found.overcharge_ms, 'ms', 0)} |",
        f"| errors found | {len(found.violations) + len(result.logged)} |",
        "",
        *(f"- {violation}" for violation in [*found.violations, *result.logged]),
        "",
        "<details><summary>What was broken</summary>",
        "",
        "| at | for | what |",
        "| --- | --- | --- |",
        *(f"| {at_s:.0f} s | {lasted_s:.1f} s | {what} |" for at_s, lasted_s, what in result.faults),
        "",
        "</details>",
        "",
    ]
    return "\n".join(lines)


def _spread(values: Sequence[float], unit: str, digits: int) -> str:
    if not values:
        return "none"
    ordered = sorted(values)
    picked = [ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)] for share in (0.5, 0.99)]
    return " / ".join(f"{value:,.{digits}f} {unit}" for value in [*picked, ordered[-1]])
