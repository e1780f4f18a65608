"""Summary of test times at the end of a run: test files over budget, in addition to pytest's own ``--durations``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

BUDGET_S = 30.0
"""Budget in seconds of one worker for the tests of one file, with set-up and teardown. A file over budget is printed
but never fails: the machine may be busy."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the files over budget, slowest first."""
    spent_s: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "duration", None) is not None:
                spent_s[report.nodeid.partition("::")[0]] += report.duration
    over = [(file, spent) for file, spent in spent_s.most_common() if spent > BUDGET_S]
    if over:
        terminalreporter.section(f"test files over their budget of {BUDGET_S:.0f} s")
        for file, spent in over:
            terminalreporter.write_line(f"{spent:6.1f} s  {file}")
