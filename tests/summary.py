"""What a test run says at its end about time: test files over budget, beside pytest's own ``--durations``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

BUDGET_S = 30.0
"""Seconds of one worker for the tests of one file, set-up and teardown included. A file over budget is printed and
never a failure: the machine may be busy."""


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
