"""A short run of ``zeitnot chaos``, with every fault that takes less than a minute."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from harness.chaos.command import FOUND_WRONG
from tests.server_process import COMMAND, ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SHORT = "kill-node,replace-node,cut-nats,cut-database,kill-nats,kill-postgres"

RUN_S = 380


def chaos(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run in a separate process, because it configures the logging of its whole process."""
    command = [sys.executable, "-c", COMMAND, "chaos", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=RUN_S, check=False)


@pytest.mark.timeout(400)
@pytest.mark.slow("a minute of chaos")
def test_one_minute_of_chaos_loses_nothing(tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    done = chaos(
        *("--minutes", "0.8", "--seed", "7", "--nodes", "3", "--games", "8", "--boards", "6"),
        *("--faults", SHORT, "--report", str(report)),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    text = report.read_text()
    assert "nothing was lost" in text
    assert text in done.stdout


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--minutes", "0"], "--minutes"),
        (["--nodes", "0"], "--nodes"),
        (["--games", "1000"], "--games"),
        (["--boards", "-1"], "--boards"),
        (["--faults", "kill-node,earthquake"], "earthquake"),
    ],
)
def test_bad_arguments_are_reported(arguments: Sequence[str], what: str) -> None:
    done = chaos(*arguments)
    assert done.returncode not in (0, FOUND_WRONG)
    assert what in done.stderr
